//! Counters of failed or limited attempts. A keyed hash names the scope: an account, an address or a
//! network.

use crate::dialect::ColumnType::{Bytes, Int};
use crate::error::Error;
use crate::tx::Tx;
use crate::value::{Rows, sql_int};
use domain::Timestamp;

/// The counter of one scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailureCount {
    /// The scope.
    pub scope: [u8; 32],
    /// How often.
    pub failures: i64,
    /// When it was last counted.
    pub last_at: Timestamp,
}

impl Tx<'_> {
    /// The counters of these scopes, in their order, locked until the transaction ends. Missing ones are
    /// created, so that they are locked as well.
    pub fn lock_failures(&mut self, scopes: &[[u8; 32]], now: Timestamp) -> Result<Vec<FailureCount>, Error> {
        let mut sorted = scopes.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let mut params = Rows::new();
        for scope in &sorted {
            params.push([scope.into(), 0.into(), now.into()]);
        }
        let rows = self.dialect().rows(&[Bytes, Int, Int], sorted.len(), 1);
        let sql = format!(
            "INSERT INTO sign_in_failures (scope, failures, last_at) VALUES {rows}
             ON CONFLICT (scope) DO UPDATE SET failures = sign_in_failures.failures
             RETURNING scope, failures, last_at"
        );
        let counts = self.query(&sql, &params, |row| {
            Ok(FailureCount {
                scope: row.get("scope")?,
                failures: row.get("failures")?,
                last_at: row.get("last_at")?,
            })
        })?;
        let of = |scope: &[u8; 32]| counts.iter().copied().find(|count| count.scope == *scope);
        let found: Option<Vec<_>> = scopes.iter().map(of).collect();
        found.ok_or(Error::Corrupt("answer"))
    }

    /// Stores the counters.
    pub fn set_failures(&mut self, counts: &[FailureCount]) -> Result<(), Error> {
        let sql = "UPDATE sign_in_failures SET failures = c.column2, last_at = c.column3
                   FROM (VALUES {rows}) AS c WHERE sign_in_failures.scope = c.column1";
        let mut params = Rows::new();
        for count in counts {
            params.push([(&count.scope).into(), count.failures.into(), count.last_at.into()]);
        }
        self.run_rows(sql, &[Bytes, Int, Int], &params)
    }

    /// Deletes the counters of these scopes.
    pub fn reset_failures(&mut self, scopes: &[[u8; 32]]) -> Result<(), Error> {
        let sql = "DELETE FROM sign_in_failures WHERE scope IN ({list}) RETURNING failures";
        let forgiven = self.query_in(sql, &[], scopes.iter().map(Into::into), |_| Ok(()));
        forgiven.map(drop)
    }

    /// Deletes counters that no limit reads any more, up to `max`. Returns how many. One that counts meanwhile stays.
    pub fn delete_old_failures(&mut self, before: Timestamp, max: usize) -> Result<u64, Error> {
        let sql = "DELETE FROM sign_in_failures WHERE last_at < $1 AND scope IN (
                       SELECT scope FROM sign_in_failures WHERE last_at < $1 ORDER BY last_at LIMIT $2)";
        self.execute(sql, &[before.into(), sql_int(max)?.into()])
    }
}
