//! The intake of one document: chunks in, a name and a verdict out.
//!
//! It is hashed as it comes, where it comes: bytes that were just received are at hand there, and nowhere else. A small
//! document stays in memory, if there is room for it. A larger one is gathered in memory as well, if its size is known
//! and the budget has as much at once. Otherwise it goes to the spool block by block, and is read back once, under the
//! budget, for whoever must see it whole.

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

/// Bytes of a document after which other work of the thread gets its turn.
const TURN: u64 = 128 * 1024;

/// A document on its way in. Dropping it leaves nothing behind.
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

/// A document that is whole and named, but not yet kept. Dropping it leaves nothing behind.
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

/// Where the blocks before `pieces` are.
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

    /// Has the document stay in memory, once it is whole, only if it is no larger than this; and no larger than a block
    /// in any case.
    #[must_use]
    pub fn with_room(self, bytes: u64) -> Self {
        Self { room: bytes, ..self }
    }

    /// Says how large the document is at the most.
    #[must_use]
    pub fn of_at_most(self, bytes: Option<u64>) -> Self {
        Self { most: bytes, ..self }
    }

    /// Takes the next chunk. After an error, or if the future is dropped, the document is lost.
    pub async fn push(&mut self, chunk: Bytes) -> Result<(), Error> {
        // Until this step is done.
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

    /// Names a document that stays in memory, and gives the state of the hash after its last byte; gives a larger one back.
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

    /// Names the document, whatever it is. One that went to the spool is not read back.
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

    /// Lets `look` see all of the document together with the state of the hash after its last byte, off the async
    /// threads; what it accepts is named. What it refuses is not written any more.
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

/// Keeps the body of what was accepted.
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

    /// What of it is held in memory: all or nothing.
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

/// The whole document.
fn read_back<'p>(file: &SpoolFile, len: u64, pages: &'p mut [u8]) -> Result<&'p [u8], Error> {
    let len = usize::try_from(len).map_err(Error::interrupted)?;
    let whole = pages
        .get_mut(..len)
        .ok_or_else(|| Error::interrupted("too few pages"))?;
    file.file.read_exact_at(whole, 0).during("read", file.path())?;
    Ok(whole)
}
