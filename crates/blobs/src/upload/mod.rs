//! The upload of one document: chunks in, a name and a verdict out.
//!
//! Chunks are hashed on the thread that received them, while they are in its cache. A small document stays
//! in memory, within the request's share. A larger one is uploaded to memory as well, if its size is known
//! and the memory limit has as much available. Otherwise it is written to a temporary file, and read back
//! for inspection, within the memory limit.

mod chunk_buffer;
mod contiguous_bytes;
pub(crate) mod memory_limit;
mod memory_upload;
mod page_pool;
pub(crate) mod temp_files;

use std::convert::Infallible;
use std::io::Write;
use std::mem;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::blocking::run_blocking;
use crate::buffer_pool::BUFFER_BYTES;
use crate::error::During;
use crate::{BlobId, Error};
use chunk_buffer::ChunkBuffer;
use memory_limit::MemoryLimit;
use memory_upload::{MemoryUpload, Received};
use temp_files::{TempFile, TempFiles};

/// Bytes after which an upload yields to the other tasks of its thread.
const YIELD_EVERY_BYTES: u64 = 128 * 1024;

/// An unfinished upload. Dropping it leaves nothing behind.
#[derive(Debug)]
pub struct Upload {
    temp_files: Arc<TempFiles>,
    memory_limit: Arc<MemoryLimit>,
    buffered: ChunkBuffer,
    len: u64,
    hash: Sha256,
    backing: UploadBacking,
    memory_max: u64,
    size_hint: Option<u64>,
}

/// A complete and named document that is not durable yet. Dropping it leaves nothing behind.
#[derive(Debug)]
pub struct PendingBlob {
    pub(crate) id: BlobId,
    pub(crate) len: u64,
    pub(crate) body: PendingBody,
}

#[derive(Debug)]
pub(crate) enum PendingBody {
    Memory(Bytes),
    TempFile(TempFile),
}

/// Where the bytes before the buffered chunks are.
#[derive(Debug)]
enum UploadBacking {
    BufferOnly,
    Memory(MemoryUpload),
    TempFile(TempFile),
    /// A step failed or was cancelled half way.
    Failed,
}

impl Upload {
    pub(crate) fn new(temp_files: Arc<TempFiles>, memory_limit: Arc<MemoryLimit>) -> Self {
        Self {
            temp_files,
            memory_limit,
            buffered: ChunkBuffer::default(),
            len: 0,
            hash: Sha256::new(),
            backing: UploadBacking::BufferOnly,
            memory_max: BUFFER_BYTES as u64,
            size_hint: None,
        }
    }

    /// Has the complete document stay in memory only up to this size, and never above [`BUFFER_BYTES`].
    #[must_use]
    pub fn with_memory_max(self, bytes: u64) -> Self {
        Self {
            memory_max: bytes,
            ..self
        }
    }

    /// Sets an upper bound of the document's size.
    #[must_use]
    pub fn with_size_hint(self, bytes: Option<u64>) -> Self {
        Self {
            size_hint: bytes,
            ..self
        }
    }

    /// Appends the next chunk. After an error, or if the future is dropped, the upload has failed.
    pub async fn push(&mut self, chunk: Bytes) -> Result<(), Error> {
        // A step that fails or is cancelled leaves the upload failed.
        let mut backing = mem::replace(&mut self.backing, UploadBacking::Failed);
        let before = self.len;
        self.len += chunk.len() as u64;
        if self.len / YIELD_EVERY_BYTES > before / YIELD_EVERY_BYTES {
            tokio::task::yield_now().await;
        }
        if let UploadBacking::Memory(memory_upload) = &mut backing {
            let Some(file) = memory_upload.push(&chunk, &mut self.hash).await? else {
                self.backing = backing;
                return Ok(());
            };
            backing = UploadBacking::TempFile(file);
        }
        self.hash.update(&chunk);
        self.buffered.push(chunk);
        if self.buffered.len() <= BUFFER_BYTES {
            self.backing = backing;
            return Ok(());
        }
        let mut buffered = mem::take(&mut self.buffered);
        if let (UploadBacking::BufferOnly, Some(size_hint)) = (&backing, self.size_hint) {
            match MemoryUpload::begin(&self.temp_files, &self.memory_limit, size_hint, buffered) {
                Ok(memory_upload) => {
                    self.backing = UploadBacking::Memory(memory_upload);
                    return Ok(());
                }
                Err(returned) => buffered = returned,
            }
        }
        let temp_files = Arc::clone(&self.temp_files);
        let file = run_blocking(move || backing.append(&temp_files, buffered)).await?;
        self.backing = UploadBacking::TempFile(file);
        Ok(())
    }

