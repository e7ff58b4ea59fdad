//! A mail server or a provider reports that a message did not arrive after all, or that its recipient complained.

use super::MessageId;
use crate::{App, Error};
use domain::event::SentMessage;
use domain::{AccountEmailKind, Actor, Client, Event, EventKind, FolioId, Origin, ReturnKind, SignerIndex};
use std::collections::HashMap;
use store::ReportedMessage;

/// Characters of a reason that are kept.
const MAX_REASON_CHARS: usize = 300;

/// What is reported of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageReport {
    /// What happened to it.
    pub kind: ReturnKind,
    /// Its `Message-ID`.
    pub message_id: String,
    /// Why, in the words of the server or the provider.
    pub reason: String,
}

/// What became of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportOutcome {
    /// It is in the folio's history.
    Recorded,
    /// An earlier report of the message is; or one of its folios was erased in this moment.
    Ignored,
    /// The installation sent no such message to a signer, or erased it with its folios.
    UnknownMessage,
}

impl App {
    /// Records a report in the history of each of the message's folios, once, and has a person who sent the folio told of it.
    /// The message stays as it is: a report is no proof.
    pub async fn record_report(&self, report: MessageReport) -> Result<ReportOutcome, Error> {
        let Some(seq) = MessageId::number_in(&report.message_id) else {
            return Ok(ReportOutcome::UnknownMessage);
        };
        let now = self.clock.now();
        let recorded = self.store.write(move |tx| {
            let found = tx.reported_message(seq)?;
            let Some(message) = found.filter(|found| MessageId::is_of(&report.message_id, found.folio, seq))
            else {
                return Ok(ReportOutcome::UnknownMessage);
            };
            let about: HashMap<FolioId, SignerIndex> = message
                .others
                .iter()
                .copied()
                .chain([(message.folio, message.signer)])
                .collect();
            let ids: Vec<FolioId> = about.keys().copied().collect();
            let stored = tx.lock_folios(message.company, &ids)?;
            let left: Vec<FolioId> = stored
                .iter()
                .filter(|stored| !stored.folio.erased)
                .map(|stored| stored.folio.id)
                .collect();
            if left.is_empty() || !tx.mark_returned(message.company, seq, report.kind)? {
                return Ok(ReportOutcome::Ignored);
            }
            let event = |folio: &FolioId| {
                let what = returned(&report, &message, about[folio]);
                let origin = Origin {
                    actor: Actor::Service,
                    client: Client::default(),
                };
                let event = Event {
                    at: now,
                    origin,
                    what,
                };
                (*folio, event)
            };
            tx.append_events(&left.iter().map(event).collect::<Vec<_>>())?;
            let notice = match report.kind {
                ReturnKind::Bounced => AccountEmailKind::MessageUndelivered,
                ReturnKind::Complained => AccountEmailKind::MessageComplained,
            };
            tx.queue_sender_notices(&[seq], notice, now)?;
            Ok::<_, Error>(ReportOutcome::Recorded)
        });
        let outcome = recorded.await?;
        if outcome == ReportOutcome::Recorded {
            self.wakeups.projector.notify();
            self.wakeups.account_emails.notify();
        }
        Ok(outcome)
    }
}

/// What the history of a folio says of it, of which this signer is the recipient.
fn returned(report: &MessageReport, message: &ReportedMessage, signer: SignerIndex) -> EventKind {
    let sent = SentMessage {
        signer,
        template: message.template,
        channel: message.channel,
        recipient: message.recipient.clone(),
        message_id: report.message_id.trim().trim_matches(['<', '>']).to_owned(),
    };
    let reason = one_line(&report.reason);
    match report.kind {
        ReturnKind::Bounced => EventKind::Bounced {
            message: sent,
            reason,
        },
        ReturnKind::Complained => EventKind::Complained {
            message: sent,
            reason,
        },
    }
}

/// The words of a stranger, on one line and not without end.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ").chars().take(MAX_REASON_CHARS).collect()
}
