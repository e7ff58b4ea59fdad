//! What a sandbox keeps for tests: how far its clock was moved, and which recipients bounce.

use crate::error::Error;
use crate::tx::Tx;
use crate::value::{Param, only_column};
use domain::SignerSessionId;

/// Recipients that bounce; when there are more, the table is emptied first.
const MAX_BOUNCES: i64 = 10_000;
/// Times that belong to work under way, not to folios: they move with the clock. Leases go by the database's.
const WORK_TIMES: [(&str, &str); 3] = [
    ("orphaned_blobs", "orphaned_at"),
    ("orphaned_blobs", "removed_at"),
    ("blob_holds", "until"),
];

impl Tx<'_> {
    /// How far the clock was moved, in microseconds.
    pub fn sandbox_clock_offset(&mut self) -> Result<i64, Error> {
        let offset = self.query_one("SELECT offset_micros FROM sandbox_clock", &[], only_column)?;
        Ok(offset.unwrap_or_default())
    }

    /// Moves the clock forward, and with it the times of blobs under removal. Returns how far it was moved in all.
    pub fn move_sandbox_clock(&mut self, micros: i64) -> Result<i64, Error> {
        let sql = "INSERT INTO sandbox_clock (one, offset_micros) VALUES (1, $1)
                   ON CONFLICT (one) DO UPDATE SET offset_micros = sandbox_clock.offset_micros + $1";
        self.execute(sql, &[micros.into()])?;
        for (table, column) in WORK_TIMES {
            let sql = format!("UPDATE {table} SET {column} = {column} + $1 WHERE {column} IS NOT NULL");
            self.execute(&sql, &[micros.into()])?;
        }
        self.sandbox_clock_offset()
    }

    /// Whether the codes that the session asked for have left; `None` while one waits, `Some(false)` where one came back.
    pub fn codes_left(&mut self, session: SignerSessionId) -> Result<Option<bool>, Error> {
        let sql = "SELECT state FROM outbox WHERE session = $1";
        let states: Vec<String> = self.query(sql, &[(&session).into()], only_column)?;
        let waits = states.iter().any(|state| state == "waiting");
        Ok((!waits).then(|| states.iter().all(|state| state != "dead")))
    }

    /// Has messages to these recipients bounce from now on, or arrive again.
    pub fn set_bounces(&mut self, recipients: &[&str], bounce: bool) -> Result<(), Error> {
        let values = || recipients.iter().map(|recipient| Param::from(*recipient));
        let sql = "DELETE FROM sandbox_bounces WHERE recipient IN ({list})";
        self.query_in(&format!("{sql} RETURNING recipient"), &[], values(), |_| Ok(()))?;
        if !bounce {
            return Ok(());
        }
        let sql = "DELETE FROM sandbox_bounces WHERE (SELECT COUNT(*) FROM sandbox_bounces) >= $1";
        self.execute(sql, &[MAX_BOUNCES.into()])?;
        for recipient in recipients {
            self.execute(
                "INSERT INTO sandbox_bounces (recipient) VALUES ($1)",
                &[(*recipient).into()],
            )?;
        }
        Ok(())
    }
}
