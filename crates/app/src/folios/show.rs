//! A folio with everything that its company's people may want to know of it, read in one go.

use crate::evidence::part_count;
use crate::folios::read::{Lookup, look_up_folios};
use crate::panel::{AuditAct, record_caller_act};
use crate::workers::projector::zone_of;
use crate::{App, Caller, Error};
use domain::event::ChainedEvent;
use domain::{CompanyId, Folio, FolioId, Timestamp};
use jiff::tz::TimeZone;
use store::{DocumentVersion, LoggedMessage};

/// Events of one page.
pub const EVENTS_PER_PAGE: usize = 50;
/// Events that are looked through for what each signer has done.
const MAX_STORY_EVENTS: usize = 1000;
/// Messages of one page.
const MESSAGES_PER_PAGE: usize = 50;

/// A folio and what belongs to it.
#[derive(Debug)]
pub struct FolioFile {
    /// The folio.
    pub folio: Folio,
    /// Its documents as they are now, in order.
    pub versions: Vec<DocumentVersion>,
    /// What happened to it, newest first: a part of it.
    pub history: Vec<ChainedEvent>,
    /// What happened to its signers and what they did, oldest first, among its first [`MAX_STORY_EVENTS`] events.
    pub story: Vec<ChainedEvent>,
    /// The number before which the older events are, if there are any.
    pub older: Option<i64>,
    /// In how many parts its evidence comes.
    pub evidence_parts: usize,
    /// The last messages to its signers, newest first.
    pub messages: Vec<LoggedMessage>,
    /// Whether a message that was given up can be retried.
    pub can_retry: bool,
    /// Whether the company has signed folios approved.
    pub approval: bool,
    /// When its signers are reminded next, if at all, and how often they were by the company's schedule.
    pub next_reminder: Option<(Timestamp, i64)>,
    /// The company's zone.
    pub zone: TimeZone,
}

impl App {
    /// The folio, with the part of its history before the event of that number; the newest without one.
    pub async fn show_folio(
        &self,
        company: CompanyId,
        id: FolioId,
        before: Option<i64>,
    ) -> Result<FolioFile, Error> {
        let (now, zone) = (self.clock.now(), self.notary.timezone().clone());
        self.store
            .read(move |tx| {
                let stored = match look_up_folios(tx, company, &[id])?.remove(&id) {
                    Some(Lookup::Own(stored)) => stored,
                    Some(Lookup::Foreign) => return Err(Error::Foreign),
                    Some(Lookup::Unknown) | None => return Err(Error::NotFound),
                };
                let end = stored.history.length + 1;
                let before = before.unwrap_or(end).clamp(1, end);
                let most = i64::try_from(EVENTS_PER_PAGE).unwrap_or(i64::MAX);
                let first = (before - most).max(1);
                let history = tx.history_from(company, id, first, EVENTS_PER_PAGE)?;
                let mut history: Vec<ChainedEvent> = history.into_iter().map(|stored| stored.event).collect();
                history.retain(|event| event.number < before);
                history.reverse();
                let story = tx.history_from(company, id, 1, MAX_STORY_EVENTS)?;
                let mut messages = tx.message_log(company, id, MESSAGES_PER_PAGE)?;
                messages.reverse();
                Ok(FolioFile {
                    versions: tx.document_versions(company, id)?,
                    history,
                    story: story.into_iter().map(|stored| stored.event).collect(),
                    older: (first > 1).then_some(first),
                    evidence_parts: part_count(stored.history.length),
                    messages,
                    can_retry: tx.has_messages_to_retry(company, id, now)?,
                    next_reminder: if stored.folio.may_remind(now) {
                        tx.next_reminder(company, stored.seq)?
                    } else {
                        None
                    },
                    approval: tx.uses_approval(company)?,
                    zone: zone_of(tx, company, &zone)?,
                    folio: stored.folio,
                })
            })
            .await
    }

    /// Retries the messages of a folio that were given up. Returns how many.
    pub async fn retry_messages(&self, caller: Caller, folio: FolioId) -> Result<u64, Error> {
        let now = self.clock.now();
        let retried = self.store.write_retryable(move |tx| {
            if tx.folios(caller.company, &[folio])?.is_empty() {
                return Err(Error::NotFound);
            }
            let retried = tx.retry_messages_of(caller.company, folio, now)?;
            if retried > 0 {
                record_caller_act(tx, &caller, AuditAct::MessagesRetried, &folio.to_string(), now)?;
            }
            Ok(retried)
        });
        let retried = retried.await?;
        self.wakeups.outbox.notify();
        Ok(retried)
    }
}
