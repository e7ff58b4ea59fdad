//! The upload of one document: chunks in, a name and a verdict out.
//!
//! Chunks are hashed on the thread that received them, while they are in its cache. A small document stays
//! in memory, within the request's share. A larger one is uploaded to memory as well, if its size is known
//! and the memory limit has as much available. Otherwise it is written to a temporary file, and read back
//! for inspection, within the memory limit.

use std::convert::Infallible;
use std::io::Write;
use std::mem;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::blocks::BLOCK;
use crate::budget::Budget;
use crate::error::During;
use crate::gather::{Gather, Gathered};
use crate::hop::blocking;
use crate::pieces::Pieces;
use crate::spool::{Spool, SpoolFile};
use crate::{BlobId, Error};

/// Bytes after which an upload yields to the other tasks of its thread.
const TURN: u64 = 128 * 1024;

/// An unfinished upload. Dropping it leaves nothing behind.
#[derive(Debug)]
pub struct Stage {
    spool: Arc<Spool>,
    budget: Arc<Budget>,
    pieces: Pieces,
    len: u64,
    hash: Sha256,
    tail: Tail,
    room: u64,
    most: Option<u64>,
}

/// A complete and named document that is not durable yet. Dropping it leaves nothing behind.
#[derive(Debug)]
pub struct Staged {
    pub(crate) id: BlobId,
    pub(crate) len: u64,
    pub(crate) body: Body,
}

#[derive(Debug)]
pub(crate) enum Body {
    Memory(Bytes),
    Spooled(SpoolFile),
}

/// Where the bytes before the buffered chunks are.
#[derive(Debug)]
enum Tail {
    Nowhere,
    Gathered(Gather),
    Spooled(SpoolFile),
    /// A step failed or was cancelled half way.
    Lost,
}

impl Stage {
    pub(crate) fn new(spool: Arc<Spool>, budget: Arc<Budget>) -> Self {
        Self {
            spool,
            budget,
            pieces: Pieces::default(),
            len: 0,
            hash: Sha256::new(),
            tail: Tail::Nowhere,
            room: BLOCK as u64,
            most: None,
        }
    }

    /// Has the complete document stay in memory only up to this size, and never above [`BUFFER_BYTES`].
    #[must_use]
    pub fn with_room(self, bytes: u64) -> Self {
        Self { room: bytes, ..self }
    }

    /// Sets an upper bound of the document's size.
    #[must_use]
    pub fn of_at_most(self, bytes: Option<u64>) -> Self {
        Self { most: bytes, ..self }
    }

