//! A limit on the memory that documents take while they are uploaded, inspected and sent to a bucket.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::page_pool::{PagePool, PooledPages, rounded_to_pages};
use crate::Error;

/// Permits of the semaphore are counted in KiB.
const KIB: u64 = 1024;

/// Four documents of 10 MiB with their overhead, or one of the largest size.
pub(crate) const DEFAULT_MEMORY_LIMIT: u64 = 48 * 1024 * 1024;

#[derive(Debug)]
pub(crate) struct MemoryLimit {
    kib: u32,
    semaphore: Arc<Semaphore>,
    pool: Arc<PagePool>,
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
            pool: Arc::new(PagePool::new(u64::from(kib) * KIB)),
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
        let _waiting = self.pool.count_waiting();
        self.pool.clear();
        Arc::clone(&self.semaphore)
            .acquire_many_owned(kib)
            .await
            .map_err(Error::interrupted)
    }

    /// Waits for pages that hold `bytes`.
    pub(crate) async fn acquire_pages(&self, bytes: u64) -> Result<PooledPages, Error> {
        let bytes = rounded_to_pages(bytes);
        if let Some(pages) = self.pool.reuse(bytes) {
            return Ok(pages);
        }
        let permit = self.acquire(bytes).await?;
        let unavailable = |error| Error::io("cannot find memory for a document", error);
        self.pool.allocate(bytes, permit).map_err(unavailable)
    }

    /// Gets pages that hold `bytes` without waiting, unless other requests wait for that memory.
    pub(crate) fn try_acquire_pages(&self, bytes: u64) -> Option<PooledPages> {
        let bytes = rounded_to_pages(bytes);
        if let Some(pages) = self.pool.reuse(bytes) {
            return Some(pages);
        }
        let kib = u32::try_from(bytes.div_ceil(KIB)).ok()?;
        let acquire = || Arc::clone(&self.semaphore).try_acquire_many_owned(kib).ok();
        let permit = acquire().or_else(|| {
            self.pool.clear();
            acquire()
        })?;
        self.pool.allocate(bytes, permit).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::super::page_pool::IDLE_TTL;
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
        memory_limit.pool.idle()
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
        assert_eq!(idle(&memory_limit), 1, "too small to be reused");
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
        while memory_limit.pool.waiting() == 0 {
            tokio::task::yield_now().await;
        }
        assert!(
            memory_limit.try_acquire_pages(1).is_none(),
            "free memory is for the request that waits"
        );
        drop(pages);
        drop(waiting.await.unwrap());
        assert_eq!(idle(&memory_limit), 0);
    }
}
