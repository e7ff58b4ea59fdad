//! Wakes an idle worker after a commit that left it work.
//!
//! A wakeup carries no data: the work is in the database, where every instance finds it. A wakeup that no
//! worker waits for is kept for the next one that does.

use std::sync::Arc;
use tokio::sync::Notify;

/// A wakeup. Clones are the same one.
#[derive(Debug, Clone, Default)]
pub struct Bell(Arc<Notify>);

impl Bell {
    /// Wakes the worker that waits, or the next one that will.
    pub fn ring(&self) {
        self.0.notify_one();
    }

    /// Waits for a wakeup. Returns at once if one was sent since the last wait.
    pub async fn rung(&self) {
        self.0.notified().await;
    }
}
