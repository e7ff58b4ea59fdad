//! Document bytes, named by their SHA-256, in a directory or an S3 bucket.
//!
//! The crate owns how bytes are uploaded, stored and read, and how much memory that may cost. It knows
//! neither the meaning of the bytes nor who may see them.

mod blocking;
mod buffer_pool;
mod checked_blobs;
mod directory;
mod error;
mod folders;
mod id;
mod owner_file;
mod probe;
mod read_cache;
mod reader;
mod s3;
#[cfg(feature = "simulation")]
pub mod simulated;
mod upload;

use std::convert::Infallible;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use tracing::{Instrument, trace_span};

pub use error::Error;
pub use id::{BlobId, NotABlobId};
pub use reader::Reader;
pub use sha2::Sha256;
pub use upload::{PendingBlob, Upload};

use blocking::run_blocking;
use buffer_pool::BufferPool;
use bytes::{Bytes, BytesMut};
use checked_blobs::CheckedBlobs;
use directory::Directory;
use futures_util::StreamExt;
use read_cache::ReadCache;
use s3::S3;
use sha2::Digest;
use upload::memory_limit::{DEFAULT_MEMORY_LIMIT, MemoryLimit};
use upload::temp_files::TempFiles;

/// Where the blobs are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    Directory(PathBuf),
    /// `s3://bucket/prefix`; the server and the credentials come from the usual `AWS_…` variables.
    S3(String),
}

/// One blob of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedBlob {
    pub id: BlobId,
    /// When it was last persisted, by the storage's clock.
    pub modified: SystemTime,
}

/// A store of blobs. Clones are cheap and share everything.
#[derive(Clone, Debug)]
pub struct Blobs {
    backend: Backend,
    temp_files: Arc<TempFiles>,
    memory_limit: Arc<MemoryLimit>,
    read_cache: Arc<ReadCache>,
    checked: Arc<CheckedBlobs>,
}

#[derive(Clone, Debug)]
enum Backend {
    Directory(Arc<Directory>),
    S3(Arc<S3>),
}

impl Blobs {
    /// Opens a store, and the directory of its temporary files; creates missing directories. Processes may
    /// share the latter: only the files of dead processes are removed from it. This call does blocking I/O.
    pub fn open(location: &Location, temp_files: &Path) -> Result<Self, Error> {
        let buffers = Arc::<BufferPool>::default();
        let (backend, temp_files) = match location {
            Location::Directory(root) => {
                let (directory, temp_files) = Directory::open(root, temp_files, buffers)?;
                (Backend::Directory(Arc::new(directory)), temp_files)
            }
            Location::S3(address) => (
                Backend::S3(Arc::new(S3::open(address, buffers)?)),
                TempFiles::open(temp_files)?,
            ),
        };
        Ok(Self {
            backend,
            temp_files,
            memory_limit: Arc::new(MemoryLimit::new(DEFAULT_MEMORY_LIMIT)),
            read_cache: Arc::new(ReadCache::new()),
            checked: Arc::new(CheckedBlobs::new()),
        })
    }

    /// Sets how much memory large documents may take together (48 MiB by default), for this store and the
    /// clones that are made of it afterwards.
    #[must_use]
    pub fn with_memory_limit(self, bytes: u64) -> Self {
        Self {
            memory_limit: Arc::new(MemoryLimit::new(bytes)),
            ..self
        }
    }

    /// Begins the upload of one document.
    pub fn upload(&self) -> Upload {
        Upload::new(Arc::clone(&self.temp_files), Arc::clone(&self.memory_limit))
    }

    /// Stores documents: when this returns, all of them are durable. A blob that exists is replaced, and its
    /// modification time is new. After an error some of the documents may have been stored.
    pub async fn persist(&self, pending: Vec<PendingBlob>) -> Result<(), Error> {
        if pending.is_empty() {
            return Ok(());
        }
        match self
            .persist_with(move || Ok::<_, Infallible>((pending, ())))
            .await?
        {
            Ok(()) => Ok(()),
            Err(never) => match never {},
        }
    }

