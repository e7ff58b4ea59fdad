//! What was read twice of late, in memory: whoever signs a document, and the company's own system, ask for the same
//! bytes within minutes. From a directory that saves opening and copying, from a bucket the way there and back.
//!
//! The name of a blob follows from its bytes, so nothing kept here can be out of date.
//!
//! What comes from a file is also known by where it lies in memory: whoever sends such bytes can have the system send
//! those of the file, which it has in memory as well, and spare it a copy.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fs::File;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;

use crate::BlobId;
use crate::blocks::BLOCK;

/// How much is kept, in bytes.
const MOST: usize = 16 << 20;
/// What the smallest range counts for, so that there are only so many.
const LEAST: usize = 4 << 10;
/// Bytes for which a file is held open beside them: there are only so many of those, too.
const WORTH_A_FILE: usize = 64 << 10;
/// How long a file that the system has in memory is taken to stay there: it was just read.
const SURE: Duration = Duration::from_secs(1);
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
    /// All that is kept with a file, by its address. As long as it is kept, nothing else can lie there.
    addresses: BTreeMap<usize, Key>,
    bytes: usize,
    /// Blobs that were read once, each in a place that its name decides.
    once: Vec<Option<BlobId>>,
}

#[derive(Debug)]
struct Kept {
    bytes: Bytes,
    backing: Option<Backing>,
    /// Whether it was asked for since its turn to go came last.
    wanted: bool,
}

/// A file that holds the same bytes.
#[derive(Debug)]
struct Backing {
    file: Arc<File>,
    /// When the system last had it in memory.
    seen: Instant,
}

