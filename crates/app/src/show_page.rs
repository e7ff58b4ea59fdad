//! Pages of documents as images and as text, drawn by child processes and kept for a while. How many are drawn at
//! once, how many wait, and what is kept in memory have bounds.

mod cache;

use crate::{App, Error};
use blobs::BlobId;
use bytes::Bytes;
use cache::Cache;
use domain::Document;
use pades::render::{Failure, Launch, Limits, PageSize, PageText, Pool, Rendered, Source};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// The widths at which pages are drawn.
pub const WIDTHS: [u32; 3] = [720, 1080, 1440];

/// Bytes of images and texts that are kept.
const KEPT: usize = 32 << 20;
/// Bytes of documents that are kept for their next page.
const SOURCES: usize = 32 << 20;
/// Pages that may wait to be drawn.
const QUEUE: usize = 128;
/// How long a page may wait to be drawn.
const PATIENCE: Duration = Duration::from_secs(15);

/// A page as it can be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Drawn {
    /// As readers show it.
    Faithful(Picture),
    /// Something on it was not understood.
    Doubtful(Picture),
    /// It cannot be drawn.
    Failed,
}

/// An image of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The image, as PNG.
    pub png: Bytes,
}

/// A page to be read aloud.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// Its text; nothing where there is none, or none that can be read.
    pub text: String,
    /// Whether that is all of it.
    pub complete: bool,
}

/// What draws pages. Clones of the application share it.
#[derive(Debug)]
pub struct Pages {
    pool: Pool,
    queue: Arc<Semaphore>,
    drawing: Arc<Semaphore>,
    sources: Cache<[u8; 32], Arc<[u8]>>,
    drawn: Cache<([u8; 32], u32, u32), Drawn>,
    read: Cache<([u8; 32], u32), Arc<Read>>,
    sizes: Cache<[u8; 32], Arc<[PageSize]>>,
}

impl Pages {
    /// Drawn by workers that are started like this.
    pub fn new(launch: Launch) -> Self {
        let workers = std::thread::available_parallelism().map_or(2, |cores| cores.get().clamp(1, 4));
        let mut limits = Limits::default();
        limits.wait = PATIENCE;
        Self {
            pool: Pool::new(launch, workers, limits),
            queue: Arc::new(Semaphore::new(QUEUE)),
            drawing: Arc::new(Semaphore::new(workers)),
            sources: Cache::new(SOURCES),
            drawn: Cache::new(KEPT),
            read: Cache::new(KEPT / 8),
            sizes: Cache::new(KEPT / 8),
        }
    }

    /// Drawn by this program itself, in its hidden command for it.
    pub fn of_this_program() -> Self {
        Self::new(Launch {
            program: std::env::current_exe().unwrap_or_else(|_| PathBuf::from("firmeza")),
            arguments: vec![OsString::from("render-worker")],
        })
    }

    /// Has a worker do something with a document, and keeps what came of it. A worker does not stop for somebody who
    /// no longer waits: until it is done the places stay taken, and what it drew is there for the next who asks.
    async fn draw<A: 'static, T: Send + 'static>(
        self: &Arc<Self>,
        source: impl Future<Output = Result<Source, Error>>,
        act: impl FnOnce(&Pool, &Source) -> Result<A, Failure> + Send + 'static,
        keep: impl FnOnce(&Self, Result<A, Failure>) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let queue = Arc::clone(&self.queue);
        let waiting = queue.try_acquire_owned().map_err(|_| Error::Overloaded)?;
        let turn = Arc::clone(&self.drawing).acquire_owned();
        let turn = tokio::time::timeout(PATIENCE, turn).await;
        let turn = turn.ok().and_then(Result::ok).ok_or(Error::Overloaded)?;
        let source = source.await?;
        let pages = Arc::clone(self);
        let drawn = tokio::task::spawn_blocking(move || {
            let _places = (waiting, turn);
            match act(&pages.pool, &source) {
                Err(Failure::Busy) => Err(Error::Overloaded),
                drawn => Ok(keep(&pages, drawn)),
            }
        });
        drawn.await.map_err(|panic| Error::Internal(panic.into()))?
    }
}

