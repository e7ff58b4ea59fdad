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
const UNIT: u64 = 1024;

/// Four documents of 10 MiB with their overhead, or one of the largest size.
pub(crate) const DEFAULT: u64 = 48 * 1024 * 1024;

/// The size of a page.
pub(crate) const PAGE: usize = 4096;

/// The size of a huge page.
const LARGE: u64 = 2 * 1024 * 1024;

/// How long idle pages are retained: at least this long, at most twice.
const IDLE: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(crate) struct Budget {
    units: u32,
    left: Arc<Semaphore>,
    waiting: AtomicUsize,
    rest: Mutex<Rest>,
}

#[derive(Debug, Default)]
struct Rest {
    idle: Vec<Idle>,
    /// Whether a task runs that frees pages after their time.
    swept: bool,
}

#[derive(Debug)]
struct Idle {
    pages: MmapMut,
    taken: OwnedSemaphorePermit,
    since: Instant,
}

/// A checked-out mapping. Its contents are unspecified: it may hold bytes of an earlier document.
#[derive(Debug)]
pub(crate) struct Pages {
    lent: Option<(MmapMut, OwnedSemaphorePermit)>,
    home: Arc<Budget>,
}

impl Budget {
    pub(crate) fn new(bytes: u64) -> Self {
        let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).max(1);
        let permits = usize::try_from(units)
            .unwrap_or(usize::MAX)
            .min(Semaphore::MAX_PERMITS);
        Self {
            units,
            left: Arc::new(Semaphore::new(permits)),
            waiting: AtomicUsize::new(0),
            rest: Mutex::default(),
        }
    }

    /// Waits for `bytes`, first come first served. A request above the limit gets all of it.
    pub(crate) async fn take(&self, bytes: u64) -> Result<OwnedSemaphorePermit, Error> {
        let units = u32::try_from(bytes.div_ceil(UNIT))
            .unwrap_or(u32::MAX)
            .min(self.units);
        if let Ok(taken) = Arc::clone(&self.left).try_acquire_many_owned(units) {
            return Ok(taken);
        }
        let _waiting = Waiting::new(self);
        self.at_rest().idle.clear();
        Arc::clone(&self.left)
            .acquire_many_owned(units)
            .await
            .map_err(Error::interrupted)
    }

    /// Waits for pages that hold `bytes`.
    pub(crate) async fn pages(self: &Arc<Self>, bytes: u64) -> Result<Pages, Error> {
        let bytes = whole(bytes);
        if let Some(pages) = self.kept(bytes) {
            return Ok(pages);
        }
        let taken = self.take(bytes).await?;
        let unavailable = |error| Error::io("cannot find memory for a document", error);
        self.fresh(bytes, taken).map_err(unavailable)
    }

    /// Gets pages that hold `bytes` without waiting, unless other requests wait for that memory.
    pub(crate) fn pages_now(self: &Arc<Self>, bytes: u64) -> Option<Pages> {
        let bytes = whole(bytes);
        if let Some(pages) = self.kept(bytes) {
            return Some(pages);
        }
        let units = u32::try_from(bytes.div_ceil(UNIT)).ok()?;
        let acquire = || Arc::clone(&self.left).try_acquire_many_owned(units).ok();
        let taken = acquire().or_else(|| {
            self.at_rest().idle.clear();
            acquire()
        })?;
        self.fresh(bytes, taken).ok()
    }

    /// An idle mapping of that size, up to twice as large.
    fn kept(self: &Arc<Self>, bytes: u64) -> Option<Pages> {
        let mut rest = self.at_rest();
        let fits = |idle: &Idle| (bytes..=bytes.saturating_mul(2)).contains(&(idle.pages.len() as u64));
        let found = rest.idle.iter().position(fits)?;
        let Idle { pages, taken, .. } = rest.idle.swap_remove(found);
        drop(rest);
        Some(Pages {
            lent: Some((pages, taken)),
            home: Arc::clone(self),
        })
    }

    /// Maps huge pages where the system has them: faults of small pages cost more than the copy.
    fn fresh(self: &Arc<Self>, bytes: u64, taken: OwnedSemaphorePermit) -> io::Result<Pages> {
        let len = usize::try_from(bytes).map_err(io::Error::other)?;
        let pages = MmapMut::map_anon(len)?;
        let _ = pages.advise(Advice::HugePage);
        Ok(Pages {
            lent: Some((pages, taken)),
            home: Arc::clone(self),
        })
    }

    fn give_back(self: &Arc<Self>, pages: MmapMut, taken: OwnedSemaphorePermit) {
        // A mapping above the limit is not pooled. Without a runtime no task would free it: not pooled
        // either.
        if pages.len() as u64 > u64::from(self.units) * UNIT {
            return;
        }
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        let mut rest = self.at_rest();
        if self.waiting.load(Ordering::SeqCst) > 0 {
            return;
        }
        let since = Instant::now();
        rest.idle.push(Idle { pages, taken, since });
        if !std::mem::replace(&mut rest.swept, true) {
            runtime.spawn(Arc::clone(self).sweep());
        }
    }

    async fn sweep(self: Arc<Self>) {
        loop {
            tokio::time::sleep(IDLE).await;
            let mut rest = self.at_rest();
            rest.idle.retain(|idle| idle.since.elapsed() < IDLE);
            if rest.idle.is_empty() {
                rest.swept = false;
                return;
            }
        }
    }

    fn at_rest(&self) -> MutexGuard<'_, Rest> {
        self.rest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The length rounded up to full pages. The system aligns a mapping to huge pages only if its length is a
