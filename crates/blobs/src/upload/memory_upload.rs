//! An upload of known size into contiguous memory: inspected there, and written once.
//!
//! An upload through a temporary file copies every byte twice more. After [`SPILL_AFTER`] an unfinished
//! upload is spilled to a temporary file, so that a slow client does not hold memory.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use sha2::Sha256;
use tokio::sync::Mutex;
use tokio::task::AbortHandle;

use super::chunk_buffer::ChunkBuffer;
use super::contiguous_bytes::ContiguousBytes;
use super::memory_limit::MemoryLimit;
use super::temp_files::{TempFile, TempFiles};
use crate::Error;
use crate::blocking::run_blocking;

/// How long an upload may stay in memory.
const SPILL_AFTER: Duration = Duration::from_secs(2);
/// An unfinished upload.
#[derive(Debug)]
pub(crate) struct MemoryUpload {
    state: Arc<Mutex<UploadState>>,
    spill_task: AbortHandle,
}

/// Where the bytes of a finished upload are.
pub(crate) enum Received {
    Memory(ContiguousBytes),
    TempFile(TempFile),
}

#[derive(Debug)]
enum UploadState {
    Memory(ContiguousBytes),
    TempFile(TempFile),
    Failed(Error),
    Taken,
}

impl MemoryUpload {
    /// Continues an upload in memory, if pages of its maximum size are available without waiting; otherwise
    /// returns the buffered chunks.
    pub(crate) fn begin(
        temp_files: &Arc<TempFiles>,
        memory_limit: &Arc<MemoryLimit>,
        size_hint: u64,
        buffered: ChunkBuffer,
    ) -> Result<Self, ChunkBuffer> {
        let pages = memory_limit
            .try_acquire_pages(size_hint)
            .filter(|pages| pages.len() >= buffered.len());
        let Some(pages) = pages else {
            return Err(buffered);
        };
        let mut memory = ContiguousBytes::new(pages);
        for chunk in buffered.into_chunks() {
            memory.append(&chunk);
        }
        let state = Arc::new(Mutex::new(UploadState::Memory(memory)));
        let spill_task = tokio::spawn(spill_after_timeout(Arc::clone(&state), Arc::clone(temp_files)));
        Ok(Self {
            state,
            spill_task: spill_task.abort_handle(),
        })
    }

    /// Appends the next bytes and hashes them. If the upload was spilled, it does neither and returns the
    /// file.
    pub(crate) async fn push(&mut self, chunk: &[u8], hash: &mut Sha256) -> Result<Option<TempFile>, Error> {
        let mut state = self.state.lock().await;
        let UploadState::Memory(memory) = &mut *state else {
            return mem::replace(&mut *state, UploadState::Taken)
                .into_file()
                .map(Some);
        };
        if chunk.len() > memory.capacity_left() {
            return Err(Error::interrupted("a document is larger than was said"));
        }
        memory.append_and_hash(chunk, hash);
        Ok(None)
    }

    /// The whole document.
    pub(crate) async fn finish(self) -> Result<Received, Error> {
        match mem::replace(&mut *self.state.lock().await, UploadState::Taken) {
            UploadState::Memory(memory) => Ok(Received::Memory(memory)),
            spilled => spilled.into_file().map(Received::TempFile),
        }
    }
}

impl Drop for MemoryUpload {
    fn drop(&mut self) {
        self.spill_task.abort();
    }
}

impl UploadState {
    fn spill(&mut self, temp_files: &Arc<TempFiles>) {
        if let Self::Memory(memory) = self {
            *self = match temp_files.write(memory.bytes()) {
                Ok(file) => Self::TempFile(file),
                Err(error) => Self::Failed(error),
            };
        }
    }

    fn into_file(self) -> Result<TempFile, Error> {
        match self {
            Self::TempFile(file) => Ok(file),
            Self::Failed(error) => Err(error),
            Self::Memory(_) | Self::Taken => {
                Err(Error::interrupted("an earlier step of this document failed"))
            }
        }
    }
}

async fn spill_after_timeout(state: Arc<Mutex<UploadState>>, temp_files: Arc<TempFiles>) {
    tokio::time::sleep(SPILL_AFTER).await;
    let mut state = state.lock_owned().await;
    // An error is stored in the state, and returned by the next `push`.
    let _ = run_blocking(move || {
        state.spill(&temp_files);
        Ok(())
    })
    .await;
}
