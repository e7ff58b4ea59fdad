//! Limits how many requests make evidence at the same time, how many wait, and for how long. A permit is
//! taken before anything is read, so that a waiting request holds no memory.

use crate::Error;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Requests that run at the same time.
const MAX_RUNNING: usize = 4;
/// Requests that run or wait.
const MAX_ADMITTED: usize = 32;
/// How long a request waits for its permit.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(15);

/// A bounded queue for a bounded number of running requests.
#[derive(Debug)]
pub(crate) struct AdmissionQueue {
    queue: Arc<Semaphore>,
    making: Arc<Semaphore>,
}

/// The right to run, until it is dropped.
#[derive(Debug)]
pub(crate) struct AdmissionPermit {
    _making: OwnedSemaphorePermit,
    _waiting: OwnedSemaphorePermit,
}

impl AdmissionQueue {
    pub(crate) fn new() -> Self {
        Self {
            queue: Arc::new(Semaphore::new(MAX_ADMITTED)),
            making: Arc::new(Semaphore::new(MAX_RUNNING)),
        }
    }

    /// Waits for a permit. Refused at once if too many wait, and after the timeout.
    pub(crate) async fn acquire(&self) -> Result<AdmissionPermit, Error> {
        let queue = Arc::clone(&self.queue);
        let waiting = queue.try_acquire_owned().map_err(|_| Error::Overloaded)?;
        let making = Arc::clone(&self.making).acquire_owned();
        let making = tokio::time::timeout(QUEUE_TIMEOUT, making).await;
        Ok(AdmissionPermit {
            _making: making.ok().and_then(Result::ok).ok_or(Error::Overloaded)?,
            _waiting: waiting,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::task::{Context, Waker};

    #[tokio::test]
    async fn a_few_at_once_and_not_many_behind_them() {
        let queue = AdmissionQueue::new();
        let mut taken = Vec::new();
        for _ in 0..MAX_RUNNING {
            taken.push(queue.acquire().await.unwrap());
        }
        let mut waiting = Vec::new();
        for _ in MAX_RUNNING..MAX_ADMITTED {
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
