//! The outcomes of messages: what is written to their rows, their folios' histories and the mailbox.

use crate::Failure;
use crate::backoff;
use crate::failure::stage;
use crate::transports::{HandedOver, SendResult, Transports};
use app::{App, SystemRandom};
use domain::{Actor, Client, Delivery, Event, EventKind, FolioId, Origin, SignerIndex};
use store::{LeasedMessage, Mail, SendOutcome, SettledMessage};

/// The outcomes of messages as they are written.
pub(crate) struct SettledMessages {
    pub(crate) messages: Vec<SettledMessage>,
    /// What goes into the built-in mailbox.
    pub(crate) mails: Vec<Mail>,
}

impl SettledMessages {
    /// One of the outcomes by itself.
    pub(crate) fn only(&self, message: &SettledMessage) -> Self {
        let name = format!("{}.", message.seq);
        let mails = self
            .mails
            .iter()
            .filter(|mail| mail.message_id.starts_with(&name));
        Self {
            messages: vec![message.clone()],
            mails: mails.cloned().collect(),
        }
    }

    /// An outcome without the events that tell of it. A message that was to be tried again is given up: what becomes of it then
    /// could not be told either.
    pub(crate) fn untold(message: &SettledMessage) -> Self {
        let outcome = match &message.outcome {
            SendOutcome::Postponed { reason, .. } => SendOutcome::Dead {
                reason: reason.clone(),
            },
            other => other.clone(),
        };
        let settled = SettledMessage {
            outcome,
            events: Vec::new(),
            ..message.clone()
        };
        Self {
            messages: vec![settled],
            mails: Vec::new(),
        }
    }
}

/// The outcomes to write; `None` for a message that was not tried.
pub(crate) fn settled_messages(
    app: &App,
    transports: &Transports,
    reports: impl Iterator<Item = (LeasedMessage, Option<SendResult>)>,
) -> SettledMessages {
    let mut mails = Vec::new();
    let messages = reports.map(|(leased, sent)| settled_message(app, transports, &leased, sent, &mut mails));
    SettledMessages {
        messages: messages.collect(),
        mails,
    }
}

fn settled_message(
    app: &App,
    transports: &Transports,
    leased: &LeasedMessage,
    sent: Option<SendResult>,
    mails: &mut Vec<Mail>,
) -> SettledMessage {
    let now = app.clock.now();
    let delivery = Delivery {
        signer: leased.signer,
        template: leased.template,
        channel: leased.channel,
        recipient: leased.recipient.clone(),
        message_id: transports.id_of(leased).to_string(),
        attempt: leased.attempt,
        code: leased.code,
    };
    let (outcome, what) = match sent {
        None => (SendOutcome::Returned, None),
        Some(Ok(HandedOver { mail, reply })) => {
            mails.extend(mail);
            (
                SendOutcome::Sent { at: now },
                Some(EventKind::Delivered { delivery, reply }),
            )
        }
        Some(Err(Failure::Superseded)) => (SendOutcome::Superseded, None),
        Some(Err(failure)) => {
            let reason = failure.reason().to_owned();
            let next = match failure {
                Failure::Transient(_) => backoff::next(leased, now, &mut SystemRandom),
                Failure::Permanent(_) | Failure::Superseded => None,
            };
            let what = EventKind::Undelivered {
                delivery,
                reason: reason.clone(),
                given_up: next.is_none(),
            };
            let outcome = match next {
                Some(until) => SendOutcome::Postponed {
                    at: now,
                    until,
                    reason,
                },
                None => SendOutcome::Dead { reason },
            };
            (outcome, Some(what))
        }
    };
    count(app, leased, &outcome);
    let event = |(folio, signer): (FolioId, SignerIndex), what: &EventKind| {
        let mut what = what.clone();
        if let EventKind::Delivered { delivery, .. } | EventKind::Undelivered { delivery, .. } = &mut what {
            delivery.signer = signer;
        }
        let origin = Origin {
            actor: Actor::Service,
            client: Client::default(),
        };
        let event = Event {
            at: now,
            origin,
            what,
        };
        (folio, event)
    };
    let folios = [(leased.folio, leased.signer)]
        .into_iter()
        .chain(leased.others.iter().copied());
    let events = what
        .iter()
        .flat_map(|what| folios.clone().map(|of| event(of, what)));
    SettledMessage {
        seq: leased.seq,
        attempt: leased.attempt,
        recipient: leased.recipient.clone(),
        outcome,
        events: events.collect(),
    }
}

/// Counts the outcome and logs a failure. The server's error is stored in the history and not logged: it may name people.
fn count(app: &App, leased: &LeasedMessage, outcome: &SendOutcome) {
    use app::shared::delivery_counts::DeliveryOutcome;
    let (seq, attempt) = (leased.seq.0, leased.attempt);
    let outcome = match outcome {
        SendOutcome::Sent { .. } => DeliveryOutcome::Sent,
        SendOutcome::Postponed { reason, .. } => {
            tracing::warn!(seq, attempt, stage = stage(reason), "a message was postponed");
            DeliveryOutcome::Postponed
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
        SendOutcome::Superseded | SendOutcome::Returned => return,
    };
    app.delivery_counts.count(leased.channel, outcome);
}