    /// Appends the next chunk. After an error, or if the future is dropped, the upload has failed.
    pub async fn push(&mut self, chunk: Bytes) -> Result<(), Error> {
        // A step that fails or is cancelled leaves the upload failed.
        let mut tail = mem::replace(&mut self.tail, Tail::Lost);
        let before = self.len;
        self.len += chunk.len() as u64;
        if self.len / TURN > before / TURN {
            tokio::task::yield_now().await;
        }
        if let Tail::Gathered(gather) = &mut tail {
            let Some(file) = gather.push(&chunk, &mut self.hash).await? else {
                self.tail = tail;
                return Ok(());
            };
            tail = Tail::Spooled(file);
        }
        self.hash.update(&chunk);
        self.pieces.push(chunk);
        if self.pieces.len() <= BLOCK {
            self.tail = tail;
            return Ok(());
        }
        let mut pieces = mem::take(&mut self.pieces);
        if let (Tail::Nowhere, Some(most)) = (&tail, self.most) {
            match Gather::begin(&self.spool, &self.budget, most, pieces) {
                Ok(gather) => {
                    self.tail = Tail::Gathered(gather);
                    return Ok(());
                }
                Err(given_back) => pieces = given_back,
            }
        }
        let spool = Arc::clone(&self.spool);
        let file = blocking(move || tail.append(&spool, pieces)).await?;
        self.tail = Tail::Spooled(file);
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
    pub fn at_hand(self) -> Result<(Staged, Sha256), Box<Self>> {
        if !matches!(self.tail, Tail::Nowhere) || self.len > self.room {
            return Err(Box::new(self));
        }
        let staged = Staged {
            id: BlobId::of(&self.hash),
            len: self.len,
            body: Body::Memory(self.pieces.into_bytes()),
        };
        Ok((staged, self.hash))
    }

    /// Finishes a document without inspecting it. A temporary file is not read back.
    pub async fn accepted(self) -> Result<Staged, Error> {
        if let Tail::Spooled(_) = &self.tail {
            let (id, len) = (BlobId::of(&self.hash), self.len);
            let file = blocking(move || self.tail.append(&self.spool, self.pieces)).await?;
            let body = Body::Spooled(file);
            return Ok(Staged { id, len, body });
        }
        match self.finish(|_, _| Ok::<(), Infallible>(())).await?.1 {
            Ok((staged, ())) => Ok(staged),
            Err(never) => match never {},
        }
    }

    /// Runs `inspect` off the async threads, on the complete document and the state of the hash after its
    /// last byte. A refused document is not written.
    pub async fn finish<T: Send + 'static, E: Send + 'static>(
        self,
        look: impl FnOnce(&[u8], &Sha256) -> Result<T, E> + Send + 'static,
    ) -> Result<(BlobId, Result<(Staged, T), E>), Error> {
        let Self {
            spool,
            budget,
            pieces,
            len,
            hash,
            tail,
            room,
            most: _,
        } = self;
        let (memory, tail) = match tail {
            Tail::Gathered(gather) => match gather.end().await? {
                Gathered::Memory(memory) => (Some(memory), Tail::Lost),
                Gathered::Spool(file) => (None, Tail::Spooled(file)),
            },
            tail => (None, tail),
        };
        let id = BlobId::of(&hash);
        let kept = match (memory, tail) {
            (Some(mut memory), _) => {
                let work = move || {
                    let seen = look(memory.bytes(), &hash);
                    keep(seen, || spool.write_pages(&mut memory).map(Body::Spooled))
                };
                blocking(work).await?
            }
            (None, Tail::Nowhere) => {
                let work = move || {
                    let bytes = pieces.into_bytes();
                    let seen = look(&bytes, &hash);
                    keep(seen, || {
                        if len <= room {
                            Ok(Body::Memory(bytes))
                        } else {
                            spool.write(&bytes).map(Body::Spooled)
                        }
                    })
                };
                blocking(work).await?
            }
            (None, tail) => {
                let mut pages = budget.pages(len).await?;
                let work = move || {
                    let file = tail.append(&spool, pieces)?;
                    let seen = look(read_back(&file, len, &mut pages)?, &hash);
                    keep(seen, || Ok(Body::Spooled(file)))
                };
                blocking(work).await?
            }
        };
        Ok((id, kept.map(|(body, seen)| (Staged { id, len, body }, seen))))
    }
}

/// Writes the body of an accepted document.
fn keep<T, E>(
    seen: Result<T, E>,
    body: impl FnOnce() -> Result<Body, Error>,
) -> Result<Result<(Body, T), E>, Error> {
    match seen {
        Ok(seen) => body().map(|body| Ok((body, seen))),
        Err(refused) => Ok(Err(refused)),
    }
}

impl Staged {
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
    pub fn held(&self) -> &[u8] {
        match &self.body {
            Body::Memory(bytes) => bytes,
            Body::Spooled(_) => &[],
        }
    }
}

impl Tail {
    fn append(self, spool: &Arc<Spool>, pieces: Pieces) -> Result<SpoolFile, Error> {
        let mut spooled = match self {
            Self::Nowhere => spool.create()?,
            Self::Spooled(file) => file,
            Self::Gathered(_) | Self::Lost => {
                return Err(Error::interrupted("an earlier step of this document failed"));
            }
        };
        for chunk in pieces.into_chunks() {
            let written = spooled.file.write_all(&chunk);
            written.during("write", spooled.path())?;
        }
        Ok(spooled)
    }
}

/// Reads the complete document back.
fn read_back<'p>(file: &SpoolFile, len: u64, pages: &'p mut [u8]) -> Result<&'p [u8], Error> {
    let len = usize::try_from(len).map_err(Error::interrupted)?;
    let whole = pages
        .get_mut(..len)
        .ok_or_else(|| Error::interrupted("too few pages"))?;
    file.file.read_exact_at(whole, 0).during("read", file.path())?;
    Ok(whole)
}
