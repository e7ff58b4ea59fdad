//! Proves that the document storage takes writes, by a write: a full disk and a bucket without permission answer reads as
//! before.

use app::App;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How long an outcome counts. In S3 a probe is three requests, which cost money.
const OUTCOME_LIFETIME: Duration = Duration::from_secs(30);

/// When the storage was last tried, and whether it took the write.
#[derive(Debug, Default)]
pub(crate) struct StorageProbe(Mutex<Option<(Instant, bool)>>);

impl StorageProbe {
    /// Whether the storage took a write within the last half minute.
    pub(crate) async fn check(&self, app: &App, timeout: Duration) -> bool {
        let mut last = self.0.lock().await;
        if let Some((at, written)) = *last
            && at.elapsed() < OUTCOME_LIFETIME
        {
            return written;
        }
        let blobs = app.blobs.clone();
        // A probe that takes longer goes on by itself: it must remove what it wrote.
        let probe = tokio::spawn(async move {
            blobs.check().await?;
            blobs.probe().await
        });
        let written = matches!(tokio::time::timeout(timeout, probe).await, Ok(Ok(Ok(()))));
        *last = Some((Instant::now(), written));
        written
    }
}
