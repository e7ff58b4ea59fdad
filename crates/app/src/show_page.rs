//! Pages of documents as images and as text, drawn by child processes and kept for a while. How many are drawn at
//! once, how many wait, and what is kept in memory have bounds.

mod cache;

use crate::{App, Error};
use blobs::BlobId;
use bytes::Bytes;
use cache::Cache;
use domain::Document;
use pades::render::{Failure, Launch, Limits, PageSize, Pool, Rendered, Source};
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
    pool: Arc<Pool>,
    queue: Semaphore,
    drawing: Semaphore,
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
            pool: Arc::new(Pool::new(launch, workers, limits)),
            queue: Semaphore::new(QUEUE),
            drawing: Semaphore::new(workers),
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
}

impl App {
    /// A page of a document as it was sent, counted from one, at one of [`WIDTHS`].
    pub async fn page_image(&self, document: &Document, page: u32, width: u32) -> Result<Drawn, Error> {
        let key = (document.sha256, page, width);
        if let Some(drawn) = self.pages.drawn.get(&key) {
            return Ok(drawn);
        }
        let drawn = self
            .draw(document, move |pool, source| {
                pool.image(source, page.saturating_sub(1), width)
            })
            .await?;
        let picture = |picture: pades::render::Picture| Picture {
            width: picture.width,
            height: picture.height,
            png: picture.png.into(),
        };
        let drawn = match drawn {
            Ok(Rendered::Faithful(seen)) => Drawn::Faithful(picture(seen)),
            Ok(Rendered::Doubtful { picture: seen, .. }) => Drawn::Doubtful(picture(seen)),
            // A worker that could not be started may be started the next time.
            Err(Failure::NoWorker) => return Ok(Drawn::Failed),
            Err(_) => Drawn::Failed,
        };
        let cost = match &drawn {
            Drawn::Faithful(picture) | Drawn::Doubtful(picture) => picture.png.len(),
            Drawn::Failed => 0,
        };
        self.pages.drawn.put(key, drawn.clone(), cost);
        Ok(drawn)
    }

    /// The text of a page of a document as it was sent, counted from one.
    pub async fn page_text(&self, document: &Document, page: u32) -> Result<Arc<Read>, Error> {
        let key = (document.sha256, page);
        if let Some(read) = self.pages.read.get(&key) {
            return Ok(read);
        }
        let read = self
            .draw(document, move |pool, source| {
                pool.text(source, page.saturating_sub(1))
            })
            .await?;
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
        self.pages.read.put(key, read.clone(), read.text.len());
        Ok(read)
    }

    /// The sizes of all pages of a document as it was sent; nothing where they cannot be told.
    pub async fn page_sizes(&self, document: &Document) -> Result<Arc<[PageSize]>, Error> {
        if let Some(sizes) = self.pages.sizes.get(&document.sha256) {
            return Ok(sizes);
        }
        let sizes = self.draw(document, Pool::sizes).await?;
        let sizes: Arc<[PageSize]> = sizes.unwrap_or_default().into();
        self.pages
            .sizes
            .put(document.sha256, sizes.clone(), 8 * sizes.len());
        Ok(sizes)
    }

    /// Has a worker do something with a document. What cannot be drawn is an answer; being too busy is not.
    async fn draw<T: Send + 'static>(
        &self,
        document: &Document,
        act: impl FnOnce(&Pool, &Source) -> Result<T, Failure> + Send + 'static,
    ) -> Result<Result<T, Failure>, Error> {
        let _waiting = self.pages.queue.try_acquire().map_err(|_| Error::Overloaded)?;
        let turn = tokio::time::timeout(PATIENCE, self.pages.drawing.acquire()).await;
        let _turn = turn.ok().and_then(Result::ok).ok_or(Error::Overloaded)?;
        let source = Source {
            key: document.sha256,
            bytes: self.source(document).await?,
        };
        let pool = self.pages.pool.clone();
        let drawn = tokio::task::spawn_blocking(move || act(&pool, &source)).await;
        match drawn.map_err(|panic| Error::Internal(panic.into()))? {
            Err(Failure::Busy) => Err(Error::Overloaded),
            Err(failure @ (Failure::NoWorker | Failure::Crashed)) => {
                tracing::error!(%failure, document = %document.id, "a page cannot be drawn");
                Ok(Err(failure))
            }
            drawn => Ok(drawn),
        }
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
