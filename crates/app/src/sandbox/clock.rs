//! The clock of a sandbox.

use crate::{App, Error};
use domain::Timestamp;
use std::time::Duration;

/// How far the clock can be moved, in all: about twenty years. The sandbox's own root lives longer.
pub const MAX_OFFSET: Duration = Duration::from_hours(24 * 365 * 20);

impl App {
    /// Moves the clock forward, and wakes the workers, which may have something to do by then. `None` where the clock
    /// would be moved too far. Leases last as long as before.
    pub async fn move_clock(&self, span: Duration) -> Result<Option<Timestamp>, Error> {
        let micros = i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
        let max = i64::try_from(MAX_OFFSET.as_micros()).unwrap_or(i64::MAX);
        let moved = self.store.write(move |tx| {
            if tx.sandbox_clock_offset()?.saturating_add(micros) > max {
                return Ok::<_, store::Error>(None);
            }
            tx.move_sandbox_clock(micros).map(Some)
        });
        if moved.await?.is_none() {
            return Ok(None);
        }
        self.clock.advance(span);
        self.wakeups.notify_all();
        Ok(Some(self.clock.now()))
    }
}
