//! Messages to one recipient, sent one after the other.

use crate::Failure;
use crate::post::{Office, Post};
use std::sync::Arc;
use std::time::Duration;
use store::{LeasedMessage, Mail};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

/// What came of a message.
#[derive(Debug)]
pub(crate) enum Tried {
    /// It left; perhaps into the mailbox.
    Sent(Option<Mail>),
    /// It did not.
    Failed(Failure),
    /// It was not tried.
    Not,
}

/// A message, and what came of it.
pub(crate) type Report = (LeasedMessage, Tried);

/// One recipient's messages, and the end of their lease.
pub(crate) struct Chain {
    pub(crate) leased_rows: Vec<LeasedMessage>,
    pub(crate) ours_until: Instant,
    pub(crate) attempt: Duration,
}

impl Chain {
    /// Sends the messages in order and reports each. None is sent after a postponed one, after the order to
    /// stop, or if the lease could end during the attempt.
    pub(crate) async fn run(
        self,
        post: Arc<Post>,
        office: Office,
        stopping: watch::Receiver<bool>,
        reports: mpsc::UnboundedSender<Report>,
    ) {
        let mut go_on = true;
        for leased in self.leased_rows {
            go_on = go_on && !*stopping.borrow() && Instant::now() + self.attempt <= self.ours_until;
            let tried = if go_on {
                match tokio::time::timeout(self.attempt, post.send(&leased, &office)).await {
                    Ok(Ok(mail)) => Tried::Sent(mail),
                    Ok(Err(failure)) => Tried::Failed(failure),
                    Err(_) => Tried::Failed(Failure::passing("no answer in time")),
                }
            } else {
                Tried::Not
            };
            go_on = go_on && !matches!(tried, Tried::Failed(Failure::Passing(_)));
            if reports.send((leased, tried)).is_err() {
                return;
            }
        }
    }
}
