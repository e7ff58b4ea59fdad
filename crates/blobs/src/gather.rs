//! An upload of known size into contiguous memory: inspected there, and written once.
//!
//! An upload through a temporary file copies every byte twice more. After [`SPILL_AFTER`] an unfinished
//! upload is spilled to a temporary file, so that a slow client does not hold memory.

use std::iter;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use sha2::{Digest, Sha256};
use tokio::sync::Mutex;
use tokio::task::AbortHandle;

use crate::Error;
use crate::budget::{Budget, PAGE, Pages};
use crate::hop::blocking;
use crate::pieces::Pieces;
use crate::spool::{Spool, SpoolFile};

/// How long an upload may stay in memory.
const MOMENT: Duration = Duration::from_secs(2);
/// Bytes that are hashed and copied in one step: full blocks of the hash, and few enough that the processor
/// overlaps both.
const HASHED_AT_ONCE: usize = 1024;

/// An unfinished upload.
#[derive(Debug)]
pub(crate) struct Gather {
    place: Arc<Mutex<Place>>,
    watch: AbortHandle,
}

/// Where the bytes of a finished upload are.
pub(crate) enum Gathered {
    Memory(Memory),
    Spool(SpoolFile),
}

/// A document at the start of pooled pages.
#[derive(Debug)]
pub(crate) struct Memory {
    pages: Pages,
    len: usize,
}

#[derive(Debug)]
enum Place {
    Memory(Memory),
    Spool(SpoolFile),
    Failed(Error),
    Gone,
}

impl Gather {
    /// Continues an upload in memory, if pages of its maximum size are available without waiting; otherwise
    /// returns the buffered chunks.
    pub(crate) fn begin(
        spool: &Arc<Spool>,
        budget: &Arc<Budget>,
        most: u64,
        pieces: Pieces,
    ) -> Result<Self, Pieces> {
        let pages = budget.pages_now(most).filter(|pages| pages.len() >= pieces.len());
        let Some(pages) = pages else {
            return Err(pieces);
        };
        let mut memory = Memory { pages, len: 0 };
        for chunk in pieces.into_chunks() {
            memory.put(&chunk);
        }
        let place = Arc::new(Mutex::new(Place::Memory(memory)));
        let watch = tokio::spawn(move_out_when_late(Arc::clone(&place), Arc::clone(spool)));
        Ok(Self {
            place,
            watch: watch.abort_handle(),
        })
    }

    /// Appends the next bytes and hashes them. If the upload was spilled, it does neither and returns the
    /// file.
    pub(crate) async fn push(&mut self, chunk: &[u8], hash: &mut Sha256) -> Result<Option<SpoolFile>, Error> {
        let mut place = self.place.lock().await;
        let Place::Memory(memory) = &mut *place else {
            return mem::replace(&mut *place, Place::Gone).into_file().map(Some);
        };
        if chunk.len() > memory.room() {
            return Err(Error::interrupted("a document is larger than was said"));
        }
        memory.put_hashed(chunk, hash);
        Ok(None)
    }

    /// The whole document.
    pub(crate) async fn end(self) -> Result<Gathered, Error> {
        match mem::replace(&mut *self.place.lock().await, Place::Gone) {
            Place::Memory(memory) => Ok(Gathered::Memory(memory)),
            moved => moved.into_file().map(Gathered::Spool),
        }
    }
}

impl Drop for Gather {
    fn drop(&mut self) {
        self.watch.abort();
    }
}

impl Memory {
    fn room(&self) -> usize {
        self.pages.len() - self.len
    }

    /// Appends bytes that fit.
    fn put(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len();
        self.pages[self.len..end].copy_from_slice(bytes);
        self.len = end;
    }

    /// Appends and hashes in small alternating steps. Each step of a hash waits for the one before it: the
    /// processor copies meanwhile, at next to no cost.
    fn put_hashed(&mut self, bytes: &[u8], hash: &mut Sha256) {
        let begun = self.len % HASHED_AT_ONCE;
        let (first, rest) = bytes.split_at(bytes.len().min(HASHED_AT_ONCE - begun));
        for step in iter::once(first).chain(rest.chunks(HASHED_AT_ONCE)) {
            hash.update(step);
            self.put(step);
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.pages[..self.len]
    }

    /// The bytes, and zeros up to the end of the last page.
    pub(crate) fn whole_pages(&mut self) -> &[u8] {
        let end = self.len.next_multiple_of(PAGE);
        self.pages[self.len..end].fill(0);
        &self.pages[..end]
    }
}

impl Place {
    fn move_out(&mut self, spool: &Arc<Spool>) {
        if let Self::Memory(memory) = self {
            *self = match spool.write(memory.bytes()) {
                Ok(file) => Self::Spool(file),
                Err(error) => Self::Failed(error),
            };
        }
    }

    fn into_file(self) -> Result<SpoolFile, Error> {
        match self {
            Self::Spool(file) => Ok(file),
            Self::Failed(error) => Err(error),
            Self::Memory(_) | Self::Gone => {
                Err(Error::interrupted("an earlier step of this document failed"))
            }
        }
    }
}

async fn move_out_when_late(place: Arc<Mutex<Place>>, spool: Arc<Spool>) {
    tokio::time::sleep(MOMENT).await;
    let mut place = place.lock_owned().await;
    // An error is stored in the state, and returned by the next `push`.
    let _ = blocking(move || {
        place.move_out(&spool);
        Ok(())
    })
    .await;
}
