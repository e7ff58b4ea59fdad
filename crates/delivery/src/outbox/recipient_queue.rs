//! Messages to one recipient, sent one after the other.

use crate::Failure;
use crate::transports::{ComposeContext, Transports};
use std::sync::Arc;
use std::time::Duration;
use store::{LeasedMessage, Mail};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

/// What came of a message.
#[derive(Debug)]
pub(crate) enum SendResult {
    /// It left; perhaps into the mailbox.
    Sent(Option<Mail>),
    /// It did not.
    Failed(Failure),
    /// It was not tried.
    NotTried,
}

/// A message, and what came of it.
pub(crate) type SendReport = (LeasedMessage, SendResult);

/// One recipient's messages, and the end of their lease.
pub(crate) struct RecipientQueue {
    pub(crate) leased_rows: Vec<LeasedMessage>,
    pub(crate) lease_end: Instant,
    pub(crate) attempt: Duration,
}

impl RecipientQueue {
    /// Sends the messages in order and reports each. None is sent after a postponed one, after the order to
    /// stop, or if the lease could end during the attempt.
    pub(crate) async fn run(
        self,
        transports: Arc<Transports>,
        context: ComposeContext,
        stopping: watch::Receiver<bool>,
        reports: mpsc::UnboundedSender<SendReport>,
    ) {
        let mut go_on = true;
        for leased in self.leased_rows {
            go_on = go_on && !*stopping.borrow() && Instant::now() + self.attempt <= self.lease_end;
            let tried = if go_on {
                match tokio::time::timeout(self.attempt, transports.send(&leased, &context)).await {
                    Ok(Ok(mail)) => SendResult::Sent(mail),
                    Ok(Err(failure)) => SendResult::Failed(failure),
                    Err(_) => SendResult::Failed(Failure::transient("no answer in time")),
                }
            } else {
                SendResult::NotTried
            };
            go_on = go_on && !matches!(tried, SendResult::Failed(Failure::Transient(_)));
            if reports.send((leased, tried)).is_err() {
                return;
            }
        }
    }
}
