//! Which blobs this process has hashed recently and found whole. A rotten disk gives other bytes than were stored; they
//! are noticed when a blob is read, at the price of a hash an hour.

use crate::BlobId;
use quick_cache::sync::Cache;
use std::time::{Duration, Instant, SystemTime};

/// How long a blob that was found whole counts as whole.
const TTL: Duration = Duration::from_hours(1);
/// Blobs that are remembered.
const CAPACITY: usize = 32_768;

/// What tells that a stored blob was replaced since it was hashed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// Neither the file system nor the server tells.
    Unknown,
    /// When a file was last changed.
    Modified(SystemTime),
    /// The `ETag` of an object in a bucket.
    ETag(String),
}

#[derive(Debug)]
pub(crate) struct CheckedBlobs(Cache<BlobId, (Version, Instant)>);

impl CheckedBlobs {
    pub(crate) fn new() -> Self {
        Self(Cache::new(CAPACITY))
    }

    /// Whether this version of the blob was found whole within the last hour.
    pub(crate) fn contains(&self, id: BlobId, version: &Version) -> bool {
        let known = self.0.get(&id);
        known.is_some_and(|(checked, at)| checked == *version && at.elapsed() < TTL)
    }

    pub(crate) fn insert(&self, id: BlobId, version: Version) {
        self.0.insert(id, (version, Instant::now()));
    }

    pub(crate) fn remove(&self, id: BlobId) {
        self.0.remove(&id);
    }
}
