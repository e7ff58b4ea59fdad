//! What came of messages, written down: their rows, their folios' histories, the mailbox. One transaction.

use crate::backoff;
use crate::chain::{Report, Tried};
use crate::failure::stage;
use crate::post::Post;
use app::{App, SystemRandom};
use domain::{Actor, Delivery, Event, Happening, Origin};
use std::sync::Arc;
use std::time::Duration;
use store::{Ending, Mail, Parcel, Settled};

/// How long to wait before a database is asked again, at the most.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Writes reports down, trying again for as long as the database is away: what left must not be forgotten.
pub(crate) async fn settle(app: &App, post: &Post, reports: Vec<Report>) {
    let mut mails = Vec::new();
    let mut settled = Vec::with_capacity(reports.len());
    for (parcel, tried) in reports {
        settled.push(judge(app, post, parcel, tried, &mut mails));
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
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        }
    }
}

fn judge(app: &App, post: &Post, parcel: Parcel, tried: Tried, mails: &mut Vec<Mail>) -> Settled {
    let now = app.clock.now();
    let delivery = Delivery {
        signer: parcel.signer,
        template: parcel.template,
        channel: parcel.channel,
        recipient: parcel.recipient.clone(),
        message_id: post.id_of(&parcel).to_string(),
        attempt: parcel.attempt,
    };
    let (ending, what) = match tried {
        Tried::Not => (Ending::GivenBack, None),
        Tried::Sent(mail) => {
            mails.extend(mail);
            (Ending::Sent { at: now }, Some(Happening::Delivered(delivery)))
        }
        Tried::Failed(failure) => {
            let reason = failure.reason().to_owned();
            let next = match failure {
                crate::Failure::Passing(_) => backoff::next(&parcel, now, &mut SystemRandom),
                crate::Failure::Permanent(_) => None,
            };
            let what = Happening::Undelivered {
                delivery,
                reason: reason.clone(),
                given_up: next.is_none(),
            };
            let ending = match next {
                Some(until) => Ending::PutOff { until, reason },
                None => Ending::Dead { reason },
            };
            (ending, Some(what))
        }
    };
    count(app, &parcel, &ending);
    let event = |what| Event {
        at: now,
        origin: Origin {
            actor: Actor::Service,
            address: None,
        },
        what,
    };
    Settled {
        seq: parcel.seq,
        attempt: parcel.attempt,
        recipient: parcel.recipient,
        ending,
        event: what.map(|what| (parcel.folio, event(what))),
    }
}

/// Counts it and says so. What the other side said stands in the history, not in a log: it may name people.
fn count(app: &App, parcel: &Parcel, ending: &Ending) {
    use app::deliveries::Outcome;
    let (seq, attempt) = (parcel.seq, parcel.attempt);
    let outcome = match ending {
        Ending::Sent { .. } => Outcome::Sent,
        Ending::PutOff { reason, .. } => {
            tracing::warn!(seq, attempt, stage = stage(reason), "a message was put off");
            Outcome::PutOff
        }
        Ending::Dead { reason } => {
            tracing::error!(
                seq,
                attempt,
                stage = stage(reason),
                "a message was given up: see `firmeza outbox list`"
            );
            Outcome::GivenUp
        }
        Ending::GivenBack => return,
    };
    app.deliveries.count(parcel.channel, outcome);
}
