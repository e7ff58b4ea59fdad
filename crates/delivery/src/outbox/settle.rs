//! What came of messages, written down: their rows, their folios' histories, the mailbox. One transaction.

use crate::backoff;
use crate::failure::stage;
use crate::outbox::recipient_queue::{SendReport, SendResult};
use crate::transports::Transports;
use app::{App, SystemRandom};
use domain::{Actor, Delivery, Event, EventKind, Origin};
use std::sync::Arc;
use std::time::Duration;
use store::{LeasedMessage, Mail, SendOutcome, SettledMessage};

/// How long to wait before a database is asked again, at the most.
const MAX_RETRY_PAUSE: Duration = Duration::from_secs(5);

/// Writes reports down, trying again for as long as the database is away: what left must not be forgotten.
pub(crate) async fn settle(app: &App, transports: &Transports, reports: Vec<SendReport>) {
    let mut mails = Vec::new();
    let mut settled = Vec::with_capacity(reports.len());
    for (leased, tried) in reports {
        settled.push(settled_message(app, transports, leased, tried, &mut mails));
    }
    let work = Arc::new((settled, mails));
    let mut pause = Duration::from_millis(100);
    loop {
        let written = app.store.write({
            let work = work.clone();
            move |tx| {
                tx.settle_messages(&work.0)?;
                if work.1.is_empty() {
                    return Ok(());
                }
                tx.put_into_mailbox(&work.1)
            }
        });
        match written.await {
            Ok(()) => return,
            Err(error @ store::Error::Closed) => {
                tracing::error!(%error, messages = work.0.len(), "what came of messages was not written down");
                return;
            }
            Err(error) => {
                tracing::warn!(%error, messages = work.0.len(), "what came of messages is not written down yet");
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(MAX_RETRY_PAUSE);
            }
        }
    }
}

fn settled_message(
    app: &App,
    transports: &Transports,
    leased: LeasedMessage,
    tried: SendResult,
    mails: &mut Vec<Mail>,
) -> SettledMessage {
    let now = app.clock.now();
    let delivery = Delivery {
        signer: leased.signer,
        template: leased.template,
        channel: leased.channel,
        recipient: leased.recipient.clone(),
        message_id: transports.id_of(&leased).to_string(),
        attempt: leased.attempt,
    };
    let (outcome, what) = match tried {
        SendResult::NotTried => (SendOutcome::Returned, None),
        SendResult::Sent(mail) => {
            mails.extend(mail);
            (
                SendOutcome::Sent { at: now },
                Some(EventKind::Delivered(delivery)),
            )
        }
        SendResult::Failed(failure) => {
            let reason = failure.reason().to_owned();
            let next = match failure {
                crate::Failure::Transient(_) => backoff::next(&leased, now, &mut SystemRandom),
                crate::Failure::Permanent(_) => None,
            };
            let what = EventKind::Undelivered {
                delivery,
                reason: reason.clone(),
                given_up: next.is_none(),
            };
            let outcome = match next {
                Some(until) => SendOutcome::Postponed { until, reason },
                None => SendOutcome::Dead { reason },
            };
            (outcome, Some(what))
        }
    };
    count(app, &leased, &outcome);
    let event = |what| Event {
        at: now,
        origin: Origin {
            actor: Actor::Service,
            address: None,
        },
        what,
    };
    SettledMessage {
        seq: leased.seq,
        attempt: leased.attempt,
        recipient: leased.recipient,
        outcome,
        event: what.map(|what| (leased.folio, event(what))),
    }
}

/// Counts it and says so. What the other side said stands in the history, not in a log: it may name people.
fn count(app: &App, leased: &LeasedMessage, outcome: &SendOutcome) {
    use app::shared::delivery_counts::DeliveryOutcome;
    let (seq, attempt) = (leased.seq.0, leased.attempt);
    let outcome = match outcome {
        SendOutcome::Sent { .. } => DeliveryOutcome::Sent,
        SendOutcome::Postponed { reason, .. } => {
            tracing::warn!(seq, attempt, stage = stage(reason), "a message was put off");
            DeliveryOutcome::PutOff
        }
        SendOutcome::Dead { reason } => {
            tracing::error!(
                seq,
                attempt,
                stage = stage(reason),
                "a message was given up: see `firmeza outbox list`"
            );
            DeliveryOutcome::GivenUp
        }
        SendOutcome::Returned => return,
    };
    app.delivery_counts.count(leased.channel, outcome);
}
