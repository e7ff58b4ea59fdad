//! Limits how many requests do something expensive at the same time, how many wait, and for how long. A permit is
//! taken before anything is read, so that a waiting request holds no memory.

use crate::Error;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The limits of an admission queue.
#[derive(Debug, Clone, Copy)]
pub struct AdmissionLimits {
    /// Requests that run at the same time.
    pub running: usize,
    /// Requests that run or wait.
    pub admitted: usize,
    /// How long a request waits for its permit.
    pub timeout: Duration,
}

/// A bounded queue for a bounded number of running requests. Clones share it.
#[derive(Debug, Clone)]
pub struct AdmissionQueue {
    admitted: Arc<Semaphore>,
    running: Arc<Semaphore>,
    timeout: Duration,
}

/// The right to run, until it is dropped.
#[derive(Debug)]
pub struct AdmissionPermit {
    _running: OwnedSemaphorePermit,
    _admitted: OwnedSemaphorePermit,
}

impl AdmissionQueue {
    /// An empty queue.
    pub fn new(limits: AdmissionLimits) -> Self {
        Self {
            admitted: Arc::new(Semaphore::new(limits.admitted)),
            running: Arc::new(Semaphore::new(limits.running)),
            timeout: limits.timeout,
        }
    }

    /// Waits for a permit. Refused at once if too many wait, and after the timeout.
    pub async fn acquire(&self) -> Result<AdmissionPermit, Error> {
        let admitted = Arc::clone(&self.admitted).try_acquire_owned();
        let admitted = admitted.map_err(|_| Error::Overloaded)?;
        let running = Arc::clone(&self.running).acquire_owned();
        let running = tokio::time::timeout(self.timeout, running).await;
        Ok(AdmissionPermit {
            _running: running.ok().and_then(Result::ok).ok_or(Error::Overloaded)?,
            _admitted: admitted,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::task::{Context, Waker};

    #[tokio::test]
    async fn a_few_at_once_and_not_many_behind_them() {
        let queue = AdmissionQueue::new(AdmissionLimits {
            running: 4,
            admitted: 32,
            timeout: Duration::from_secs(15),
        });
        let mut taken = Vec::new();
        for _ in 0..4 {
            taken.push(queue.acquire().await.unwrap());
        }
        let mut waiting = Vec::new();
        for _ in 4..32 {
            let mut next = Box::pin(queue.acquire());
            let now = next.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            assert!(now.is_pending());
            waiting.push(next);
        }
        assert!(matches!(queue.acquire().await, Err(Error::Overloaded)));
        // A dropped permit passes to the next request; a dropped future leaves the queue.
        drop(taken.pop());
        let first = waiting.remove(0).await;
        assert!(first.is_ok());
        drop(waiting.pop());
        let mut late = Box::pin(queue.acquire());
        let now = late.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(now.is_pending());
    }
}
