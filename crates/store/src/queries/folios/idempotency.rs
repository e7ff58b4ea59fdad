//! Idempotency keys: a repeated request gets the stored response of the first one.
//!
//! All times are the database's. On `SQLite` they begin anew with the machine: a response that was stored before is ahead then,
//! and is kept for longer, never for less.

use crate::error::Error;
use crate::queries::folios::folio::own_company;
use crate::rows::FolioRow;
use crate::tx::Tx;
use crate::value::{Param, only_column, sql_int};
use domain::{CompanyId, FolioId, Timestamp};
use std::collections::{BTreeSet, HashSet};

/// Identifiers that are looked up with one statement.
const MAX_LOOKED_UP_IDS: usize = 500;

/// A response as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResponse {
    /// HTTP status.
    pub status: u16,
    /// JSON text.
    pub body: String,
}

/// The result of claiming an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyClaim {
    /// No response is stored under it: the caller holds the claim, and stores the response in the same
    /// transaction.
    Fresh,
    /// The same request was made before.
    Replayed(StoredResponse),
    /// Another request came with this key.
    OtherRequest,
}

impl Tx<'_> {
    /// Claims a key for the request with this fingerprint, unless it was answered since `oldest`.
    ///
    /// Of two concurrent requests the second waits here for the first one's transaction.
    pub fn claim_idempotency_key(
        &mut self,
        company: CompanyId,
        key: &str,
        fingerprint: &[u8; 32],
        at: Timestamp,
        oldest: Timestamp,
    ) -> Result<KeyClaim, Error> {
        let stale =
            "DELETE FROM idempotency_keys WHERE company = $1 AND idempotency_key = $2 AND created_at <= $3";
        self.execute(stale, &[company.0.into(), key.into(), oldest.into()])?;
        let claim =
            "INSERT INTO idempotency_keys (company, idempotency_key, fingerprint, status, body, created_at)
                     VALUES ($1, $2, $3, 0, '', $4) ON CONFLICT DO NOTHING";
        if self.execute(
            claim,
            &[company.0.into(), key.into(), fingerprint.into(), at.into()],
        )? > 0
        {
            return Ok(KeyClaim::Fresh);
        }
        let sql = "SELECT fingerprint, status, body FROM idempotency_keys WHERE company = $1 AND idempotency_key = $2";
        let kept = self.query_one(sql, &[company.0.into(), key.into()], |row| {
            let status = row
                .get::<i64>("status")?
                .try_into()
                .map_err(|_| Error::Corrupt("status"))?;
            Ok((
                row.get::<[u8; 32]>("fingerprint")?,
                StoredResponse {
                    status,
                    body: row.get("body")?,
                },
            ))
        })?;
        match kept {
            Some((print, answer)) if print == *fingerprint => Ok(KeyClaim::Replayed(answer)),
            Some(_) => Ok(KeyClaim::OtherRequest),
            None => Err(Error::Stale),
        }
    }

    /// Writes the answer under a claimed key, and which folios it names.
    pub fn store_response(
        &mut self,
        company: CompanyId,
        key: &str,
        answer: &StoredResponse,
    ) -> Result<(), Error> {
        let sql =
            "UPDATE idempotency_keys SET status = $3, body = $4 WHERE company = $1 AND idempotency_key = $2";
        let status = i64::from(answer.status);
        self.execute(
            sql,
            &[company.0.into(), key.into(), status.into(), (&answer.body).into()],
        )?;
        // In the order of their numbers: the foreign key locks them, as an erasure does.
        let sql = concat!(
            "INSERT INTO idempotency_folios (company, idempotency_key, folio)
             SELECT company, CAST($2 AS TEXT), seq FROM folios WHERE ",
            own_company!(),
            " AND id IN ({list}) ORDER BY seq"
        );
        let named: Vec<FolioId> = possible_folios(&answer.body).into_iter().collect();
        for ids in named.chunks(MAX_LOOKED_UP_IDS) {
            let params = ids.iter().map(Param::from);
            self.each_in(sql, &[company.0.into(), key.into()], params, |_| Ok(()))?;
        }
        Ok(())
    }

    /// Whether all of these folios are the company's, and none was erased. If so, none will be until the transaction ends.
    pub fn keep_all_from_erasure(&mut self, company: CompanyId, ids: &[FolioId]) -> Result<bool, Error> {
        let lock = self.dialect().for_key_share().unwrap_or_default();
        let own = own_company!();
        let sql = format!(
            "SELECT seq FROM folios WHERE {own} AND erased_at IS NULL AND id IN ({{list}}) ORDER BY seq{lock}"
        );
        let ids: HashSet<&FolioId> = ids.iter().collect();
        let params = ids.iter().map(|id| Param::from(*id));
        let kept: Vec<FolioRow> = self.query_in(&sql, &[company.0.into()], params, only_column)?;
        Ok(kept.len() == ids.len())
    }

    /// Forgets answers that are no longer kept, up to `max`. Returns how many.
    pub fn delete_old_responses(&mut self, oldest: Timestamp, max: usize) -> Result<u64, Error> {
        let sql = "DELETE FROM idempotency_keys WHERE (company, idempotency_key) IN (
                       SELECT company, idempotency_key FROM idempotency_keys WHERE created_at <= $1
                       ORDER BY created_at LIMIT $2)";
        self.execute(sql, &[oldest.into(), sql_int(max)?.into()])
    }

    /// Keeps answers from now on whose time is still to come, up to `max`. Returns how many. The database's clock went back
    /// since they were stored, and they would stay until it gets there.
    pub fn renew_responses_ahead(&mut self, now: Timestamp, max: usize) -> Result<u64, Error> {
        let sql = "UPDATE idempotency_keys SET created_at = $1 WHERE (company, idempotency_key) IN (
                       SELECT company, idempotency_key FROM idempotency_keys WHERE created_at > $1
                       ORDER BY created_at LIMIT $2)";
        self.execute(sql, &[now.into(), sql_int(max)?.into()])
    }

    /// Keeps all answers from now on: they came with a backup, whose database had another clock.
    pub fn renew_all_responses(&mut self) -> Result<u64, Error> {
        let now = self.database_clock()?;
        self.execute("UPDATE idempotency_keys SET created_at = $1", &[now.into()])
    }
}

/// Every identifier in a response. It does not say which of them are folios'.
fn possible_folios(body: &str) -> BTreeSet<FolioId> {
    let runs = body.split(|c: char| !c.is_ascii_hexdigit());
    runs.filter_map(|run| run.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_found_wherever_they_stand() {
        let ids = ["0123456789abcdef".repeat(2), "f".repeat(32)];
        let [one, other] = &ids;
        let hash = "a".repeat(64);
        let body =
            format!(r#"{{"id":"{one}","url":"https://x.co/{other}/1","again":"{one}","sha256":"{hash}"}}"#);
        let found: Vec<String> = possible_folios(&body).iter().map(FolioId::to_string).collect();
        assert_eq!(found, ids);
    }
}