impl Hot {
    pub(crate) fn new() -> Self {
        Self {
            inner: Mutex::new(Inner {
                kept: HashMap::new(),
                order: VecDeque::new(),
                addresses: BTreeMap::new(),
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

    /// The file in which these bytes are, and where in it, if they are part of what is kept. Once in a while `is_cached`
    /// is asked whether the system still has all of a file of that length in memory; one that it has not is let go.
    pub(crate) fn file_of(
        &self,
        bytes: &[u8],
        is_cached: impl FnOnce(&File, u64) -> bool,
    ) -> Option<(Arc<File>, u64)> {
        if bytes.len() < WORTH_A_FILE {
            return None;
        }
        let (key, file, at, is_sure) = self.lock().backing(bytes)?;
        if !is_sure {
            let seen = is_cached(&file, key.2).then(Instant::now);
            self.lock().looked_at(key, seen);
            seen?;
        }
        Some((file, at))
    }

    /// Takes note of bytes that were read, and keeps them if it was not the first time; with the file that `open` gives, if
    /// they are all of it, and the system has it in memory.
    pub(crate) fn note(
        &self,
        id: BlobId,
        range: &Range<u64>,
        bytes: &Bytes,
        open: impl FnOnce() -> Option<File>,
    ) {
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
            let file = if bytes.len() < WORTH_A_FILE { None } else { open() };
            let gone = self.lock().keep((id, range.start, range.end), bytes, file);
            // Nobody waits for memory and files to be given back.
            drop(gone);
        }
    }

    /// Forgets a blob that was removed. The system frees its file now, if it was held open: not for async threads.
    pub(crate) fn forget(&self, id: BlobId) {
        let gone = self.lock().forget(id);
        drop(gone);
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// The file beside these bytes: which it is, where in it they are, and whether it is sure to be in memory.
    fn backing(&self, bytes: &[u8]) -> Option<(Key, Arc<File>, u64, bool)> {
        let address = bytes.as_ptr().addr();
        let (begun, key) = self.addresses.range(..=address).next_back()?;
        let (kept, at) = (self.kept.get(key)?, address - begun);
        let is_within = at + bytes.len() <= kept.bytes.len();
        let backing = kept.backing.as_ref().filter(|_| is_within)?;
        let is_sure = backing.seen.elapsed() < SURE;
        Some((*key, Arc::clone(&backing.file), at as u64, is_sure))
    }

    /// Takes note of when a file was found in memory, or that it was not.
    fn looked_at(&mut self, key: Key, seen: Option<Instant>) {
        let Some(kept) = self.kept.get_mut(&key) else {
            return;
        };
        if let (Some(backing), Some(seen)) = (&mut kept.backing, seen) {
            backing.seen = seen;
        } else {
            self.addresses.remove(&kept.bytes.as_ptr().addr());
            kept.backing = None;
        }
    }

    /// Keeps a range; gives what had to go for it.
    fn keep(&mut self, key: Key, bytes: Bytes, file: Option<File>) -> Vec<Kept> {
        let mut gone = Vec::new();
        let kept = Kept {
            bytes,
            backing: file.map(|file| Backing {
                file: Arc::new(file),
                seen: Instant::now(),
            }),
            wanted: false,
        };
        if self.kept.contains_key(&key) {
            return vec![kept];
        }
        self.bytes += cost(&kept.bytes);
        if kept.backing.is_some() {
            self.addresses.insert(kept.bytes.as_ptr().addr(), key);
        }
        self.kept.insert(key, kept);
        self.order.push_back(key);
        while self.bytes > MOST
            && let Some(oldest) = self.order.pop_front()
        {
            match self.kept.get_mut(&oldest) {
                Some(kept) if kept.wanted => {
                    kept.wanted = false;
                    self.order.push_back(oldest);
                }
                _ => gone.extend(self.kept.remove(&oldest).inspect(|gone| self.let_go(gone))),
            }
        }
        gone
    }

    /// Forgets a blob; gives what was kept of it.
    fn forget(&mut self, id: BlobId) -> Vec<Kept> {
        let gone: Vec<Kept> = self
            .kept
            .extract_if(|key, _| key.0 == id)
            .map(|(_, kept)| kept)
            .collect();
        for kept in &gone {
            self.let_go(kept);
        }
        if !gone.is_empty() {
            self.order.retain(|key| key.0 != id);
        }
        self.once[place(id)].take_if(|one| *one == id);
        gone
    }

    fn let_go(&mut self, gone: &Kept) {
        self.bytes -= cost(&gone.bytes);
        self.addresses.remove(&gone.bytes.as_ptr().addr());
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
            hot.note(blob(number), &range, &vec![7; len].into(), || {
                tempfile::tempfile().ok()
            });
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
    fn the_file_of_what_is_kept_is_found_by_any_large_part_of_it() {
        let hot = Hot::new();
        let len = 3 * WORTH_A_FILE;
        let range = 0..len as u64;
        let bytes = Bytes::from(vec![7; len]);
        let read_twice = || {
            for _ in 0..2 {
                hot.note(blob(1), &range, &bytes, || tempfile::tempfile().ok());
            }
            hot.get(blob(1), &range).unwrap()
        };
        let kept = read_twice();
        let place = |part: &[u8]| hot.file_of(part, |_, _| true).map(|(_, from)| from);
        assert_eq!(place(&kept), Some(0));
        assert_eq!(place(&kept[WORTH_A_FILE..]), Some(WORTH_A_FILE as u64));
        assert_eq!(place(&kept[len - 10..]), None, "little");
        assert_eq!(place(&bytes), None, "the same bytes elsewhere");

        let asked = |cached| hot.file_of(&kept, |_, size| cached && size == range.end);
        assert!(asked(false).is_some(), "not asked about what was just read");
        std::thread::sleep(SURE + SURE / 10);
        assert!(asked(true).is_some());
        assert!(asked(false).is_some(), "not asked again");
        std::thread::sleep(SURE + SURE / 10);
        assert!(asked(false).is_none());
        assert!(asked(true).is_none(), "let go");
        assert!(hot.lock().addresses.is_empty());

        hot.forget(blob(1));
        let kept = read_twice();
        assert_eq!(place(&kept), Some(0));
        hot.forget(blob(1));
        assert_eq!(place(&kept), None);
        assert!(hot.lock().addresses.is_empty());
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
            assert_eq!(inner.addresses.len(), inner.kept.len());
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
