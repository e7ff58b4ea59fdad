//! Work that waits for a time that was set before the clock went back.

use crate::error::Error;
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
}
