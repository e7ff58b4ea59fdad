//! Proves that the database takes writes, by a write: a server that became a standby, a full disk and a missing
//! synchronous standby answer reads as before.

use app::App;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How long a proof counts. Balancers may ask as often as they like: this is how often a row is written.
const PROOF_LIFETIME: Duration = Duration::from_secs(2);

/// When a write was last proved.
#[derive(Debug, Default)]
pub(crate) struct WriteProbe(Mutex<Option<Instant>>);

impl WriteProbe {
    /// Whether the database took a write just now, or a moment ago.
    pub(crate) async fn check(&self, app: &App, timeout: Duration) -> bool {
        tokio::time::timeout(timeout, self.prove(app))
            .await
            .unwrap_or(false)
    }

    /// Concurrent callers share one write.
    async fn prove(&self, app: &App) -> bool {
        let mut proved = self.0.lock().await;
        if proved.is_some_and(|at| at.elapsed() < PROOF_LIFETIME) {
            return true;
        }
        let now = app.clock.now();
        let written = app.store.write(move |tx| tx.prove_write(now)).await;
        *proved = written.is_ok().then(Instant::now);
        proved.is_some()
    }
}
