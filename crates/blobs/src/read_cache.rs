//! A cache of ranges that were read. A signer and the company's own system ask for the same bytes within
//! minutes. For a directory a hit saves an open and a copy, for a bucket a round trip.
//!
//! The name of a blob follows from its bytes, and only bytes that were found to be right are put in, so nothing in the
//! cache can be out of date.

use crate::BlobId;
use crate::buffer_pool::BUFFER_BYTES;
use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::ops::Range;

/// Bytes in the cache.
const CAPACITY_BYTES: u64 = 16 << 20;
/// The weight of the smallest range: it bounds the number of entries.
const MIN_ENTRY_BYTES: u64 = 4 << 10;

/// The crate makes shards of at least 32 entries by this estimate. Two shards leave room for the largest ranges in each,
/// however many processors there are.
const ESTIMATED_ENTRIES: usize = 64;

/// A blob, and a range of it.
type Key = (BlobId, u64, u64);

/// Ranges of blobs, each at most [`BUFFER_BYTES`] long.
#[derive(Debug)]
pub(crate) struct ReadCache {
    ranges: Cache<Key, Bytes, ByteWeighter>,
}

#[derive(Debug, Clone)]
struct ByteWeighter;

impl Weighter<Key, Bytes> for ByteWeighter {
    fn weight(&self, _: &Key, bytes: &Bytes) -> u64 {
        (bytes.len() as u64).max(MIN_ENTRY_BYTES)
    }
}

impl ReadCache {
    pub(crate) fn new() -> Self {
        Self {
            ranges: Cache::with_weighter(ESTIMATED_ENTRIES, CAPACITY_BYTES, ByteWeighter),
        }
    }

    /// The bytes of a range, if the cache has them.
    pub(crate) fn get(&self, id: BlobId, range: &Range<u64>) -> Option<Bytes> {
        self.ranges.get(&(id, range.start, range.end))
    }

    /// Puts a copy of the bytes into the cache: they may be part of a pooled buffer.
    pub(crate) fn put(&self, id: BlobId, range: &Range<u64>, bytes: &Bytes) {
        if !bytes.is_empty() && bytes.len() <= BUFFER_BYTES {
            let bytes = Bytes::copy_from_slice(bytes);
            self.ranges.insert((id, range.start, range.end), bytes);
        }
    }

    /// Removes a blob that was deleted, or whose bytes are not what its name says.
    pub(crate) fn remove(&self, id: BlobId) {
        self.ranges.retain(|key, _| key.0 != id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob(number: usize) -> BlobId {
        let mut name = [0; 32];
        name[..8].copy_from_slice(&number.to_le_bytes());
        BlobId::from_bytes(name)
    }

    fn put(cache: &ReadCache, number: usize, len: usize) {
        cache.put(blob(number), &(0..len as u64), &vec![7; len].into());
    }

    #[test]
    fn a_range_is_found_until_its_blob_is_removed() {
        let cache = ReadCache::new();
        put(&cache, 1, 1_000);
        put(&cache, 2, 1_000);
        assert_eq!(cache.get(blob(1), &(0..1_000)).unwrap(), vec![7; 1_000]);
        assert!(cache.get(blob(1), &(0..999)).is_none(), "another range");
        cache.remove(blob(1));
        assert!(cache.get(blob(1), &(0..1_000)).is_none());
        assert!(cache.get(blob(2), &(0..1_000)).is_some());
    }

    #[test]
    fn long_ranges_and_empty_ones_are_left_out() {
        let cache = ReadCache::new();
        put(&cache, 1, BUFFER_BYTES + 1);
        put(&cache, 2, 0);
        assert!(cache.ranges.is_empty());
    }

    #[test]
    fn many_of_the_largest_ranges_fit() {
        let cache = ReadCache::new();
        assert!(cache.ranges.num_shards() <= 2);
        for number in 0..20 {
            put(&cache, number, BUFFER_BYTES);
        }
        assert_eq!(cache.ranges.len(), 20);
    }

    #[test]
    fn entries_and_bytes_are_bounded() {
        let cache = ReadCache::new();
        for number in 0..500 {
            put(&cache, number, 100_000);
            assert!(cache.ranges.weight() <= CAPACITY_BYTES);
        }
        for number in 1_000..40_000 {
            put(&cache, number, 1);
        }
        assert!(cache.ranges.len() as u64 <= CAPACITY_BYTES / MIN_ENTRY_BYTES);
    }
}
