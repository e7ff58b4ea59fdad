//! A worker that panics starts again. Ending the program would be no better: a row at which a worker panics is still there
//! after a restart, and signers would find no service meanwhile.

use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

/// The time between a panic and the next start.
const RESTART_PAUSE: Duration = Duration::from_secs(5);

/// Runs a worker, and again whenever it panics, until it ends by itself. Locks that a panic poisons are used on by all who
/// share them.
pub async fn keep_running<F: Future<Output = ()>>(name: &'static str, worker: impl Fn() -> F) {
    restart_after(RESTART_PAUSE, name, worker).await;
}

async fn restart_after<F: Future<Output = ()>>(pause: Duration, name: &'static str, worker: impl Fn() -> F) {
    while AssertUnwindSafe(worker()).catch_unwind().await.is_err() {
        // The panic itself is on standard error.
        tracing::error!(worker = name, "a worker panicked; it starts again");
        tokio::time::sleep(pause).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[tokio::test]
    async fn a_worker_that_panics_starts_again() {
        let runs = AtomicUsize::new(0);
        restart_after(Duration::ZERO, "test", || {
            let run = runs.fetch_add(1, Ordering::Relaxed);
            async move { assert!(run > 0, "the first run panics") }
        })
        .await;
        assert_eq!(runs.into_inner(), 2);
    }
}
