//! Work that waits because the clock was wrong: for a time that was set before the clock went back, or because
//! authorities refused the time that the clock showed before it went forward.

use crate::error::Error;
use crate::queries::operator::operator_report::NO_TIMESTAMP_AUTHORITY_PREFIX;
use crate::tx::Tx;
use domain::Timestamp;
use domain::limits::MAX_CLOCK_SKEW;

impl Tx<'_> {
    /// Makes work due whose waiting time was set at a time that is still to come: the clock went back since. Returns
    /// how many rows. For the service: of all companies.
    pub fn hasten_after_clock_step(&mut self, now: Timestamp) -> Result<u64, Error> {
        // A row that a worker is settling gets a time from it, or is found the next time.
        let skip = self.dialect().for_update_skip_locked();
        let params = [now.into(), now.after(MAX_CLOCK_SKEW).into()];
        let mut hastened = 0;
        for table in ["outbox", "account_emails", "webhook_deliveries"] {
            let sql = format!(
                "UPDATE {table} SET due_at = $1, due_set_at = $1 WHERE seq IN (
                     SELECT seq FROM {table} WHERE state = 'waiting' AND due_at > $1
                         AND COALESCE(due_set_at, created_at) > $2{skip})"
            );
            hastened += self.execute(&sql, &params)?;
        }
        for table in ["extensions", "increment_moves", "reminders"] {
            let sql = format!(
                "UPDATE {table} SET due_at = $1, due_set_at = $1 WHERE folio IN (
                     SELECT folio FROM {table} WHERE due_at > $1 AND due_set_at > $2{skip})"
            );
            hastened += self.execute(&sql, &params)?;
        }
        Ok(hastened)
    }

    /// Makes extensions due that were put off because no timestamp authority gave a timestamp; returns how many. For the
    /// service: of all companies.
    pub fn hasten_unstamped_extensions(&mut self, now: Timestamp) -> Result<u64, Error> {
        let skip = self.dialect().for_update_skip_locked();
        let unstamped = format!("{NO_TIMESTAMP_AUTHORITY_PREFIX}%");
        // The plus keeps SQLite from the index by due_at, which has every folio that was ever signed.
        let sql = format!(
            "UPDATE extensions SET due_at = $1, due_set_at = $1 WHERE folio IN (
                 SELECT folio FROM extensions
                 WHERE due_set_at IS NOT NULL AND last_error LIKE $2 AND +due_at > $1{skip})"
        );
        self.execute(&sql, &[now.into(), unstamped.as_str().into()])
    }
}
