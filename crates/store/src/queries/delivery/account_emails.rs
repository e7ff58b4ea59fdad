//! Emails to panel users about their accounts: queued by a transaction, taken on a lease, settled.

use crate::dialect::ColumnType::{Int, Text};
use crate::error::Error;
use crate::queries::delivery::outbox_leases::SendOutcome;
use crate::queries::enum_columns;
use crate::queries::leases::{Lease, held};
use crate::rows::AccountEmailRow;
use crate::tx::Tx;
use crate::value::{Row, Rows, only_column, sql_int};
use domain::{AccountEmailKind, Channel, CompanyId, FolioId, Language, Timestamp};

/// An email to be queued.
#[derive(Debug)]
pub struct NewAccountEmail<'e> {
    /// The name of the company.
    pub company: CompanyId,
    /// Which text it carries.
    pub kind: AccountEmailKind,
    /// Where to.
    pub recipient: &'e str,
    /// The person's name.
    pub name: &'e str,
    /// The language that the person chose; the company's where there is none.
    pub language: Option<Language>,
    /// The secret it carries, sealed.
    pub secret: Option<&'e [u8]>,
    /// When.
    pub at: Timestamp,
}

/// An email taken to be sent.
#[derive(Clone, PartialEq, Eq)]
pub struct LeasedAccountEmail {
    /// Its number.
    pub seq: AccountEmailRow,
    /// Which attempt this is, from 1.
    pub attempt: i64,
    /// Which text it carries.
    pub kind: AccountEmailKind,
    /// Where to.
    pub recipient: String,
    /// The person's name.
    pub name: String,
    /// The secret it carries, sealed.
    pub secret: Option<Vec<u8>>,
    /// When it was written.
    pub created_at: Timestamp,
    /// The company's name.
    pub company: String,
    /// The company's colour.
    pub colour: Option<String>,
    /// The person's language, or the company's.
    pub language: Language,
    /// The message that did not arrive or was complained of, where the email says so and its folio was not erased since.
    pub about: Option<ReturnedMessage>,
}

/// A message to a signer of which an email to a panel user tells.
#[derive(Clone, PartialEq, Eq)]
pub struct ReturnedMessage {
    /// The folio it is about.
    pub folio: FolioId,
    /// The folio's name.
    pub folio_name: String,
    /// The signer's name.
    pub signer_name: String,
    /// How it travelled.
    pub channel: Channel,
    /// Where to.
    pub recipient: String,
}

impl ReturnedMessage {
    fn from_row(row: &Row<'_>, folio: FolioId) -> Result<Self, Error> {
        Ok(Self {
            folio,
            folio_name: row.get("folio_name")?,
            signer_name: row.get("signer_name")?,
            channel: row.get("channel")?,
            recipient: row.get("contact")?,
        })
    }
}

impl std::fmt::Debug for ReturnedMessage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // No personal data: this may be logged.
        f.debug_struct("ReturnedMessage")
            .field("folio", &self.folio)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for LeasedAccountEmail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // No personal data: this may be logged.
        f.debug_struct("LeasedAccountEmail")
            .field("seq", &self.seq.0)
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

/// An email that was taken, and its outcome.
#[derive(Debug, Clone)]
pub struct SettledAccountEmail {
    /// Its number.
    pub seq: AccountEmailRow,
    /// Which attempt it was.
    pub attempt: i64,
    /// The outcome.
    pub outcome: SendOutcome,
}