    pub const fn len(&self) -> u64 {
        self.len
    }

    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Finishes a document that stays in memory, and returns the state of the hash after its last byte. A
    /// larger one is returned as it is.
    pub fn try_into_memory(self) -> Result<(PendingBlob, Sha256), Box<Self>> {
        if !matches!(self.backing, UploadBacking::BufferOnly) || self.len > self.memory_max {
            return Err(Box::new(self));
        }
        let pending = PendingBlob {
            id: BlobId::of(&self.hash),
            len: self.len,
            body: PendingBody::Memory(self.buffered.into_bytes()),
        };
        Ok((pending, self.hash))
    }

    /// Finishes a document without inspecting it. A temporary file is not read back.
    pub async fn finish_uninspected(self) -> Result<PendingBlob, Error> {
        if let UploadBacking::TempFile(_) = &self.backing {
            let (id, len) = (BlobId::of(&self.hash), self.len);
            let file = run_blocking(move || self.backing.append(&self.temp_files, self.buffered)).await?;
            let body = PendingBody::TempFile(file);
            return Ok(PendingBlob { id, len, body });
        }
        match self.finish(|_, _| Ok::<(), Infallible>(())).await?.1 {
            Ok((pending, ())) => Ok(pending),
            Err(never) => match never {},
        }
    }

    /// Runs `inspect` off the async threads, on the complete document and the state of the hash after its
    /// last byte. A refused document is not written.
    pub async fn finish<T: Send + 'static, E: Send + 'static>(
        self,
        inspect: impl FnOnce(&[u8], &Sha256) -> Result<T, E> + Send + 'static,
    ) -> Result<(BlobId, Result<(PendingBlob, T), E>), Error> {
        let whole = move |bytes: &[u8], hash: &Sha256| inspect(bytes, hash).map(|seen| (seen, None));
        let (id, finished) = self.finish_with_copy(whole).await?;
        Ok((id, finished.map(|(pending, _, seen)| (pending, seen))))
    }

    /// The same where `inspect` may return a copy, which is written beside the document.
    pub async fn finish_with_copy<T: Send + 'static, E: Send + 'static>(
        self,
        inspect: impl FnOnce(&[u8], &Sha256) -> Result<(T, Option<Vec<u8>>), E> + Send + 'static,
    ) -> Result<(BlobId, Result<WithCopy<T>, E>), Error> {
        let Self {
            temp_files,
            memory_limit,
            buffered,
            len,
            hash,
            backing,
            memory_max,
            size_hint: _,
        } = self;
        let (memory, backing) = match backing {
            UploadBacking::Memory(memory_upload) => match memory_upload.finish().await? {
                Received::Memory(memory) => (Some(memory), UploadBacking::Failed),
                Received::TempFile(file) => (None, UploadBacking::TempFile(file)),
            },
            backing => (None, backing),
        };
        let id = BlobId::of(&hash);
        let finished = match (memory, backing) {
            (Some(mut memory), _) => {
                let work = move || {
                    let inspected = inspect(memory.bytes(), &hash);
                    body_if_accepted(inspected, &temp_files, || {
                        temp_files.write_pages(&mut memory).map(PendingBody::TempFile)
                    })
                };
                run_blocking(work).await?
            }
            (None, UploadBacking::BufferOnly) => {
                let work = move || {
                    let bytes = buffered.into_bytes();
                    let inspected = inspect(&bytes, &hash);
                    body_if_accepted(inspected, &temp_files, || {
                        if len <= memory_max {
                            Ok(PendingBody::Memory(bytes))
                        } else {
                            temp_files.write(&bytes).map(PendingBody::TempFile)
                        }
                    })
                };
                run_blocking(work).await?
            }
            (None, backing) => {
                let mut pages = memory_limit.acquire_pages(len).await?;
                let work = move || {
                    let file = backing.append(&temp_files, buffered)?;
                    let inspected = inspect(read_back(&file, len, &mut pages)?, &hash);
                    body_if_accepted(inspected, &temp_files, || Ok(PendingBody::TempFile(file)))
                };
                run_blocking(work).await?
            }
        };
        Ok((
            id,
            finished.map(|(body, copy, inspected)| (PendingBlob { id, len, body }, copy, inspected)),
        ))
    }
}

