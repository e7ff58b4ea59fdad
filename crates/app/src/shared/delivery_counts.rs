//! Counts of sent, postponed and given-up messages of this instance.

use domain::Channel;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The outcome of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryOutcome {
    /// The message left.
    Sent,
    /// It will be retried.
    Postponed,
    /// It was given up: it is a dead letter.
    GivenUp,
}

const CHANNELS: [(Channel, &str); 2] = [(Channel::Email, "email"), (Channel::Sms, "sms")];
const OUTCOMES: [(DeliveryOutcome, &str); 3] = [
    (DeliveryOutcome::Sent, "sent"),
    (DeliveryOutcome::Postponed, "put_off"),
    (DeliveryOutcome::GivenUp, "given_up"),
];

/// The counts. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct DeliveryCounts(Arc<[[AtomicU64; 3]; 2]>);

impl DeliveryCounts {
    /// Counts an attempt.
    pub fn count(&self, channel: Channel, outcome: DeliveryOutcome) {
        self.0[channel as usize][outcome as usize].fetch_add(1, Relaxed);
    }

    /// Every count, with the names of its channel and its outcome.
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, &'static str, u64)> {
        CHANNELS.iter().flat_map(move |(channel, name)| {
            OUTCOMES.iter().map(move |(outcome, word)| {
                let count = self.0[*channel as usize][*outcome as usize].load(Relaxed);
                (*name, *word, count)
            })
        })
    }
}
