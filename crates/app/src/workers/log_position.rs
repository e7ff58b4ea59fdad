//! Where the projector begins to read the change log. On `PostgreSQL` a long transaction, a backup for one, keeps rows that were
//! deleted after it began: read from its beginning, an empty log costs more with every change that was taken.

use domain::Timestamp;
use std::time::Duration;
use store::ChangeRow;

/// How often the whole log is looked at. No transaction of an act is open for so long.
const FULL_READ_INTERVAL: Duration = Duration::from_mins(1);

/// A number from which on the log is read. Changes that are added later have higher numbers, and so have those of transactions
/// that are open: every number below was taken by the projector before the last look at the whole log, or seen by that look.
#[derive(Debug)]
pub(crate) struct LogPosition {
    from: ChangeRow,
    /// The newest change that this projector took, and the newest at the last look.
    newest: ChangeRow,
    newest_at_look: ChangeRow,
    looked_at: Option<Timestamp>,
}

impl LogPosition {
    /// The beginning of the log.
    pub(crate) const fn start() -> Self {
        Self {
            from: ChangeRow::ZERO,
            newest: ChangeRow::ZERO,
            newest_at_look: ChangeRow::ZERO,
            looked_at: None,
        }
    }

    pub(crate) const fn from(&self) -> ChangeRow {
        self.from
    }

    /// Whether the whole log is to be looked at: for the first time, again, or because the clock went back.
    pub(crate) fn is_outdated(&self, now: Timestamp) -> bool {
        let is_recent = |at: Timestamp| at <= now && now.since(at) < FULL_READ_INTERVAL;
        !self.looked_at.is_some_and(is_recent)
    }

    /// The next read begins at the oldest change in the log. Transactions that are still open may yet add numbers below the
    /// newest one.
    pub(crate) fn update(&mut self, oldest: Option<ChangeRow>, now: Timestamp) {
        self.from = oldest.unwrap_or(ChangeRow::MAX).min(self.newest_at_look);
        self.newest_at_look = self.newest;
        self.looked_at = Some(now);
    }

    /// Notes the newest of the changes that were taken.
    pub(crate) fn took(&mut self, newest: Option<ChangeRow>) {
        self.newest = newest.unwrap_or(self.newest).max(self.newest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_read_from_what_was_taken_before_the_last_look_but_one() {
        let minute = |number: i64| Timestamp::from_micros(number * 60_000_000);
        let mut position = LogPosition::start();
        assert!(position.is_outdated(minute(5)));
        position.update(Some(ChangeRow(40)), minute(5));
        assert!(!position.is_outdated(minute(5)) && position.is_outdated(minute(6)));
        assert!(position.is_outdated(minute(4)), "the clock went back");
        assert_eq!(position.from(), ChangeRow::ZERO);
        position.took(Some(ChangeRow(90)));
        position.update(None, minute(6));
        assert_eq!(position.from(), ChangeRow::ZERO, "a transaction may be open");
        position.took(None);
        position.update(None, minute(7));
        assert_eq!(position.from(), ChangeRow(90));
        position.update(Some(ChangeRow(50)), minute(8));
        assert_eq!(position.from(), ChangeRow(50), "whatever is there is read");
    }
}
