//! Where polls of a queue begin. On `PostgreSQL` a long transaction, a backup for one, keeps rows as they were that were settled after
//! it began: read from its beginning, a queue costs more with every row that was settled.

use domain::Timestamp;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use store::{DueTimes, Queue, Store};

/// How often the whole queue is looked at. No transaction of an act is open for so long.
const FULL_READ_INTERVAL: Duration = Duration::from_mins(1);

/// The time before which nothing in a queue is due. It is looked up once a minute.
#[derive(Debug)]
pub struct QueuePosition {
    queue: Queue,
    /// The last look.
    known: Mutex<Option<DueTimes>>,
}

impl QueuePosition {
    /// The beginning of the queue.
    pub const fn start(queue: Queue) -> Self {
        Self {
            queue,
            known: Mutex::new(None),
        }
    }

    /// The times at which rows became due that a poll takes now.
    pub async fn due_times(&self, store: &Store, now: Timestamp) -> Result<DueTimes, store::Error> {
        if let Some(from) = self.known_from(now) {
            return Ok(DueTimes { from, now });
        }
        let queue = self.queue;
        let oldest = store.read(move |tx| tx.oldest_due(queue)).await?;
        let looked = look(oldest, now);
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some(looked);
        Ok(looked)
    }

    /// What the last look found, unless it is to be repeated: it is of long ago, or the clock went back.
    fn known_from(&self, now: Timestamp) -> Option<Timestamp> {
        let known = *self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = known.filter(|look| look.now <= now && now.since(look.now) < FULL_READ_INTERVAL);
        recent.map(|look| look.from)
    }
}

/// A row of a transaction that is still open, or of an instance whose clock is behind, is due a little earlier than those
/// that are there.
fn look(oldest: Option<Timestamp>, now: Timestamp) -> DueTimes {
    let recent = now.before(FULL_READ_INTERVAL);
    DueTimes {
        from: oldest.unwrap_or(recent).min(recent),
        now,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_is_read_from_its_oldest_row_and_looked_at_once_a_minute() {
        let second = |number: i64| Timestamp::from_micros(number * 1_000_000);
        assert_eq!(
            look(None, second(300)).from,
            second(240),
            "a transaction may be open"
        );
        assert_eq!(look(Some(second(290)), second(300)).from, second(240));
        assert_eq!(look(Some(second(20)), second(300)).from, second(20));

        let position = QueuePosition::start(Queue::Outbox);
        assert_eq!(position.known_from(second(300)), None);
        *position.known.lock().unwrap() = Some(look(Some(second(20)), second(300)));
        assert_eq!(position.known_from(second(300)), Some(second(20)));
        assert_eq!(position.known_from(second(359)), Some(second(20)));
        assert_eq!(position.known_from(second(360)), None);
        assert_eq!(position.known_from(second(299)), None, "the clock went back");
    }
}