    /// Stores the documents that `work` returns, unless it fails. `work` runs off the async threads; for a
    /// directory, the writes run in the same blocking task.
    pub async fn persist_with<T: Send + 'static, E: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<(Vec<PendingBlob>, T), E> + Send + 'static,
    ) -> Result<Result<T, E>, Error> {
        match &self.backend {
            Backend::Directory(directory) => {
                let (directory, temp_files) = (Arc::clone(directory), Arc::clone(&self.temp_files));
                let persisted = run_blocking(move || match work() {
                    Ok((pending, made)) => {
                        let write = || directory.persist(&temp_files, pending);
                        trace_span!("storage write").in_scope(write).map(|()| Ok(made))
                    }
                    Err(error) => Ok(Err(error)),
                });
                persisted.await
            }
            Backend::S3(s3) => match run_blocking(move || Ok(work())).await? {
                Ok((pending, made)) => {
                    let persisted = Arc::clone(s3).persist(Arc::clone(&self.memory_limit), pending);
                    let persisted = persisted.instrument(trace_span!("storage write"));
                    persisted.await.map(|()| Ok(made))
                }
                Err(error) => Ok(Err(error)),
            },
        }
    }

    /// The bytes of a range of a blob of that size, from the read cache or from storage. If this process has not hashed
    /// the blob within the last hour, it does so now: a whole blob on its way, so that damage ends the stream before its
    /// last frame, and a part of one before the first byte.
    pub async fn read_checked(&self, id: BlobId, size: u64, range: Range<u64>) -> Result<Reader, Error> {
        if let Some(frame) = self.read_cache.get(id, &range) {
            return Ok(Reader::single(frame));
        }
        let reader = self.read(id, range.clone()).await?;
        let version = reader.version();
        if !self.checked.contains(id, &version) {
            if range != (0..size) {
                self.verify(id, size).await?;
            } else if let Some(frame) = reader.only_frame() {
                check_hash(id, Sha256::new_with_prefix(frame))?;
            } else {
                return Ok(reader.checked(id, Arc::clone(&self.checked)));
            }
            self.checked.insert(id, version);
        }
        if let Some(frame) = reader.only_frame() {
            self.read_cache.put(id, &range, frame);
        }
        Ok(reader)
    }

    /// The bytes of a range as they are in storage, all of which must exist. Up to 256 KiB they come as one frame. The
    /// caller compares their hash.
    pub async fn read(&self, id: BlobId, range: Range<u64>) -> Result<Reader, Error> {
        self.fetch(id, range)
            .instrument(trace_span!("storage read"))
            .await
    }

    /// Reads a blob of that size from storage, past the read cache, and compares its hash with its name. Returns the hash
    /// for what follows the blob.
    pub async fn verify(&self, id: BlobId, size: u64) -> Result<Sha256, Error> {
        self.read_verified(id, size, |_| ()).await
    }

    /// Like [`Blobs::verify`], and returns the bytes.
    pub async fn read_whole(&self, id: BlobId, size: u64) -> Result<Bytes, Error> {
        let mut whole = BytesMut::with_capacity(usize::try_from(size).unwrap_or(0));
        self.read_verified(id, size, |frame| whole.extend_from_slice(frame))
            .await?;
        Ok(whole.freeze())
    }

    async fn read_verified(&self, id: BlobId, size: u64, each: impl FnMut(&[u8])) -> Result<Sha256, Error> {
        let verified = self.hash_stored(id, size, each).await;
        if let Err(Error::NotFound(_) | Error::Truncated(_) | Error::Damaged(_)) = verified {
            // The cache may be just as wrong, and would outlive a repair.
            self.read_cache.remove(id);
            self.checked.remove(id);
        }
        verified
    }

    async fn hash_stored(&self, id: BlobId, size: u64, mut each: impl FnMut(&[u8])) -> Result<Sha256, Error> {
        let mut reader = self.read(id, 0..size).await?;
        let mut hash = Sha256::new();
        while let Some(frame) = reader.next().await {
            let frame = frame?;
            each(&frame);
            hash = run_blocking(move || {
                hash.update(&frame);
                Ok(hash)
            })
            .await?;
        }
        check_hash(id, hash.clone())?;
        Ok(hash)
    }

    async fn fetch(&self, id: BlobId, range: Range<u64>) -> Result<Reader, Error> {
        match &self.backend {
            Backend::Directory(directory) => {
                // What the kernel has in memory differs from run to run. A seed has to give the same run.
                #[cfg(feature = "simulation")]
                if simulated::is_on() {
                    return directory.read(id, range);
                }
                if let Some(reader) = directory.read_cached(id, range.clone()) {
                    return Ok(reader);
                }
                let directory = Arc::clone(directory);
                run_blocking(move || directory.read(id, range)).await
            }
            Backend::S3(s3) => Arc::clone(s3).read(id, range).await,
        }
    }

    /// Removes a blob, or finds it removed.
    pub async fn delete(&self, id: BlobId) -> Result<(), Error> {
        let deleted = match &self.backend {
            Backend::Directory(directory) => {
                let directory = Arc::clone(directory);
                let delete = move || directory.delete(id);
                // Names of signed bytes differ from run to run. If a removal could fail, a seed would not give the same run.
                #[cfg(feature = "simulation")]
                let never_fails = simulated::is_on();
                #[cfg(not(feature = "simulation"))]
                let never_fails = false;
                if never_fails {
                    delete()
                } else {
                    let deleted = run_blocking(delete);
                    deleted.instrument(trace_span!("storage delete")).await
                }
            }
            Backend::S3(s3) => s3.delete(id).instrument(trace_span!("storage delete")).await,
        };
        self.read_cache.remove(id);
        self.checked.remove(id);
        deleted
    }

    /// The next blobs after a name, ordered by name. Only an empty page is the end.
    pub async fn list(&self, after: Option<BlobId>, limit: usize) -> Result<Vec<ListedBlob>, Error> {
        match &self.backend {
            Backend::Directory(directory) => {
                let directory = Arc::clone(directory);
                run_blocking(move || directory.list(after, limit)).await
            }
            Backend::S3(s3) => s3.list(after, limit).await,
        }
    }

    /// Whether the storage responds; cheap enough for a health check every second.
    pub async fn check(&self) -> Result<(), Error> {
        match &self.backend {
            Backend::Directory(directory) => {
                let directory = Arc::clone(directory);
                run_blocking(move || directory.check()).await
            }
            Backend::S3(s3) => s3.check().await,
        }
    }
}

/// Compares the hash of a blob's bytes with its name.
fn check_hash(id: BlobId, hash: Sha256) -> Result<(), Error> {
    if BlobId::from_bytes(hash.finalize().into()) == id {
        Ok(())
    } else {
        Err(Error::Damaged(id))
    }
}
