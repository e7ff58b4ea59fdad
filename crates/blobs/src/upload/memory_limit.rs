//! A limit on the memory that documents take while they are uploaded, inspected and sent to a bucket.
//!
//! Used pages stay in a pool for some seconds. The system zeroes fresh pages one by one, which costs more
//! than the copy into them. Unused pages count against the limit, and are freed as soon as a request waits
//! for memory.

use std::io;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use memmap2::{Advice, MmapMut};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::Error;

/// Permits of the semaphore are counted in KiB.
const KIB: u64 = 1024;

/// Four documents of 10 MiB with their overhead, or one of the largest size.
pub(crate) const DEFAULT_MEMORY_LIMIT: u64 = 48 * 1024 * 1024;

/// The size of a page.
pub(crate) const PAGE_BYTES: usize = 4096;

/// The size of a huge page.
const HUGE_PAGE_BYTES: u64 = 2 * 1024 * 1024;

/// How long idle pages are retained: at least this long, at most twice.
const IDLE_TTL: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(crate) struct MemoryLimit {
    kib: u32,
    semaphore: Arc<Semaphore>,
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
    pool: Arc<MemoryLimit>,
}

impl MemoryLimit {
    pub(crate) fn new(bytes: u64) -> Self {
        let kib = u32::try_from(bytes.div_ceil(KIB)).unwrap_or(u32::MAX).max(1);
        let permits = usize::try_from(kib)
            .unwrap_or(usize::MAX)
            .min(Semaphore::MAX_PERMITS);
        Self {
            kib,
            semaphore: Arc::new(Semaphore::new(permits)),
            waiting: AtomicUsize::new(0),
            idle_list: Mutex::default(),
        }
    }

    /// Waits for `bytes`, first come first served. A request above the limit gets all of it.
    pub(crate) async fn acquire(&self, bytes: u64) -> Result<OwnedSemaphorePermit, Error> {
        let kib = u32::try_from(bytes.div_ceil(KIB))
            .unwrap_or(u32::MAX)
            .min(self.kib);
        if let Ok(permit) = Arc::clone(&self.semaphore).try_acquire_many_owned(kib) {
            return Ok(permit);
        }
        let _waiting = WaitingGuard::new(self);
        self.idle_list().entries.clear();
        Arc::clone(&self.semaphore)
            .acquire_many_owned(kib)
            .await
            .map_err(Error::interrupted)
    }

    /// Waits for pages that hold `bytes`.
    pub(crate) async fn acquire_pages(self: &Arc<Self>, bytes: u64) -> Result<PooledPages, Error> {
        let bytes = rounded_to_pages(bytes);
        if let Some(pages) = self.reuse(bytes) {
            return Ok(pages);
        }
        let permit = self.acquire(bytes).await?;
        let unavailable = |error| Error::io("cannot find memory for a document", error);
        self.allocate(bytes, permit).map_err(unavailable)
    }

    /// Gets pages that hold `bytes` without waiting, unless other requests wait for that memory.
    pub(crate) fn try_acquire_pages(self: &Arc<Self>, bytes: u64) -> Option<PooledPages> {
        let bytes = rounded_to_pages(bytes);
        if let Some(pages) = self.reuse(bytes) {
            return Some(pages);
        }
        let kib = u32::try_from(bytes.div_ceil(KIB)).ok()?;
        let acquire = || Arc::clone(&self.semaphore).try_acquire_many_owned(kib).ok();
        let permit = acquire().or_else(|| {
            self.idle_list().entries.clear();
            acquire()
        })?;
        self.allocate(bytes, permit).ok()
    }

