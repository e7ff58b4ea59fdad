//! Holding things up, and letting them go.

use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use store::{Error, Store, Tx};

/// A gate that transactions wait at until it is opened.
#[derive(Clone, Default)]
pub(crate) struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    /// Blocks until the gate is open.
    pub(crate) fn pass(&self) {
        let (open, opened) = &*self.0;
        let limit = Duration::from_mins(5);
        let (open, _) = opened
            .wait_timeout_while(open.lock().unwrap(), limit, |open| !*open)
            .unwrap();
        assert!(*open, "the gate stayed shut");
    }

    pub(crate) fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }
}

/// Waits at the gate without blocking other tasks.
pub(crate) async fn opened(gate: &Gate) {
    while !*gate.0.0.lock().unwrap() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// A queued write that cannot run yet.
pub(crate) type Waiting<'s, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + 's>>;

/// Keeps every writer of the store at the gate: later transactions wait in the queue.
pub(crate) fn hold_writers<'s>(store: &'s Store, gate: &Gate) -> Vec<Waiting<'s, ()>> {
    // More of them than any engine has writers.
    let held = (0..40).map(|_| {
        let gate = gate.clone();
        waiting(store, move |_| {
            gate.pass();
            Ok(())
        })
    });
    held.collect()
}

/// Asks for a write while the writers are held.
pub(crate) fn waiting<T: Send + 'static>(
    store: &Store,
    act: impl FnOnce(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
) -> Waiting<'_, T> {
    pending(store.write(act))
}

/// The same for one that may be run again.
pub(crate) fn waiting_retryable<T: Send + 'static>(
    store: &Store,
    act: impl Fn(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
) -> Waiting<'_, T> {
    pending(store.write_retryable(act))
}

fn pending<'s, T>(asked: impl Future<Output = Result<T, Error>> + 's) -> Waiting<'s, T> {
    let mut asked: Waiting<'s, T> = Box::pin(asked);
    assert!(poll_once(asked.as_mut()).is_pending());
    asked
}

/// Polls a future once.
pub(crate) fn poll_once<F: Future + ?Sized>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}