impl Tx<'_> {
    /// Has an email sent.
    pub fn queue_account_email(&mut self, email: &NewAccountEmail<'_>) -> Result<(), Error> {
        let sql =
            "INSERT INTO account_emails (company, template, recipient, name, secret, created_at, due_at, language)
                   VALUES ($1, $2, $3, $4, $5, $6, $6, $7)";
        let params = [
            email.company.0.into(),
            enum_columns::account_email_kind(email.kind).into(),
            email.recipient.into(),
            email.name.into(),
            email.secret.into(),
            email.at.into(),
            email.language.map(enum_columns::language).into(),
        ];
        self.execute(sql, &params).map(drop)
    }

    /// Takes emails that are due, on a lease. Those with a secret first: a person waits for a link to choose a password, and
    /// any number of emails about messages that came back may be due before it.
    pub fn take_account_emails(
        &mut self,
        now: Timestamp,
        lease: &Lease,
        limit: usize,
    ) -> Result<Vec<LeasedAccountEmail>, Error> {
        let skip = self.dialect().for_update_skip_locked();
        let held = held("l", 4);
        let sql = format!(
            "WITH due AS MATERIALIZED (
                 SELECT l.seq FROM account_emails l WHERE l.state = 'waiting' AND l.due_at <= $1 AND NOT {held}
                 ORDER BY l.secret IS NULL, l.due_at, l.seq LIMIT $3{skip})
             UPDATE account_emails SET leased_until = $2, leased_by = $5, attempts = attempts + 1
             WHERE seq IN (SELECT seq FROM due) RETURNING seq"
        );
        let [clock, by, dead_before] = lease.clock_params();
        let (until, limit) = (lease.until.into(), sql_int(limit)?.into());
        let params = [now.into(), until, limit, clock, by, dead_before];
        let seqs: Vec<AccountEmailRow> = self.query(&sql, &params, only_column)?;
        let sql = "SELECT l.seq, l.attempts, l.template, l.recipient, l.name, l.secret, l.created_at,
                       c.name AS company, c.colour, COALESCE(l.language, c.language) AS language,
                       f.id AS folio, f.name AS folio_name, s.name AS signer_name, o.channel, o.recipient AS contact
                   FROM account_emails l JOIN companies c ON c.seq = l.company LEFT JOIN outbox o ON o.seq = l.message
                       LEFT JOIN folios f ON f.seq = o.folio AND f.erased_at IS NULL
                       LEFT JOIN signers s ON s.folio = f.seq AND s.position = o.signer
                   WHERE l.seq IN ({list}) ORDER BY l.seq";
        self.query_in(sql, &[], seqs.iter().map(|seq| (*seq).into()), |row| {
            let folio: Option<FolioId> = row.get("folio")?;
            Ok(LeasedAccountEmail {
                seq: row.get("seq")?,
                attempt: row.get("attempts")?,
                kind: row.get("template")?,
                recipient: row.get("recipient")?,
                name: row.get("name")?,
                secret: row.get("secret")?,
                created_at: row.get("created_at")?,
                company: row.get("company")?,
                colour: row.get("colour")?,
                language: row.get("language")?,
                about: folio
                    .map(|folio| ReturnedMessage::from_row(row, folio))
                    .transpose()?,
            })
        })
    }

    /// Settles emails. A sent email is settled in any case, every other outcome only while the lease is the
    /// caller's. Returns those that were settled: others were settled before, or erased with the folio that they are about.
    pub fn settle_account_emails(
        &mut self,
        settled: &[SettledAccountEmail],
    ) -> Result<Vec<AccountEmailRow>, Error> {
        let mut rows = Rows::new();
        for one in settled {
            let (state, due, reason, returned) = match &one.outcome {
                SendOutcome::Sent { .. } => ("sent", None, None, false),
                SendOutcome::Postponed { at, until, reason } => {
                    ("waiting", Some((*at, *until)), Some(reason), false)
                }
                SendOutcome::Dead { reason } => ("dead", None, Some(reason), false),
                // No account email is superseded: a newer link does not end an older one.
                SendOutcome::Superseded | SendOutcome::Returned => ("waiting", None, None, true),
            };
            rows.push([
                one.seq.into(),
                one.attempt.into(),
                state.into(),
                due.map(|(_, until)| until).into(),
                reason.into(),
                returned.into(),
                due.map(|(at, _)| at).into(),
            ]);
        }
        let sql =
            "UPDATE account_emails SET state = c.column3, due_at = COALESCE(c.column4, due_at), leased_until = NULL,
                       leased_by = NULL, due_set_at = COALESCE(c.column7, due_set_at),
                       attempts = attempts - c.column6,
                       last_error = COALESCE(c.column5, last_error),
                       secret = CASE WHEN c.column3 = 'waiting' THEN secret END
                   FROM (VALUES {rows}) AS c
                   WHERE account_emails.seq = c.column1 AND account_emails.state = 'waiting'
                       AND (c.column3 = 'sent' OR account_emails.attempts = c.column2)
                   RETURNING seq";
        self.query_rows(sql, &[Int, Int, Text, Int, Text, Int, Int], &rows, only_column)
    }

    /// When the oldest email was written that waits. For the operator: of all companies.
    pub fn oldest_account_email(&mut self) -> Result<Option<Timestamp>, Error> {
        let sql = "SELECT MIN(created_at) FROM account_emails WHERE state = 'waiting'";
        Ok(self.query_one(sql, &[], only_column)?.flatten())
    }

    /// Forgets settled emails that were written before that time, up to `max`. Returns how many. One that is tried again
    /// meanwhile stays.
    pub fn delete_old_account_emails(&mut self, before: Timestamp, max: usize) -> Result<u64, Error> {
        let sql = "DELETE FROM account_emails WHERE state <> 'waiting' AND seq IN (
                       SELECT seq FROM account_emails WHERE state <> 'waiting' AND created_at < $1
                       ORDER BY created_at LIMIT $2)";
        self.execute(sql, &[before.into(), sql_int(max)?.into()])
    }
}