/// A document, the copy beside it, and what its inspection returned.
type WithCopy<T> = (PendingBlob, Option<PendingBlob>, T);
/// The same before the document has its name.
type BodyWithCopy<T> = (PendingBody, Option<PendingBlob>, T);

/// Writes the body of an accepted document, and its copy.
fn body_if_accepted<T, E>(
    inspected: Result<(T, Option<Vec<u8>>), E>,
    temp_files: &Arc<TempFiles>,
    body: impl FnOnce() -> Result<PendingBody, Error>,
) -> Result<Result<BodyWithCopy<T>, E>, Error> {
    let (inspected, copy) = match inspected {
        Ok(accepted) => accepted,
        Err(refused) => return Ok(Err(refused)),
    };
    let copy = match copy {
        Some(bytes) => Some(PendingBlob {
            id: BlobId::of(&Sha256::new_with_prefix(&bytes)),
            len: bytes.len() as u64,
            body: PendingBody::TempFile(temp_files.write(&bytes)?),
        }),
        None => None,
    };
    Ok(Ok((body()?, copy, inspected)))
}

impl PendingBlob {
    /// A document that is in memory.
    pub fn of(bytes: Vec<u8>) -> Self {
        Self {
            id: BlobId::of(&Sha256::new_with_prefix(&bytes)),
            len: bytes.len() as u64,
            body: PendingBody::Memory(bytes.into()),
        }
    }

    pub const fn id(&self) -> BlobId {
        self.id
    }

    pub const fn len(&self) -> u64 {
        self.len
    }

    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The document, if it is in memory; otherwise empty.
    pub fn in_memory(&self) -> &[u8] {
        match &self.body {
            PendingBody::Memory(bytes) => bytes,
            PendingBody::TempFile(_) => &[],
        }
    }
}

impl UploadBacking {
    fn append(self, temp_files: &Arc<TempFiles>, buffered: ChunkBuffer) -> Result<TempFile, Error> {
        let mut file = match self {
            Self::BufferOnly => temp_files.create()?,
            Self::TempFile(file) => file,
            Self::Memory(_) | Self::Failed => {
                return Err(Error::interrupted("an earlier step of this document failed"));
            }
        };
        for chunk in buffered.into_chunks() {
            let written = file.file.write_all(&chunk);
            written.during("write", file.path())?;
        }
        Ok(file)
    }
}

/// Reads the complete document back.
fn read_back<'p>(file: &TempFile, len: u64, pages: &'p mut [u8]) -> Result<&'p [u8], Error> {
    let len = usize::try_from(len).map_err(Error::interrupted)?;
    let whole = pages
        .get_mut(..len)
        .ok_or_else(|| Error::interrupted("too few pages"))?;
    file.file.read_exact_at(whole, 0).during("read", file.path())?;
    Ok(whole)
}
