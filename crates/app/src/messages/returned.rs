//! A mail server or a provider reports that a message did not arrive after all, or that its recipient complained.

use super::MessageId;
use crate::{App, Error};
use domain::event::SentMessage;
use domain::{Actor, Client, Event, EventKind, Origin, ReturnKind};

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
    /// An earlier report of the message is; or the folio was erased.
    Ignored,
    /// The installation sent no such message to a signer.
    UnknownMessage,
}

impl App {
    /// Records a report in the history of the message's folio, once. The message stays as it is: a report is no proof.
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
            let stored = tx.lock_folios(message.company, &[message.folio])?.pop();
            let erased = stored.is_none_or(|stored| stored.folio.erased);
            if erased || !tx.mark_returned(message.company, seq, report.kind)? {
                return Ok(ReportOutcome::Ignored);
            }
            let sent = SentMessage {
                signer: message.signer,
                template: message.template,
                channel: message.channel,
                recipient: message.recipient,
                message_id: report.message_id.trim().trim_matches(['<', '>']).to_owned(),
            };
            let reason = one_line(&report.reason);
            let what = match report.kind {
                ReturnKind::Bounced => EventKind::Bounced {
                    message: sent,
                    reason,
                },
                ReturnKind::Complained => EventKind::Complained {
                    message: sent,
                    reason,
                },
            };
            let origin = Origin {
                actor: Actor::Service,
                client: Client::default(),
            };
            tx.append_events(&[(
                message.folio,
                Event {
                    at: now,
                    origin,
                    what,
                },
            )])?;
            Ok::<_, Error>(ReportOutcome::Recorded)
        });
        let outcome = recorded.await?;
        if outcome == ReportOutcome::Recorded {
            self.wakeups.projector.notify();
        }
        Ok(outcome)
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
