//! How far a long copy is, in the log.

use std::time::{Duration, Instant};

/// The time between two lines.
const LOG_INTERVAL: Duration = Duration::from_secs(10);
/// Steps between two looks at the time.
const STEPS: u64 = 64;

/// Counts steps, and logs the count from time to time.
pub(super) struct Progress {
    what: &'static str,
    of: Option<u64>,
    done: u64,
    looks: u64,
    logged: Instant,
}

impl Progress {
    /// Of so many steps, if that is known.
    pub(super) fn new(what: &'static str, of: Option<u64>) -> Self {
        Self {
            what,
            of,
            done: 0,
            looks: 0,
            logged: Instant::now(),
        }
    }

    #[cfg(test)]
    pub(super) const fn done(&self) -> u64 {
        self.done
    }

    /// One more step is done.
    pub(super) fn step(&mut self) {
        self.reach(self.done + 1);
    }

    /// So many steps are done. Those that end beside each other may come in another order.
    pub(super) fn reach(&mut self, done: u64) {
        self.done = self.done.max(done);
        self.looks += 1;
        if self.looks.is_multiple_of(STEPS) && self.logged.elapsed() >= LOG_INTERVAL {
            self.logged = Instant::now();
            tracing::info!(done = self.done, of = self.of, "{}", self.what);
        }
    }
}
