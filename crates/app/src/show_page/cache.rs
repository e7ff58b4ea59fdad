//! What was used last, up to so many bytes.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What keeping anything costs besides its own bytes.
const OVERHEAD: usize = 256;

/// Values that are kept until others need the room.
#[derive(Debug)]
pub(super) struct Cache<K, V> {
    room: usize,
    kept: Mutex<Kept<K, V>>,
}

#[derive(Debug)]
struct Kept<K, V> {
    values: HashMap<K, Entry<V>>,
    bytes: usize,
    uses: u64,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    bytes: usize,
    used: u64,
}

impl<K: Eq + Hash + Copy, V: Clone> Cache<K, V> {
    pub(super) fn new(room: usize) -> Self {
        Self {
            room,
            kept: Mutex::new(Kept {
                values: HashMap::new(),
                bytes: 0,
                uses: 0,
            }),
        }
    }

    pub(super) fn get(&self, key: &K) -> Option<V> {
        let mut kept = self.lock();
        kept.uses += 1;
        let now = kept.uses;
        let found = kept.values.get_mut(key)?;
        found.used = now;
        Some(found.value.clone())
    }

    /// Keeps a value of so many bytes; one that is too large for all the room is not kept.
    pub(super) fn put(&self, key: K, value: V, bytes: usize) {
        let bytes = bytes + OVERHEAD;
        if bytes > self.room {
            return;
        }
        let mut kept = self.lock();
        kept.uses += 1;
        let used = kept.uses;
        kept.bytes += bytes;
        if let Some(before) = kept.values.insert(key, Entry { value, bytes, used }) {
            kept.bytes -= before.bytes;
        }
        while kept.bytes > self.room {
            let oldest = kept.values.iter().min_by_key(|(_, value)| value.used);
            let Some(oldest) = oldest.map(|(key, _)| *key) else {
                return;
            };
            if let Some(gone) = kept.values.remove(&oldest) {
                kept.bytes -= gone.bytes;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept<K, V>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_for_longest_makes_room() {
        let cache = Cache::new(3 * (OVERHEAD + 10));
        for key in 0..3 {
            cache.put(key, key, 10);
        }
        assert_eq!(cache.get(&0), Some(0));
        cache.put(3, 3, 10);
        assert_eq!(
            [0, 1, 2, 3].map(|key| cache.get(&key)),
            [Some(0), None, Some(2), Some(3)]
        );
        cache.put(4, 4, 10_000);
        assert_eq!(cache.get(&4), None);
        cache.put(0, 7, 10);
        assert_eq!([0, 2, 3].map(|key| cache.get(&key)), [Some(7), Some(2), Some(3)]);
    }
}
