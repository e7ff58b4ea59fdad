//! Pages of documents as images and as text, drawn by child processes and kept for a while. How many are drawn at
//! once, how many wait, and what is kept in memory have bounds; companies, and the people of each, take turns.

mod fair_queue;
mod page_cache;
mod search;

pub use search::{PageMatch, PageSearch};

use crate::{App, Error};
use bytes::Bytes;
use domain::{CompanyId, Document, SignerSessionId, UserId};
use fair_queue::{Bounds, FairQueue, Full};
use page_cache::PageCache;
use render::{
    Failure, ImageFormat, Launch, Limits, PageSize, PageText, Photographs, Pool, Rendered, Sandbox, Source,
};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use store::DocumentLookup;

/// The width of a page in an index: too small to be read.
pub const THUMBNAIL_WIDTH: u32 = 180;
/// The widths at which pages are drawn.
pub const WIDTHS: [u32; 4] = [THUMBNAIL_WIDTH, 720, 1080, 1440];

/// Bytes of images and texts that are kept.
const PAGE_CACHE_BYTES: u64 = 32 << 20;
/// Bytes of documents that are kept for their next page.
const DOCUMENT_CACHE_BYTES: u64 = 32 << 20;
/// Pages of one requester that are drawn at the same time.
const MAX_REQUESTER_DRAWS: usize = 2;
/// Pages of one requester that may wait to be drawn: more than a page of ours shows together.
const MAX_REQUESTER_QUEUED: usize = 24;
/// Pages of one company that may wait to be drawn.
const MAX_COMPANY_QUEUED: usize = 64;
/// Pages that may wait to be drawn.
const MAX_QUEUED: usize = 256;
/// How long a page may wait to be drawn, unless the limits say otherwise.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(15);
/// After how long a requester with too many pages may ask again.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// The bytes of a page with photographic content. The narrowest image is what a phone gets first.
const fn max_photograph_bytes(width: u32) -> usize {
    match width {
        ..=THUMBNAIL_WIDTH => 12_000,
        181..=720 => 120_000,
        721..=1080 => 350_000,
        _ => 700_000,
    }
}

/// Who asks for a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Requester {
    /// Whose document it is.
    pub company: CompanyId,
    /// The viewer, who takes turns with the others of the company.
    pub viewer: PageViewer,
}

/// A person who looks at pages: a signer or a panel user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PageViewer {
    /// A signer, by the session.
    Signer(SignerSessionId),
    /// A panel user.
    User(UserId),
}

/// A page as it can be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Drawn {
    /// As readers show it.
    Faithful(Picture),
    /// Something on it was not understood.
    WithWarnings(Picture),
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
    /// The format of the file.
    pub format: ImageFormat,
    /// The image file.
    pub file: Bytes,
}

/// A page to be read aloud.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// Its text; nothing where there is none, or none that can be read.
    pub text: String,
    /// Whether that is all of it.
    pub complete: bool,
}

/// Draws pages. Clones of the application share it.
#[derive(Debug)]
pub struct PageRenderer {
    pool: Pool,
    queue: Arc<FairQueue<PageViewer>>,
    /// How long a page may wait to be drawn.
    queue_timeout: Duration,
    /// Whether the log has the warning that workers have no sandbox.
    has_warned: AtomicBool,
    sources: PageCache<[u8; 32], Arc<[u8]>>,
    drawn: PageCache<([u8; 32], u32, u32, ImageFormat), Drawn>,
    read: PageCache<([u8; 32], u32), Arc<Read>>,
    sizes: PageCache<[u8; 32], Arc<[PageSize]>>,
}

impl PageRenderer {
    /// Drawn by workers that are started like this.
    pub fn new(launch: Launch) -> Self {
        let mut limits = Limits::default();
        limits.wait = QUEUE_TIMEOUT;
        Self::with_limits(launch, limits)
    }

