//! Which versions of documents this process has hashed recently and found whole, of those whose last increments are rows.
//! The storage hashes its blobs by itself; a rotten disk also gives other rows than were written.

use quick_cache::sync::Cache;
use std::time::{Duration, Instant};

/// How long a version that was found whole counts as whole.
const TTL: Duration = Duration::from_hours(1);
/// Versions that are remembered. Increments are rows for as long as a folio is open, and a moment longer.
const CAPACITY: usize = 8192;

/// By the hash of the whole document, since when it is known.
#[derive(Debug)]
pub(crate) struct CheckedVersions(Cache<[u8; 32], Instant>);

impl Default for CheckedVersions {
    fn default() -> Self {
        Self(Cache::new(CAPACITY))
    }
}

impl CheckedVersions {
    /// Whether the version was found whole within the last hour.
    pub(crate) fn contains(&self, sha256: &[u8; 32]) -> bool {
        self.0.get(sha256).is_some_and(|at| at.elapsed() < TTL)
    }

    pub(crate) fn insert(&self, sha256: [u8; 32]) {
        self.0.insert(sha256, Instant::now());
    }
}
