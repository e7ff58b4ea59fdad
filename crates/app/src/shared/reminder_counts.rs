//! How many reminders this instance queued, for the metrics.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The count. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct ReminderCounts(Arc<AtomicU64>);

impl ReminderCounts {
    /// Reminders queued since the start.
    pub fn queued(&self) -> u64 {
        self.0.load(Relaxed)
    }

    pub(crate) fn add(&self, queued: u64) {
        self.0.fetch_add(queued, Relaxed);
    }
}