    /// The same, with other limits of the workers. A page waits for one as long as the limits say.
    pub fn with_limits(launch: Launch, limits: Limits) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get().clamp(1, 4));
        // One more than the machine draws at once is for a company that has none; so one requester never has all that
        // a company may have, nor one company all there are.
        let draws = (cores + 1).max(MAX_REQUESTER_DRAWS + 2);
        let queue_timeout = limits.wait;
        let bounds = Bounds {
            draws,
            requester_draws: MAX_REQUESTER_DRAWS,
            requester_queue: MAX_REQUESTER_QUEUED,
            company_queue: MAX_COMPANY_QUEUED,
            queue: MAX_QUEUED,
        };
        Self {
            pool: Pool::new(launch, draws, limits),
            queue: Arc::new(FairQueue::new(bounds)),
            queue_timeout,
            has_warned: AtomicBool::new(false),
            sources: page_cache::with_capacity(DOCUMENT_CACHE_BYTES),
            drawn: page_cache::with_capacity(PAGE_CACHE_BYTES),
            read: page_cache::with_capacity(PAGE_CACHE_BYTES / 8),
            sizes: page_cache::with_capacity(PAGE_CACHE_BYTES / 8),
        }
    }

    /// Drawn by this program itself, in its hidden command for it.
    pub fn of_this_program() -> Self {
        Self::new(Launch {
            program: std::env::current_exe().unwrap_or_else(|_| PathBuf::from("firmeza")),
            arguments: vec![OsString::from("render-worker")],
        })
    }

    /// Pages that wait to be drawn, and pages that are being drawn.
    pub fn queue_depths(&self) -> (usize, usize) {
        self.queue.depths()
    }

    /// The sandbox of the workers; starts a worker to learn it. Blocks.
    pub fn sandbox(&self) -> Result<Sandbox, Failure> {
        self.pool.try_sandbox()
    }

    /// Has a worker do something with a document, and caches the result. A worker does not stop when a request is
    /// dropped: until it is done the permit stays taken, and what it drew is there for the next request.
    async fn draw<A: 'static, T: Send + 'static>(
        self: &Arc<Self>,
        requester: Requester,
        source: impl Future<Output = Result<Source, Error>>,
        act: impl FnOnce(&Pool, &Source) -> Result<A, Failure> + Send + 'static,
        keep: impl FnOnce(&Self, Result<A, Failure>) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let permit = self.queue.acquire(requester.company, requester.viewer);
        let permit = tokio::time::timeout(self.queue_timeout, permit).await;
        let permit = permit
            .map_err(|_| Error::Overloaded)?
            .map_err(|full| match full {
                Full::Requester => Error::TooOften {
                    retry_after: RETRY_AFTER,
                },
                Full::Queue => Error::Overloaded,
            })?;
        let source = source.await?;
        let pages = Arc::clone(self);
        let drawn = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let drawn = act(&pages.pool, &source);
            pages.warn_of_open_workers();
            match drawn {
                Err(Failure::Busy) => Err(Error::Overloaded),
                drawn => Ok(keep(&pages, drawn)),
            }
        });
        drawn.await.map_err(|panic| Error::Internal(panic.into()))?
    }

    /// Tells the log, once, that a file that takes a worker over has what the service's own user has.
    fn warn_of_open_workers(&self) {
        let is_open = self.pool.sandbox().is_some_and(|sandbox| !sandbox.holds());
        if is_open && !self.has_warned.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                "SECURITY: this system has no seccomp: a PDF that takes a render worker over can read what this user \
                 can, the master key included"
            );
        }
    }
}

