//! Dead letters: messages that were given up. People list them and have them retried.

use crate::error::Error;
use crate::queries::leases::{Lease, held};
use crate::rows::{AccountEmailRow, MessageRow};
use crate::tx::Tx;
use crate::value::{Param, sql_int};
use domain::{AccountEmailKind, Channel, CompanyId, FolioId, InstanceId, Template, Timestamp};
use std::time::Duration;

/// A message that did not arrive, or not yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undelivered {
    /// Its number.
    pub seq: MessageRow,
    /// Which text it carries.
    pub template: Template,
    /// How it travels.
    pub channel: Channel,
    /// Where to.
    pub recipient: String,
    /// The folio it is about.
    pub folio: FolioId,
    /// The company's name.
    pub company: String,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it is tried next, unless it was given up.
    pub due_at: Timestamp,
    /// How often it was tried.
    pub attempts: i64,
    /// The last error of the receiving server.
    pub last_error: Option<String>,
}

/// An account email that was given up, or that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndeliveredAccountEmail {
    /// Its number.
    pub seq: AccountEmailRow,
    /// Which text it carries.
    pub kind: AccountEmailKind,
    /// Where to.
    pub recipient: String,
    /// When it was written.
    pub created_at: Timestamp,
    /// How often it was tried.
    pub attempts: i64,
    /// The last error of the receiving server.
    pub last_error: Option<String>,
}

const RETRY: &str = "UPDATE outbox SET state = 'waiting', due_at = $1, due_set_at = $1, retried_at = $1,
    leased_until = NULL, leased_by = NULL";

/// Whether a message that was given up may be retried: never a code; nothing to an address that the signer
/// no longer has, except the notice about that; nothing of an erased folio; no invitation to a folio that can no longer be signed.
const WORTH_A_RETRY: &str = "state = 'dead' AND template <> 'code' AND recipient <> '' AND EXISTS (
    SELECT 1 FROM folios f JOIN signers s ON s.folio = f.seq AND s.position = outbox.signer
    WHERE f.seq = outbox.folio AND (template = 'contact_changed' OR recipient = s.email)
        AND (template NOT IN ('invitation', 'reminder') OR f.state = 'pending' AND s.state = 'pending' AND f.dropped = 0
            AND (f.expires_at IS NULL OR f.expires_at > $1)))";

/// About the folio $3 of the company $2, alone or with others.
const OF_FOLIO: &str = "company = $2 AND (folio IN (SELECT seq FROM folios WHERE company = $2 AND id = $3)
    OR seq IN (SELECT x.message FROM outbox_folios x JOIN folios f ON f.seq = x.folio WHERE f.company = $2 AND f.id = $3))";

impl Tx<'_> {
    /// Account emails that were given up, or those that wait, oldest first, after the one with that number.
    pub fn undelivered_account_emails(
        &mut self,
        given_up: bool,
        after: AccountEmailRow,
        limit: usize,
    ) -> Result<Vec<UndeliveredAccountEmail>, Error> {
        let sql = "SELECT seq, template, recipient, created_at, attempts, last_error FROM account_emails
                   WHERE state = $1 AND seq > $2 ORDER BY seq LIMIT $3";
        let state = if given_up { "dead" } else { "waiting" };
        let params = [state.into(), after.into(), sql_int(limit)?.into()];
        self.query(sql, &params, |row| {
            Ok(UndeliveredAccountEmail {
                seq: row.get("seq")?,
                kind: row.get("template")?,
                recipient: row.get("recipient")?,
                created_at: row.get("created_at")?,
                attempts: row.get("attempts")?,
                last_error: row.get("last_error")?,
            })
        })
    }

    /// Messages that were given up, or those that wait, oldest first, after the one with that number.
    pub fn undelivered(
        &mut self,
        given_up: bool,
        after: MessageRow,
        limit: usize,
    ) -> Result<Vec<Undelivered>, Error> {
        let state = if given_up { "dead" } else { "waiting" };
        let sql = format!(
            "SELECT o.seq, o.template, o.channel, o.recipient, f.id AS folio, c.name AS company, o.created_at,
                 o.due_at, o.attempts, o.last_error
             FROM outbox o JOIN folios f ON f.seq = o.folio JOIN companies c ON c.seq = o.company
             WHERE o.state = '{state}' AND o.seq > $1 ORDER BY o.seq LIMIT $2"
        );
        self.query(&sql, &[after.into(), sql_int(limit)?.into()], |row| {
            Ok(Undelivered {
                seq: row.get("seq")?,
                template: row.get("template")?,
                channel: row.get("channel")?,
                recipient: row.get("recipient")?,
                folio: row.get("folio")?,
                company: row.get("company")?,
                created_at: row.get("created_at")?,
                due_at: row.get("due_at")?,
                attempts: row.get("attempts")?,
                last_error: row.get("last_error")?,
            })
        })
    }

    /// Retries the messages of a folio of the company that were given up and may be retried. Returns how many.
    pub fn retry_messages_of(
        &mut self,
        company: CompanyId,
        folio: FolioId,
        now: Timestamp,
    ) -> Result<u64, Error> {
        let sql = format!("{RETRY} WHERE {WORTH_A_RETRY} AND {OF_FOLIO}");
        self.execute(&sql, &[now.into(), company.0.into(), (&folio).into()])
    }

    /// Whether a folio of the company has messages that were given up and may be retried.
    pub fn has_messages_to_retry(
        &mut self,
        company: CompanyId,
        folio: FolioId,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let sql = format!("SELECT seq FROM outbox WHERE {WORTH_A_RETRY} AND {OF_FOLIO} LIMIT 1");
        let params = [now.into(), company.0.into(), (&folio).into()];
        Ok(self.query_one(&sql, &params, |_| Ok(()))?.is_some())
    }

    /// Frees messages, these or all, that an instance leased and died before it sent them. Returns how many. They are tried at
    /// once.
    pub fn free_messages(&mut self, now: Timestamp, seqs: Option<&[MessageRow]>) -> Result<u64, Error> {
        // A lease of an instance that does not exist: it serves only to ask which leases are held.
        let no_instance = Lease::new(
            InstanceId::from_bytes([0; 16]),
            self.database_clock()?,
            Duration::ZERO,
        );
        let held = held("o", 2);
        let sql = format!(
            "UPDATE outbox SET due_at = $1, due_set_at = $1, leased_until = NULL, leased_by = NULL
             WHERE seq IN (SELECT o.seq FROM outbox o
                 WHERE o.state = 'waiting' AND o.leased_until IS NOT NULL AND NOT {held})"
        );
        let [clock, by, dead_before] = no_instance.clock_params();
        self.execute_for(&sql, &[now.into(), clock, by, dead_before], seqs)
    }

    /// Retries messages that were given up and may be retried: these, or all. Returns how many.
    pub fn retry_messages(&mut self, now: Timestamp, seqs: Option<&[MessageRow]>) -> Result<u64, Error> {
        let sql = format!("{RETRY} WHERE {WORTH_A_RETRY}");
        self.execute_for(&sql, &[now.into()], seqs)
    }

    /// Runs an update of the outbox for these messages, or for all. Returns how many it changed.
    fn execute_for(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        seqs: Option<&[MessageRow]>,
    ) -> Result<u64, Error> {
        let Some(seqs) = seqs else {
            return self.execute(sql, params);
        };
        let sql = format!("{sql} AND seq IN ({{list}}) RETURNING seq");
        let changed = self.query_in(&sql, params, seqs.iter().map(|seq| (*seq).into()), |_| Ok(()))?;
        Ok(changed.len() as u64)
    }
}
