//! Caches of documents, and of what was drawn and read of their pages, each bounded in bytes.

use super::{Drawn, Read};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use render::PageSize;
use std::hash::Hash;
use std::sync::Arc;

/// What an entry costs besides its own bytes.
const ENTRY_OVERHEAD_BYTES: u64 = 256;
/// The crate gives a cache of so few entries one shard: a document may be as large as the whole cache.
const ESTIMATED_ENTRIES: usize = 32;

pub(super) type PageCache<K, V> = Cache<K, V, ByteWeighter>;

/// A cache of so many bytes. What is larger than that is not kept.
pub(super) fn with_capacity<K: Eq + Hash, V: Clone + ByteSize>(bytes: u64) -> PageCache<K, V> {
    Cache::with_weighter(ESTIMATED_ENTRIES, bytes, ByteWeighter)
}

#[derive(Debug, Clone)]
pub(super) struct ByteWeighter;

impl<K, V: ByteSize> Weighter<K, V> for ByteWeighter {
    fn weight(&self, _: &K, value: &V) -> u64 {
        ENTRY_OVERHEAD_BYTES + value.byte_size() as u64
    }
}

/// How many bytes of memory a value holds.
pub(super) trait ByteSize {
    fn byte_size(&self) -> usize;
}

impl ByteSize for Arc<[u8]> {
    fn byte_size(&self) -> usize {
        self.len()
    }
}

impl ByteSize for Arc<[PageSize]> {
    fn byte_size(&self) -> usize {
        size_of_val(&**self)
    }
}

impl ByteSize for Arc<Read> {
    fn byte_size(&self) -> usize {
        self.text.len()
    }
}

impl ByteSize for Drawn {
    fn byte_size(&self) -> usize {
        match self {
            Self::Faithful(picture) | Self::WithWarnings(picture) => picture.file.len(),
            Self::Failed => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_as_large_as_the_cache_is_kept_and_a_larger_one_is_not() {
        let cache = with_capacity::<u8, Arc<[u8]>>(10_000);
        cache.insert(1, vec![0; 9_000].into());
        assert!(cache.get(&1).is_some());
        cache.insert(2, vec![0; 10_000].into());
        assert!(cache.get(&2).is_none());
        for key in 3..100 {
            cache.insert(key, vec![0; 1_000].into());
            assert!(cache.weight() <= 10_000);
        }
    }
}