impl App {
    /// A page of a document, as it was sent or as it is now, counted from one, at one of [`WIDTHS`]. A page with
    /// photographic content has the format that is given; others are PNG.
    pub async fn page_image(
        &self,
        requester: Requester,
        document: &Document,
        page: u32,
        width: u32,
        photographs: ImageFormat,
    ) -> Result<Drawn, Error> {
        let key = (document.sha256, page, width, photographs);
        if let Some(drawn) = self.pages.drawn.get(&key) {
            return Ok(drawn);
        }
        let keep = move |pages: &PageRenderer, drawn: Result<Rendered, Failure>| {
            let picture = |picture: render::Picture| Picture {
                width: picture.width,
                height: picture.height,
                format: picture.format,
                file: picture.file.into(),
            };
            let drawn = match drawn {
                Ok(Rendered::Faithful(seen)) => Drawn::Faithful(picture(seen)),
                Ok(Rendered::WithWarnings { picture: seen, .. }) => Drawn::WithWarnings(picture(seen)),
                // A worker that could not be started may be started the next time.
                Err(Failure::NoWorker) => return Drawn::Failed,
                Err(_) => Drawn::Failed,
            };
            pages.drawn.insert(key, drawn.clone());
            drawn
        };
        let photographs = match photographs {
            ImageFormat::Jpeg => Photographs::Jpeg {
                max_bytes: max_photograph_bytes(width),
            },
            _ => Photographs::Png,
        };
        let act = move |pool: &Pool, source: &Source| {
            pool.image_with(source, page.saturating_sub(1), width, photographs)
        };
        self.draw(requester, document, act, keep).await
    }

    /// The text of a page of a document, counted from one.
    pub async fn page_text(
        &self,
        requester: Requester,
        document: &Document,
        page: u32,
    ) -> Result<Arc<Read>, Error> {
        let key = (document.sha256, page);
        if let Some(read) = self.pages.read.get(&key) {
            return Ok(read);
        }
        let keep = move |pages: &PageRenderer, read: Result<PageText, Failure>| {
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
            pages.read.insert(key, read.clone());
            read
        };
        let act = move |pool: &Pool, source: &Source| pool.text(source, page.saturating_sub(1));
        self.draw(requester, document, act, keep).await
    }

    /// The sizes of all pages of a document; `None` if they are not known.
    pub async fn page_sizes(
        &self,
        requester: Requester,
        document: &Document,
    ) -> Result<Arc<[PageSize]>, Error> {
        let key = document.sha256;
        if let Some(sizes) = self.pages.sizes.get(&key) {
            return Ok(sizes);
        }
        let keep = move |pages: &PageRenderer, sizes: Result<Vec<PageSize>, Failure>| {
            let sizes: Arc<[PageSize]> = sizes.unwrap_or_default().into();
            pages.sizes.insert(key, sizes.clone());
            sizes
        };
        self.draw(requester, document, Pool::sizes, keep).await
    }

    /// Has a worker do something with a document. What cannot be drawn is an answer; being too busy is not.
    async fn draw<A: 'static, T: Send + 'static>(
        &self,
        requester: Requester,
        document: &Document,
        act: impl FnOnce(&Pool, &Source) -> Result<A, Failure> + Send + 'static,
        keep: impl FnOnce(&PageRenderer, Result<A, Failure>) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let source = async {
            Ok::<_, Error>(Source {
                key: document.sha256,
                bytes: self.source(requester.company, document).await?,
            })
        };
        let document = document.id;
        let keep = move |pages: &PageRenderer, drawn: Result<A, Failure>| {
            if let Err(failure @ (Failure::NoWorker | Failure::Crashed)) = &drawn {
                tracing::error!(%failure, %document, "a page cannot be drawn");
            }
            keep(pages, drawn)
        };
        self.pages.draw(requester, source, act, keep).await
    }

    /// The bytes of a document. Only whole ones are drawn, and kept.
    async fn source(&self, company: CompanyId, document: &Document) -> Result<Arc<[u8]>, Error> {
        if let Some(bytes) = self.pages.sources.get(&document.sha256) {
            return Ok(bytes);
        }
        let bytes: Arc<[u8]> = match self.signed_version(company, document).await? {
            Some(bytes) => bytes.as_ref().into(),
            None => self.whole_document(company, document).await?.as_ref().into(),
        };
        self.pages.sources.insert(document.sha256, bytes.clone());
        Ok(bytes)
    }

