//! How long the outbox worker waits, leases and tries.

use crate::lease_worker::{LeaseSettings, SETTLE_TIMEOUT};
use std::time::Duration;

/// How the worker works.
#[derive(Debug, Clone, Copy)]
pub struct OutboxSettings {
    /// How long an instance leases a message.
    pub lease: Duration,
    /// How long one attempt may take.
    pub attempt: Duration,
    /// How often it looks for due messages without a wakeup.
    pub poll: Duration,
    /// Recipients to which messages are sent at the same time; a part of them is reserved for codes.
    pub parallel: usize,
    /// How long attempts under way may take after the order to stop.
    pub shutdown_timeout: Duration,
    /// How long the database may take after that to record the last outcomes.
    pub settle_timeout: Duration,
}

impl OutboxSettings {
    pub(crate) const fn lease_settings(self) -> LeaseSettings {
        LeaseSettings {
            lease: self.lease,
            attempt: self.attempt,
            poll: self.poll,
            shutdown_timeout: self.shutdown_timeout,
            settle_timeout: self.settle_timeout,
        }
    }
}

impl Default for OutboxSettings {
    fn default() -> Self {
        Self {
            lease: Duration::from_mins(3),
            attempt: Duration::from_mins(1),
            poll: Duration::from_secs(3),
            parallel: 16,
            shutdown_timeout: Duration::from_secs(10),
            settle_timeout: SETTLE_TIMEOUT,
        }
    }
}
