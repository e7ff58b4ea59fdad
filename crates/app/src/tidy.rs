//! Housekeeping that no request waits for: old answers forgotten, orphaned blobs swept.

use crate::App;
use domain::limits::{IDEMPOTENCY_LIFETIME, LOCK};
use std::time::Duration;

/// How often it is done.
const PERIOD: Duration = Duration::from_hours(1);

impl App {
    /// Tidies up every hour, until the task is dropped. Several instances may do so at once.
    pub async fn tidy_for_ever(self) {
        let mut period = tokio::time::interval(PERIOD);
        loop {
            period.tick().await;
            let oldest = self.clock.now().before(IDEMPOTENCY_LIFETIME);
            match self.store.write(move |tx| tx.forget_answers(oldest)).await {
                Ok(forgotten) => tracing::debug!(forgotten, "old answers forgotten"),
                Err(error) => tracing::warn!(%error, "old answers could not be forgotten"),
            }
            let yesterday = self.clock.now().before(LOCK);
            if let Err(error) = self.store.write(move |tx| tx.forget_codes(yesterday)).await {
                tracing::warn!(%error, "old codes could not be forgotten");
            }
            match self.sweep_blobs().await {
                Ok(swept) => tracing::debug!(?swept, "blobs swept"),
                Err(error) => tracing::warn!(%error, "blobs could not be swept"),
            }
        }
    }
}
