//! A stream of a blob's range, in frames.
//!
//! A range up to one buffer is a single frame, already in memory. Of a longer range, one frame is prefetched
//! while the one before it is being sent.

use std::fmt;
use std::future::Future;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::SystemTime;

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};
use sha2::{Digest, Sha256};
use tokio::task::JoinHandle;

use crate::checked_blobs::{CheckedBlobs, Version};
use crate::{BlobId, Error};

type FetchTask = JoinHandle<Result<Bytes, Error>>;

/// A frame in memory, or the task that fetches it.
pub(crate) enum Fetched {
    Ready(Bytes),
    Pending(FetchTask),
}

/// Starts fetching one frame of the range.
type Fetch = Box<dyn Fn(Range<u64>) -> Fetched + Send + Sync>;

/// The bytes of a range, in order. Ends after the first error.
pub struct Reader {
    ready: Option<Bytes>,
    next_frame: Option<FetchTask>,
    rest: Range<u64>,
    remaining: u64,
    source: Option<(Fetch, u64)>,
    /// What comes after this one.
    next: Option<Box<Reader>>,
    version: Version,
    check: Option<Check>,
}

/// Compares the hash of a whole blob with its name, before its last frame is handed out.
struct Check {
    id: BlobId,
    hash: Sha256,
    unread: u64,
    checked: Arc<CheckedBlobs>,
}

impl Reader {
    /// A reader of these bytes.
    pub fn single(frame: Bytes) -> Self {
        let remaining = frame.len() as u64;
        Self {
            ready: Some(frame),
            next_frame: None,
            rest: 0..0,
            remaining,
            source: None,
            next: None,
            version: Version::Unknown,
            check: None,
        }
    }

    /// `first` is in memory; `rest` is fetched `step` bytes at a time.
    pub(crate) fn streamed(first: Bytes, rest: Range<u64>, step: u64, fetch: Fetch) -> Self {
        let remaining = first.len() as u64 + (rest.end - rest.start);
        Self {
            ready: Some(first),
            next_frame: None,
            rest,
            remaining,
            source: Some((fetch, step)),
            next: None,
            version: Version::Unknown,
            check: None,
        }
    }

    pub(crate) fn with_version(self, version: Version) -> Self {
        Self { version, ..self }
    }

    pub(crate) fn version(&self) -> Version {
        self.version.clone()
    }

    /// When the file was last changed, for blobs in a directory.
    pub fn modified(&self) -> Option<SystemTime> {
        match self.version {
            Version::Modified(at) => Some(at),
            Version::Unknown | Version::ETag(_) => None,
        }
    }

    /// Has the hash of this whole blob compared while it is read.
    pub(crate) fn checked(mut self, id: BlobId, checked: Arc<CheckedBlobs>) -> Self {
        self.check = Some(Check {
            id,
            hash: Sha256::new(),
            unread: self.remaining,
            checked,
        });
        self
    }

    /// The frame, unless it is the last of a blob whose hash is wrong.
    fn check(&mut self, frame: Bytes) -> Result<Bytes, Error> {
        let Some(check) = &mut self.check else {
            return Ok(frame);
        };
        check.hash.update(&frame);
        check.unread = check.unread.saturating_sub(frame.len() as u64);
        if check.unread == 0
            && let Some(Check {
                id, hash, checked, ..
            }) = self.check.take()
        {
            crate::check_hash(id, hash)?;
            checked.insert(id, self.version.clone());
        }
        Ok(frame)
    }

    /// Appends what another reader reads.
    #[must_use]
    pub fn followed_by(mut self, last: Self) -> Self {
        self.remaining += last.remaining;
        self.next = Some(Box::new(match self.next.take() {
            Some(next) => next.followed_by(last),
            None => last,
        }));
        self
    }

    /// How many bytes have not been handed out yet.
    pub const fn remaining(&self) -> u64 {
        self.remaining
    }

    /// The remaining bytes, if they are one frame in memory.
    pub fn only_frame(&self) -> Option<&Bytes> {
        self.ready
            .as_ref()
            .filter(|frame| frame.len() as u64 == self.remaining)
    }

    /// All that remains, in memory; without a copy if it is one frame.
    pub async fn bytes(mut self) -> Result<Bytes, Error> {
        let first = self.next().await.transpose()?.unwrap_or_default();
        if self.remaining == 0 {
            return Ok(first);
        }
        let mut all = BytesMut::with_capacity(first.len() + usize::try_from(self.remaining).unwrap_or(0));
        all.extend_from_slice(&first);
        drop(first);
        while let Some(frame) = self.next().await.transpose()? {
            all.extend_from_slice(&frame);
        }
        Ok(all.freeze())
    }

    fn prefetch(&mut self) {
        if let Some((fetch, step)) = &self.source
            && !self.rest.is_empty()
        {
            let end = self.rest.end.min(self.rest.start.saturating_add(*step));
            match fetch(self.rest.start..end) {
                Fetched::Ready(frame) => self.ready = Some(frame),
                Fetched::Pending(frame) => self.next_frame = Some(frame),
            }
            self.rest.start = end;
        }
    }
}

impl Stream for Reader {
    type Item = Result<Bytes, Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let frame = if let Some(frame) = self.ready.take() {
            self.check(frame)
        } else if let Some(next_frame) = &mut self.next_frame {
            let fetched = ready!(Pin::new(next_frame).poll(cx));
            self.next_frame = None;
            let fetched = fetched.map_err(Error::interrupted).flatten();
            fetched.and_then(|frame| self.check(frame))
        } else if let Some(next) = &mut self.next {
            match ready!(Pin::new(next.as_mut()).poll_next(cx)) {
                Some(frame) => frame,
                None => return Poll::Ready(None),
            }
        } else {
            return Poll::Ready(None);
        };
        if let Ok(frame) = &frame {
            self.remaining = self.remaining.saturating_sub(frame.len() as u64);
            self.prefetch();
        } else {
            self.rest = 0..0;
            self.next = None;
        }
        Poll::Ready(Some(frame))
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("remaining", &self.remaining)
            .finish_non_exhaustive()
    }
}
