//! What the sweeper of this instance did, for the metrics.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The counts. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct SweepCounts(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    removed: AtomicU64,
    refused: AtomicBool,
}

impl SweepCounts {
    /// Blobs removed since the start.
    pub fn removed(&self) -> u64 {
        self.0.removed.load(Relaxed)
    }

    /// Whether the last sweep refused to remove anything.
    pub fn refused(&self) -> bool {
        self.0.refused.load(Relaxed)
    }

    pub(crate) fn count_removed(&self) {
        self.0.removed.fetch_add(1, Relaxed);
    }

    pub(crate) fn set_refused(&self, refused: bool) {
        self.0.refused.store(refused, Relaxed);
    }
}
