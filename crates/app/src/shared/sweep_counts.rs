//! What the sweeper of this instance did, for the metrics.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The counts. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct SweepCounts {
    removed: Arc<AtomicU64>,
}

impl SweepCounts {
    /// Blobs removed since the start.
    pub fn removed(&self) -> u64 {
        self.removed.load(Relaxed)
    }

    pub(crate) fn count_removed(&self) {
        self.removed.fetch_add(1, Relaxed);
    }
}
