//! Wakes an idle worker after a commit that left it work.
//!
//! A wakeup carries no data: the work is in the database, where every instance finds it. A wakeup that no
//! worker waits for is kept for the next one that does.

use std::sync::Arc;
use tokio::sync::Notify;

/// A wakeup. Clones are the same one.
#[derive(Debug, Clone, Default)]
pub struct Wakeup(Arc<Notify>);

impl Wakeup {
    /// Wakes the worker that waits, or the next one that will.
    pub fn notify(&self) {
        self.0.notify_one();
    }

    /// Waits for a wakeup. Returns at once if one was sent since the last wait.
    pub async fn notified(&self) {
        self.0.notified().await;
    }
}

/// One wakeup for each worker. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Wakeups {
    /// After a commit that changed folios.
    pub projector: Wakeup,
    /// After a commit that planned webhook events.
    pub webhooks: Wakeup,
    /// After a commit that completed a folio.
    pub extensions: Wakeup,
    /// After a commit that planned reminders.
    pub reminders: Wakeup,
    /// After a commit that wrote messages to signers.
    pub outbox: Wakeup,
    /// After a commit that wrote an email to a panel user.
    pub account_emails: Wakeup,
}

impl Wakeups {
    /// Wakes every worker.
    pub fn notify_all(&self) {
        for wakeup in [
            &self.projector,
            &self.webhooks,
            &self.extensions,
            &self.reminders,
            &self.outbox,
            &self.account_emails,
        ] {
            wakeup.notify();
        }
    }
}