impl App {
    /// A page of a document as it was sent, counted from one, at one of [`WIDTHS`].
    pub async fn page_image(&self, document: &Document, page: u32, width: u32) -> Result<Drawn, Error> {
        let key = (document.sha256, page, width);
        if let Some(drawn) = self.pages.drawn.get(&key) {
            return Ok(drawn);
        }
        let keep = move |pages: &Pages, drawn: Result<Rendered, Failure>| {
            let picture = |picture: pades::render::Picture| Picture {
                width: picture.width,
                height: picture.height,
                png: picture.png.into(),
            };
            let drawn = match drawn {
                Ok(Rendered::Faithful(seen)) => Drawn::Faithful(picture(seen)),
                Ok(Rendered::Doubtful { picture: seen, .. }) => Drawn::Doubtful(picture(seen)),
                // A worker that could not be started may be started the next time.
                Err(Failure::NoWorker) => return Drawn::Failed,
                Err(_) => Drawn::Failed,
            };
            let cost = match &drawn {
                Drawn::Faithful(picture) | Drawn::Doubtful(picture) => picture.png.len(),
                Drawn::Failed => 0,
            };
            pages.drawn.put(key, drawn.clone(), cost);
            drawn
        };
        let act = move |pool: &Pool, source: &Source| pool.image(source, page.saturating_sub(1), width);
        self.draw(document, act, keep).await
    }

    /// The text of a page of a document as it was sent, counted from one.
    pub async fn page_text(&self, document: &Document, page: u32) -> Result<Arc<Read>, Error> {
        let key = (document.sha256, page);
        if let Some(read) = self.pages.read.get(&key) {
            return Ok(read);
        }
        let keep = move |pages: &Pages, read: Result<PageText, Failure>| {
            let read = Arc::new(read.map_or_else(
                |_| Read {
                    text: String::new(),
                    complete: false,
                },
                |read| Read {
                    text: read.text,
                    complete: read.complete,
                },
            ));
            pages.read.put(key, read.clone(), read.text.len());
            read
        };
        let act = move |pool: &Pool, source: &Source| pool.text(source, page.saturating_sub(1));
        self.draw(document, act, keep).await
    }

    /// The sizes of all pages of a document as it was sent; nothing where they cannot be told.
    pub async fn page_sizes(&self, document: &Document) -> Result<Arc<[PageSize]>, Error> {
        let key = document.sha256;
        if let Some(sizes) = self.pages.sizes.get(&key) {
            return Ok(sizes);
        }
        let keep = move |pages: &Pages, sizes: Result<Vec<PageSize>, Failure>| {
            let sizes: Arc<[PageSize]> = sizes.unwrap_or_default().into();
            pages.sizes.put(key, sizes.clone(), 8 * sizes.len());
            sizes
        };
        self.draw(document, Pool::sizes, keep).await
    }

    /// Has a worker do something with a document. What cannot be drawn is an answer; being too busy is not.
    async fn draw<A: 'static, T: Send + 'static>(
        &self,
        document: &Document,
        act: impl FnOnce(&Pool, &Source) -> Result<A, Failure> + Send + 'static,
        keep: impl FnOnce(&Pages, Result<A, Failure>) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let source = async {
            Ok::<_, Error>(Source {
                key: document.sha256,
                bytes: self.source(document).await?,
            })
        };
        let document = document.id;
        let keep = move |pages: &Pages, drawn: Result<A, Failure>| {
            if let Err(failure @ (Failure::NoWorker | Failure::Crashed)) = &drawn {
                tracing::error!(%failure, %document, "a page cannot be drawn");
            }
            keep(pages, drawn)
        };
        self.pages.draw(source, act, keep).await
    }

    async fn source(&self, document: &Document) -> Result<Arc<[u8]>, Error> {
        if let Some(bytes) = self.pages.sources.get(&document.sha256) {
            return Ok(bytes);
        }
        let id = BlobId::from_bytes(document.sha256);
        let bytes = self.blobs.read(id, 0..document.size).await?.bytes().await?;
        let bytes: Arc<[u8]> = bytes.as_ref().into();
        self.pages
            .sources
            .put(document.sha256, bytes.clone(), bytes.len());
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    const KEY: [u8; 32] = [7; 32];

    #[tokio::test]
    async fn a_page_that_nobody_waits_for_keeps_its_places_and_is_kept() {
        let pages = Arc::new(Pages::of_this_program());
        let workers = pages.drawing.available_permits();
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let (end, ended) = mpsc::channel::<()>();
        let source = async {
            Ok::<_, Error>(Source {
                key: KEY,
                bytes: Arc::default(),
            })
        };
        let act = move |_: &Pool, _: &Source| {
            begun.send(()).unwrap();
            ended.recv().unwrap();
            Ok(())
        };
        let keep = |pages: &Pages, _: Result<(), Failure>| pages.sizes.put(KEY, Arc::default(), 0);
        tokio::select! {
            biased;
            _ = pages.draw(source, act, keep) => unreachable!("it has not ended"),
            started = has_begun => started.unwrap(),
        }
        // Whoever asked is gone.
        assert_eq!(pages.drawing.available_permits(), workers - 1);
        assert_eq!(pages.queue.available_permits(), QUEUE - 1);
        end.send(()).unwrap();
        let all = u32::try_from(QUEUE).unwrap();
        let _all = pages.queue.acquire_many(all).await.unwrap();
        assert!(pages.sizes.get(&KEY).is_some());
    }
}