    /// An idle mapping of that size, up to twice as large.
    fn reuse(self: &Arc<Self>, bytes: u64) -> Option<PooledPages> {
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
    fn allocate(self: &Arc<Self>, bytes: u64, permit: OwnedSemaphorePermit) -> io::Result<PooledPages> {
        let len = usize::try_from(bytes).map_err(io::Error::other)?;
        let pages = MmapMut::map_anon(len)?;
        let _ = pages.advise(Advice::HugePage);
        Ok(PooledPages {
            inner: Some((pages, permit)),
            pool: Arc::clone(self),
        })
    }

    fn put_back(self: &Arc<Self>, pages: MmapMut, permit: OwnedSemaphorePermit) {
        // A mapping above the limit is not pooled. Without a runtime no task would free it: not pooled
        // either.
        if pages.len() as u64 > u64::from(self.kib) * KIB {
            return;
        }
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
fn rounded_to_pages(bytes: u64) -> u64 {
    let page = if bytes < HUGE_PAGE_BYTES {
        PAGE_BYTES as u64
    } else {
        HUGE_PAGE_BYTES
    };
    bytes.next_multiple_of(page)
}

/// A request that waits. While there is one, returned pages are freed instead of pooled.
struct WaitingGuard<'b>(&'b MemoryLimit);

impl<'b> WaitingGuard<'b> {
    fn new(memory_limit: &'b MemoryLimit) -> Self {
        memory_limit.waiting.fetch_add(1, Ordering::SeqCst);
        Self(memory_limit)
    }
}

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
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_document_larger_than_the_limit_takes_all_of_it() {
        let memory_limit = MemoryLimit::new(10 * KIB);
        let all = memory_limit.acquire(1 << 40).await.unwrap();
        assert_eq!(memory_limit.semaphore.available_permits(), 0);
        drop(all);
        let _some = memory_limit.acquire(KIB + 1).await.unwrap();
        assert_eq!(memory_limit.semaphore.available_permits(), 8);
    }

    fn idle(memory_limit: &MemoryLimit) -> usize {
        memory_limit.idle_list().entries.len()
    }

    #[tokio::test(start_paused = true)]
    async fn idle_pages_are_reused_for_equal_or_smaller_requests() {
        let memory_limit = Arc::new(MemoryLimit::new(1 << 20));
        let first = memory_limit.acquire_pages(300_000).await.unwrap();
        let address = first.as_ptr();
        drop(first);
        assert_eq!(idle(&memory_limit), 1);
        let again = memory_limit.try_acquire_pages(200_000).unwrap();
        assert_eq!((again.as_ptr(), idle(&memory_limit)), (address, 0));
        drop(again);
        let more = memory_limit.try_acquire_pages(400_000).unwrap();
        assert_eq!(idle(&memory_limit), 1, "too few, and semaphore alone");
        drop(more);
        tokio::time::sleep(IDLE_TTL * 2).await;
        assert_eq!(idle(&memory_limit), 0);
        assert_eq!(memory_limit.semaphore.available_permits(), 1024);
    }

    #[tokio::test]
    async fn idle_pages_are_freed_when_memory_is_needed() {
        let memory_limit = Arc::new(MemoryLimit::new(1 << 20));
        drop(memory_limit.acquire_pages(900_000).await.unwrap());
        drop(memory_limit.acquire(1 << 20).await.unwrap());
        assert_eq!(idle(&memory_limit), 0);
        drop(memory_limit.acquire_pages(600_000).await.unwrap());
        drop(memory_limit.try_acquire_pages(1 << 20).unwrap());
        assert_eq!(idle(&memory_limit), 1);
        drop(memory_limit.acquire_pages(2 << 20).await.unwrap());
        assert_eq!(idle(&memory_limit), 0, "more than there may be");
    }

    #[tokio::test]
    async fn no_pages_stay_idle_while_a_request_waits() {
        let memory_limit = Arc::new(MemoryLimit::new(1 << 20));
        let pages = memory_limit.acquire_pages(900_000).await.unwrap();
        let waiting = tokio::spawn({
            let memory_limit = Arc::clone(&memory_limit);
            async move { memory_limit.acquire(1 << 20).await.unwrap() }
        });
        while memory_limit.waiting.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        assert!(
            memory_limit.try_acquire_pages(1).is_none(),
            "what is semaphore is for who waits"
        );
        drop(pages);
        drop(waiting.await.unwrap());
        assert_eq!(idle(&memory_limit), 0);
    }
}
