//! Limits how many requests make evidence at the same time, how many wait, and for how long. A permit is
//! taken before anything is read, so that a waiting request holds no memory.

use crate::Error;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Requests that run at the same time.
const AT_ONCE: usize = 4;
/// Requests that run or wait.
const QUEUE: usize = 32;
/// How long a request waits for its permit.
const PATIENCE: Duration = Duration::from_secs(15);

/// A bounded queue for a bounded number of running requests.
#[derive(Debug)]
pub(crate) struct Turns {
    queue: Arc<Semaphore>,
    making: Arc<Semaphore>,
}

/// The right to run, until it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    _making: OwnedSemaphorePermit,
    _waiting: OwnedSemaphorePermit,
}

impl Turns {
    pub(crate) fn new() -> Self {
        Self {
            queue: Arc::new(Semaphore::new(QUEUE)),
            making: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }

    /// Waits for a permit. Refused at once if too many wait, and after the timeout.
    pub(super) async fn take(&self) -> Result<Turn, Error> {
        let queue = Arc::clone(&self.queue);
        let waiting = queue.try_acquire_owned().map_err(|_| Error::Overloaded)?;
        let making = Arc::clone(&self.making).acquire_owned();
        let making = tokio::time::timeout(PATIENCE, making).await;
        Ok(Turn {
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
        let turns = Turns::new();
        let mut taken = Vec::new();
        for _ in 0..AT_ONCE {
            taken.push(turns.take().await.unwrap());
        }
        let mut waiting = Vec::new();
        for _ in AT_ONCE..QUEUE {
            let mut next = Box::pin(turns.take());
            let now = next.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            assert!(now.is_pending());
            waiting.push(next);
        }
        assert!(matches!(turns.take().await, Err(Error::Overloaded)));
        // A dropped permit passes to the next request; a dropped future leaves the queue.
        drop(taken.pop());
        let first = waiting.remove(0).await;
        assert!(first.is_ok());
        drop(waiting.pop());
        let mut late = Box::pin(turns.take());
        let now = late.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(now.is_pending());
    }
}