/// multiple of them; otherwise a part of it consists of small pages.
fn whole(bytes: u64) -> u64 {
    let page = if bytes < LARGE { PAGE as u64 } else { LARGE };
    bytes.next_multiple_of(page)
}

/// A request that waits. While there is one, returned pages are freed instead of pooled.
struct Waiting<'b>(&'b Budget);

impl<'b> Waiting<'b> {
    fn new(budget: &'b Budget) -> Self {
        budget.waiting.fetch_add(1, Ordering::SeqCst);
        Self(budget)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        if let Some((pages, taken)) = self.lent.take() {
            self.home.give_back(pages, taken);
        }
    }
}

impl Deref for Pages {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.lent.as_ref().map_or(&[], |(pages, _)| pages)
    }
}

impl DerefMut for Pages {
    fn deref_mut(&mut self) -> &mut [u8] {
        self.lent.as_mut().map_or(&mut [], |(pages, _)| pages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_document_larger_than_the_budget_takes_all_of_it() {
        let budget = Budget::new(10 * UNIT);
        let all = budget.take(1 << 40).await.unwrap();
        assert_eq!(budget.left.available_permits(), 0);
        drop(all);
        let _some = budget.take(UNIT + 1).await.unwrap();
        assert_eq!(budget.left.available_permits(), 8);
    }

    fn idle(budget: &Budget) -> usize {
        budget.at_rest().idle.len()
    }

    #[tokio::test(start_paused = true)]
    async fn pages_are_kept_for_a_moment_for_those_who_need_no_more() {
        let budget = Arc::new(Budget::new(1 << 20));
        let first = budget.pages(300_000).await.unwrap();
        let place = first.as_ptr();
        drop(first);
        assert_eq!(idle(&budget), 1);
        let again = budget.pages_now(200_000).unwrap();
        assert_eq!((again.as_ptr(), idle(&budget)), (place, 0));
        drop(again);
        let more = budget.pages_now(400_000).unwrap();
        assert_eq!(idle(&budget), 1, "too few, and left alone");
        drop(more);
        tokio::time::sleep(IDLE * 2).await;
        assert_eq!(idle(&budget), 0);
        assert_eq!(budget.left.available_permits(), 1024);
    }

    #[tokio::test]
    async fn idle_pages_are_let_go_for_whoever_needs_the_memory() {
        let budget = Arc::new(Budget::new(1 << 20));
        drop(budget.pages(900_000).await.unwrap());
        drop(budget.take(1 << 20).await.unwrap());
        assert_eq!(idle(&budget), 0);
        drop(budget.pages(600_000).await.unwrap());
        drop(budget.pages_now(1 << 20).unwrap());
        assert_eq!(idle(&budget), 1);
        drop(budget.pages(2 << 20).await.unwrap());
        assert_eq!(idle(&budget), 0, "more than there may be");
    }

    #[tokio::test]
    async fn nothing_is_kept_while_somebody_waits() {
        let budget = Arc::new(Budget::new(1 << 20));
        let pages = budget.pages(900_000).await.unwrap();
        let waiting = tokio::spawn({
            let budget = Arc::clone(&budget);
            async move { budget.take(1 << 20).await.unwrap() }
        });
        while budget.waiting.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        assert!(budget.pages_now(1).is_none(), "what is left is for who waits");
        drop(pages);
        drop(waiting.await.unwrap());
        assert_eq!(idle(&budget), 0);
    }
}