    /// The bytes of the document with its signatures, if that is the version which is asked for.
    async fn signed_version(&self, company: CompanyId, document: &Document) -> Result<Option<Bytes>, Error> {
        let id = document.id;
        let found = self.store.read(move |tx| tx.find_document(company, id)).await?;
        let DocumentLookup::Own(file) = found else {
            return Err(Error::NotFound);
        };
        if file.sha256 != document.sha256 || file.sha256 == file.original {
            return Ok(None);
        }
        let reader = self.document_bytes(&file, 0..file.size).await?;
        let bytes = reader.bytes().await?;
        let hash: [u8; 32] = Sha256::digest(&bytes).into();
        if hash == file.sha256 {
            Ok(Some(bytes))
        } else {
            Err(Error::DocumentUnavailable)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::FolioId;
    use std::sync::{Mutex, mpsc};

    const KEY: [u8; 32] = [7; 32];

    /// Its pages wait as long as a busy machine takes. No worker is started.
    fn renderer() -> Arc<PageRenderer> {
        let launch = Launch {
            program: PathBuf::from("firmeza"),
            arguments: Vec::new(),
        };
        let mut limits = Limits::default();
        limits.wait = Duration::from_hours(1);
        Arc::new(PageRenderer::with_limits(launch, limits))
    }

    fn requester(number: u8) -> Requester {
        let folio = FolioId::from_bytes([number; 16]);
        Requester {
            company: CompanyId(number.into()),
            viewer: PageViewer::Signer(SignerSessionId::from_bytes(*folio.as_bytes())),
        }
    }

    fn nothing() -> std::future::Ready<Result<Source, Error>> {
        std::future::ready(Ok(Source {
            key: KEY,
            bytes: Arc::default(),
        }))
    }

    #[tokio::test]
    async fn a_page_that_no_request_waits_for_keeps_its_permit_and_is_kept() {
        let pages = renderer();
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let (end, ended) = mpsc::channel::<()>();
        let act = move |_: &Pool, _: &Source| {
            begun.send(()).unwrap();
            ended.recv().unwrap();
            Ok(())
        };
        let keep = |pages: &PageRenderer, _: Result<(), Failure>| pages.sizes.insert(KEY, Arc::default());
        tokio::select! {
            biased;
            _ = pages.draw(requester(1), nothing(), act, keep) => unreachable!("it has not ended"),
            started = has_begun => started.unwrap(),
        }
        // The request is gone.
        assert_eq!(pages.queue.depth(), (1, 0));
        end.send(()).unwrap();
        while pages.queue.depth() != (0, 0) {
            tokio::task::yield_now().await;
        }
        assert!(pages.sizes.get(&KEY).is_some());
    }

    #[tokio::test]
    async fn forty_slow_pages_of_one_requester_keep_no_other_company_waiting() {
        let pages = renderer();
        // Until the sender is dropped, the pages take as long.
        let (slow, gate) = mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let draws: Vec<_> = (0..40)
            .map(|_| {
                let (pages, gate) = (Arc::clone(&pages), Arc::clone(&gate));
                tokio::spawn(async move {
                    let act = move |_: &Pool, _: &Source| {
                        gate.lock().unwrap().recv().unwrap_err();
                        Ok(())
                    };
                    pages.draw(requester(1), nothing(), act, |_, _| ()).await
                })
            })
            .collect();
        while draws.iter().filter(|draw| draw.is_finished()).count()
            < 40 - MAX_REQUESTER_DRAWS - MAX_REQUESTER_QUEUED
        {
            tokio::task::yield_now().await;
        }
        assert_eq!(pages.queue.depth(), (MAX_REQUESTER_DRAWS, MAX_REQUESTER_QUEUED));
        // Not one of the slow pages has ended.
        let other = pages.draw(requester(2), nothing(), |_, _| Ok(()), |_, _| ());
        other.await.unwrap();
        drop(slow);
        let mut refused = 0;
        for draw in draws {
            match draw.await.unwrap() {
                Ok(()) => {}
                Err(Error::TooOften { .. }) => refused += 1,
                Err(other) => panic!("{other}"),
            }
        }
        assert_eq!(refused, 40 - MAX_REQUESTER_DRAWS - MAX_REQUESTER_QUEUED);
    }
}
