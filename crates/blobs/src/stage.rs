//! The intake of one document: chunks in, a name and a verdict out.
//!
//! A small document stays in memory, if there is room for it. A larger one goes to the spool block by block, hashed
//! on the way, and is read back once, under the budget, for whoever must see it whole. (Keeping its blocks in memory
//! would save nothing: laying them side by side costs the same copy as reading them from the page cache.)

use std::io::Write;
use std::mem;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use bytes::Bytes;
use memmap2::{Advice, MmapMut};
use sha2::{Digest, Sha256};

use crate::blocks::BLOCK;
use crate::budget::Budget;
use crate::error::During;
use crate::hop::blocking;
use crate::pieces::Pieces;
use crate::spool::{Spool, SpoolFile};
use crate::{BlobId, Error};

/// A document on its way in. Dropping it leaves nothing behind.
#[derive(Debug)]
pub struct Stage {
    spool: Arc<Spool>,
    budget: Arc<Budget>,
    pieces: Pieces,
    len: u64,
    tail: Tail,
    room: u64,
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
    Spooled(Box<Spooled>),
    /// A step failed or was cancelled half way.
    Lost,
}

#[derive(Debug)]
struct Spooled {
    file: SpoolFile,
    hash: Sha256,
}

impl Stage {
    pub(crate) fn new(spool: Arc<Spool>, budget: Arc<Budget>) -> Self {
        Self {
            spool,
            budget,
            pieces: Pieces::default(),
            len: 0,
            tail: Tail::Nowhere,
            room: BLOCK as u64,
        }
    }

    /// Has the document stay in memory, once it is whole, only if it is no larger than this; and no larger than a block
    /// in any case.
    #[must_use]
    pub fn with_room(self, bytes: u64) -> Self {
        Self { room: bytes, ..self }
    }

    /// Takes the next chunk. After an error, or if the future is dropped, the document is lost.
    pub async fn push(&mut self, chunk: Bytes) -> Result<(), Error> {
        self.len += chunk.len() as u64;
        self.pieces.push(chunk);
        if self.pieces.len() <= BLOCK {
            return Ok(());
        }
        let pieces = mem::take(&mut self.pieces);
        let tail = mem::replace(&mut self.tail, Tail::Lost);
        let spool = Arc::clone(&self.spool);
        let spooled = blocking(move || tail.append(&spool, pieces)).await?;
        self.tail = Tail::Spooled(spooled);
        Ok(())
    }

    pub const fn len(&self) -> u64 {
        self.len
    }

    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Names the document, and lets `look` see all of it together with the state of the hash after its last
    /// byte. Both happen off the async threads, in one hop.
    pub async fn finish<T: Send + 'static>(
        self,
        look: impl FnOnce(&[u8], &Sha256) -> T + Send + 'static,
    ) -> Result<(Staged, T), Error> {
        let Self {
            spool,
            budget,
            pieces,
            len,
            tail,
            room,
        } = self;
        if matches!(tail, Tail::Nowhere) {
            return blocking(move || {
                let bytes = pieces.into_bytes();
                let hash = Sha256::new_with_prefix(&bytes);
                let seen = look(&bytes, &hash);
                let body = if len <= room {
                    Body::Memory(bytes)
                } else {
                    Body::Spooled(spool.write(&bytes)?)
                };
                let id = BlobId::of(&hash);
                Ok((Staged { id, len, body }, seen))
            })
            .await;
        }
        let memory = budget.take(len).await?;
        blocking(move || {
            let spooled = tail.append(&spool, pieces)?;
            let seen = look(&spooled.read_back(len)?, &spooled.hash);
            drop(memory);
            let Spooled { file, hash } = *spooled;
            Ok((
                Staged {
                    id: BlobId::of(&hash),
                    len,
                    body: Body::Spooled(file),
                },
                seen,
            ))
        })
        .await
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

    /// How much of it is held in memory.
    pub const fn held(&self) -> u64 {
        match &self.body {
            Body::Memory(_) => self.len,
            Body::Spooled(_) => 0,
        }
    }
}

impl Tail {
    fn append(self, spool: &Arc<Spool>, pieces: Pieces) -> Result<Box<Spooled>, Error> {
        let mut spooled = match self {
            Self::Nowhere => Box::new(Spooled {
                file: spool.create()?,
                hash: Sha256::new(),
            }),
            Self::Spooled(spooled) => spooled,
            Self::Lost => return Err(Error::interrupted("an earlier step of this document failed")),
        };
        for chunk in pieces.into_chunks() {
            spooled.hash.update(&chunk);
            let SpoolFile { file, .. } = &mut spooled.file;
            file.write_all(&chunk).during("write", spooled.file.path())?;
        }
        Ok(spooled)
    }
}

impl Spooled {
    /// The whole document, in pages that go back to the system when it is dropped: an allocator would keep
    /// buffers of this size, one per thread.
    fn read_back(&self, len: u64) -> Result<MmapMut, Error> {
        let path = self.file.path();
        let len = usize::try_from(len).map_err(Error::interrupted)?;
        let mut whole = MmapMut::map_anon(len).during("find memory for", path)?;
        // Large pages, where the system has them: one by one, faults cost more than the copy.
        let _ = whole.advise(Advice::HugePage);
        self.file.file.read_exact_at(&mut whole, 0).during("read", path)?;
        Ok(whole)
    }
}
