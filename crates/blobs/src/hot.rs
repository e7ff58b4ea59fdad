//! What was read twice of late, in memory: whoever signs a document, and the company's own system, ask for the same
//! bytes within minutes. From a directory that saves opening and copying, from a bucket the way there and back.
//!
//! The name of a blob follows from its bytes, so nothing kept here can be out of date.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use crate::BlobId;
use crate::blocks::BLOCK;

/// How much is kept, in bytes.
const MOST: usize = 16 << 20;
/// What the smallest range counts for, so that there are only so many.
const LEAST: usize = 4 << 10;
/// How many blobs are remembered as read once.
const ONCE: usize = 1024;

/// Ranges of blobs, each at most a block.
#[derive(Debug)]
pub(crate) struct Hot {
    inner: Mutex<Inner>,
}

type Key = (BlobId, u64, u64);

#[derive(Debug)]
struct Inner {
    kept: HashMap<Key, Kept>,
    /// All that is kept, the oldest first.
    order: VecDeque<Key>,
    bytes: usize,
    /// Blobs that were read once, each in a place that its name decides.
    once: Vec<Option<BlobId>>,
}

#[derive(Debug)]
struct Kept {
    bytes: Bytes,
    /// Whether it was asked for since its turn to go came last.
    wanted: bool,
}

impl Hot {
    pub(crate) fn new() -> Self {
        Self {
            inner: Mutex::new(Inner {
                kept: HashMap::new(),
                order: VecDeque::new(),
                bytes: 0,
                once: vec![None; ONCE],
            }),
        }
    }

    /// The bytes of a range, if they are kept.
    pub(crate) fn get(&self, id: BlobId, range: &Range<u64>) -> Option<Bytes> {
        let mut inner = self.lock();
        let kept = inner.kept.get_mut(&(id, range.start, range.end))?;
        kept.wanted = true;
        Some(kept.bytes.clone())
    }

    /// Takes note of bytes that were read, and keeps them if it was not the first time.
    pub(crate) fn note(&self, id: BlobId, range: &Range<u64>, bytes: &Bytes) {
        if bytes.is_empty() || bytes.len() > BLOCK {
            return;
        }
        let first_time = {
            let place = &mut self.lock().once[place(id)];
            place.replace(id) != Some(id)
        };
        if !first_time {
            // A copy of its own: the bytes may be part of a block that is lent.
            let bytes = Bytes::copy_from_slice(bytes);
            self.lock().keep((id, range.start, range.end), bytes);
        }
    }

    /// Forgets a blob that was removed.
    pub(crate) fn forget(&self, id: BlobId) {
        let mut inner = self.lock();
        let freed: usize = inner
            .kept
            .extract_if(|key, _| key.0 == id)
            .map(|(_, kept)| cost(&kept.bytes))
            .sum();
        if freed > 0 {
            inner.bytes -= freed;
            inner.order.retain(|key| key.0 != id);
        }
        inner.once[place(id)].take_if(|one| *one == id);
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn keep(&mut self, key: Key, bytes: Bytes) {
        if self.kept.contains_key(&key) {
            return;
        }
        self.bytes += cost(&bytes);
        self.kept.insert(key, Kept { bytes, wanted: false });
        self.order.push_back(key);
        while self.bytes > MOST
            && let Some(oldest) = self.order.pop_front()
        {
            match self.kept.get_mut(&oldest) {
                Some(kept) if kept.wanted => {
                    kept.wanted = false;
                    self.order.push_back(oldest);
                }
                _ => {
                    let gone = self.kept.remove(&oldest);
                    self.bytes -= gone.map_or(0, |gone| cost(&gone.bytes));
                }
            }
        }
    }
}

fn cost(bytes: &Bytes) -> usize {
    bytes.len().max(LEAST)
}

fn place(id: BlobId) -> usize {
    let [one, two, ..] = *id.as_bytes();
    usize::from(u16::from_le_bytes([one, two])) % ONCE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob(number: usize) -> BlobId {
        let mut name = [0; 32];
        name[..8].copy_from_slice(&number.to_le_bytes());
        BlobId::from_bytes(name)
    }

    fn read(hot: &Hot, number: usize, len: usize) -> bool {
        let range = 0..len as u64;
        let kept = hot.get(blob(number), &range);
        if kept.is_none() {
            hot.note(blob(number), &range, &vec![7; len].into());
        }
        kept.is_some()
    }

    #[test]
    fn what_is_read_twice_is_kept_and_nothing_else() {
        let hot = Hot::new();
        assert!(!read(&hot, 1, 1_000));
        assert!(!read(&hot, 1, 1_000));
        assert!(read(&hot, 1, 1_000));
        assert_eq!(hot.get(blob(1), &(0..1_000)).unwrap(), vec![7; 1_000]);
        assert!(hot.get(blob(1), &(0..999)).is_none(), "another range");
        for _ in 0..3 {
            assert!(!read(&hot, 2, BLOCK + 1), "longer than a block");
            assert!(!read(&hot, 3, 0), "nothing");
        }
        hot.forget(blob(1));
        assert!(!read(&hot, 1, 1_000));
        assert_eq!(hot.lock().bytes, 0);
    }

    #[test]
    fn what_is_wanted_stays_and_the_whole_is_bounded() {
        let hot = Hot::new();
        for number in 0..500 {
            read(&hot, number, 100_000);
            read(&hot, number, 100_000);
            read(&hot, 0, 100_000);
            read(&hot, 0, 100_000);
            let inner = hot.lock();
            assert!(inner.bytes <= MOST && inner.order.len() == inner.kept.len());
        }
        assert!(read(&hot, 0, 100_000), "asked for all the time");
        assert!(!read(&hot, 1, 100_000), "not asked for again");
        for number in 1_000..40_000 {
            read(&hot, number, 1);
            read(&hot, number, 1);
        }
        assert!(hot.lock().kept.len() <= MOST / LEAST);
    }
}
