//! Pages of memory for documents, kept for some seconds after use.
//!
//! The system zeroes fresh pages one by one, which costs more than the copy into them. Idle pages keep their
//! permit, so they count against the memory limit; they are freed as soon as a request waits for memory.

use std::io;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use memmap2::{Advice, MmapMut};
use tokio::runtime::Handle;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

/// The size of a page.
pub(crate) const PAGE_BYTES: usize = 4096;

/// The size of a huge page.
const HUGE_PAGE_BYTES: u64 = 2 * 1024 * 1024;

/// How long idle pages are retained: at least this long, at most twice.
pub(super) const IDLE_TTL: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(super) struct PagePool {
    /// A mapping above this size is not pooled.
    max_bytes: u64,
    /// How many requests wait for memory.
    waiting: AtomicUsize,
    idle_list: Mutex<IdleList>,
}

#[derive(Debug, Default)]
struct IdleList {
    entries: Vec<IdlePages>,
    /// Whether a task runs that frees pages after their time.
    sweep_running: bool,
}

#[derive(Debug)]
struct IdlePages {
    pages: MmapMut,
    permit: OwnedSemaphorePermit,
    since: Instant,
}

/// A checked-out mapping. Its contents are unspecified: it may hold bytes of an earlier document.
#[derive(Debug)]
pub(crate) struct PooledPages {
    inner: Option<(MmapMut, OwnedSemaphorePermit)>,
    pool: Arc<PagePool>,
}

impl PagePool {
    pub(super) fn new(max_bytes: u64) -> Self {
        Self {
            max_bytes,
            waiting: AtomicUsize::new(0),
            idle_list: Mutex::default(),
        }
    }

    /// An idle mapping of that size, up to twice as large.
    pub(super) fn reuse(self: &Arc<Self>, bytes: u64) -> Option<PooledPages> {
        let mut idle_list = self.idle_list();
        let fits = |idle: &IdlePages| (bytes..=bytes.saturating_mul(2)).contains(&(idle.pages.len() as u64));
        let found = idle_list.entries.iter().position(fits)?;
        let IdlePages { pages, permit, .. } = idle_list.entries.swap_remove(found);
        drop(idle_list);
        Some(PooledPages {
            inner: Some((pages, permit)),
            pool: Arc::clone(self),
        })
    }

    /// Maps huge pages where the system has them: faults of small pages cost more than the copy.
    pub(super) fn allocate(
        self: &Arc<Self>,
        bytes: u64,
        permit: OwnedSemaphorePermit,
    ) -> io::Result<PooledPages> {
        let len = usize::try_from(bytes).map_err(io::Error::other)?;
        let pages = MmapMut::map_anon(len)?;
        let _ = pages.advise(Advice::HugePage);
        Ok(PooledPages {
            inner: Some((pages, permit)),
            pool: Arc::clone(self),
        })
    }

    /// Frees the idle pages.
    pub(super) fn clear(&self) {
        self.idle_list().entries.clear();
    }

    /// Counts a request that waits. While there is one, returned pages are freed instead of pooled.
    pub(super) fn count_waiting(&self) -> WaitingGuard<'_> {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        WaitingGuard(self)
    }

    fn put_back(self: &Arc<Self>, pages: MmapMut, permit: OwnedSemaphorePermit) {
        if pages.len() as u64 > self.max_bytes {
            return;
        }
        // Without a runtime no task would free the mapping later: it is freed now.
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        let mut idle_list = self.idle_list();
        if self.waiting.load(Ordering::SeqCst) > 0 {
            return;
        }
        let since = Instant::now();
        idle_list.entries.push(IdlePages { pages, permit, since });
        if !std::mem::replace(&mut idle_list.sweep_running, true) {
            runtime.spawn(Arc::clone(self).sweep());
        }
    }

    async fn sweep(self: Arc<Self>) {
        loop {
            tokio::time::sleep(IDLE_TTL).await;
            let mut idle_list = self.idle_list();
            idle_list.entries.retain(|idle| idle.since.elapsed() < IDLE_TTL);
            if idle_list.entries.is_empty() {
                idle_list.sweep_running = false;
                return;
            }
        }
    }

    fn idle_list(&self) -> MutexGuard<'_, IdleList> {
        self.idle_list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The length rounded up to full pages. The system aligns a mapping to huge pages only if its length is a
/// multiple of them; otherwise a part of it consists of small pages.
pub(super) fn rounded_to_pages(bytes: u64) -> u64 {
    let page = if bytes < HUGE_PAGE_BYTES {
        PAGE_BYTES as u64
    } else {
        HUGE_PAGE_BYTES
    };
    bytes.next_multiple_of(page)
}

/// A request that waits.
pub(super) struct WaitingGuard<'p>(&'p PagePool);

impl Drop for WaitingGuard<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Drop for PooledPages {
    fn drop(&mut self) {
        if let Some((pages, permit)) = self.inner.take() {
            self.pool.put_back(pages, permit);
        }
    }
}

impl Deref for PooledPages {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.inner.as_ref().map_or(&[], |(pages, _)| pages)
    }
}

impl DerefMut for PooledPages {
    fn deref_mut(&mut self) -> &mut [u8] {
        self.inner.as_mut().map_or(&mut [], |(pages, _)| pages)
    }
}

#[cfg(test)]
impl PagePool {
    /// How many mappings are idle.
    pub(super) fn idle(&self) -> usize {
        self.idle_list().entries.len()
    }

    /// How many requests wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::SeqCst)
    }
}
