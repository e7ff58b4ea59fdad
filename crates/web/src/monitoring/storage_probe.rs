//! Proves that the document storage takes writes, by a write: a full disk and a bucket without permission answer reads as
//! before.

use super::single_flight::SingleFlight;
use app::App;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How long an outcome counts. In S3 a probe is three requests, which cost money.
const OUTCOME_LIFETIME: Duration = Duration::from_secs(30);

/// Tries the storage.
#[derive(Debug, Default)]
pub(crate) struct StorageProbe {
    /// When it was last tried, and whether it took the write.
    last: Mutex<Option<(Instant, bool)>>,
    trial: SingleFlight<bool>,
}

impl StorageProbe {
    /// Whether the storage took a write within the last half minute.
    pub(crate) async fn check(&self, app: &App, timeout: Duration) -> bool {
        let mut last = self.last.lock().await;
        if let Some((at, written)) = *last
            && at.elapsed() < OUTCOME_LIFETIME
        {
            return written;
        }
        let blobs = app.blobs.clone();
        // One that takes longer goes on by itself: it must remove what it wrote.
        let trial = async move { blobs.check().await.is_ok() && blobs.probe().await.is_ok() };
        let written = self.trial.ask(timeout, trial).await.unwrap_or(false);
        *last = Some((Instant::now(), written));
        written
    }
}
