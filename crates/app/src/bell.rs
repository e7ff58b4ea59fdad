//! The bell that acts ring after a commit that wrote messages, so that an idle worker looks at once.
//!
//! It carries nothing: what is to be sent stands in the database, where every instance finds it. A ring that
//! nobody hears is not lost either; the next to wait hears it.

use std::sync::Arc;
use tokio::sync::Notify;

/// A bell. Clones are the same one.
#[derive(Debug, Clone, Default)]
pub struct Bell(Arc<Notify>);

impl Bell {
    /// Says that there is something to send.
    pub fn ring(&self) {
        self.0.notify_one();
    }

    /// Waits for the next ring, or returns at once after one that was not heard yet.
    pub async fn rung(&self) {
        self.0.notified().await;
    }
}
