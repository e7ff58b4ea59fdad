//! The times at which rows of a queue became due that a poll takes.

use crate::error::Error;
use crate::tx::Tx;
use crate::value::only_column;
use domain::Timestamp;

/// The times at which rows became due that are taken now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueTimes {
    /// None became due before.
    pub from: Timestamp,
    /// The present.
    pub now: Timestamp,
}

impl From<Timestamp> for DueTimes {
    /// All that is due.
    fn from(now: Timestamp) -> Self {
        let from = Timestamp::from_micros(i64::MIN);
        Self { from, now }
    }
}

/// A queue whose rows wait until they are due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queue {
    /// Messages to signers.
    Outbox,
    /// Webhook deliveries.
    Webhooks,
    /// Signed folios whose documents are to be extended.
    Extensions,
    /// Pending folios whose signers are reminded.
    Reminders,
    /// Finished folios whose increments are to be moved to the document storage.
    IncrementMoves,
}

impl Tx<'_> {
    /// When the row becomes due that is due first, leased or not. `PostgreSQL` steps over every row that was settled and that
    /// an older snapshot could still see.
    pub fn oldest_due(&mut self, queue: Queue) -> Result<Option<Timestamp>, Error> {
        let sql = match queue {
            Queue::Outbox => "SELECT MIN(due_at) FROM outbox WHERE state = 'waiting'",
            Queue::Webhooks => "SELECT MIN(due_at) FROM webhook_deliveries WHERE state = 'waiting'",
            Queue::Extensions => "SELECT MIN(due_at) FROM extensions",
            Queue::Reminders => "SELECT MIN(due_at) FROM reminders WHERE due_at IS NOT NULL",
            Queue::IncrementMoves => "SELECT MIN(due_at) FROM increment_moves",
        };
        Ok(self.query_one(sql, &[], only_column)?.flatten())
    }
}
