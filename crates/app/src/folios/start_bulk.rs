//! Starting a bulk signature: all of it, or nothing.

use crate::folios::read::{Lookup, classify_missing};
use crate::messages::merge::merge_messages;
use crate::shared::idempotency::{Idempotent, IdempotentResult};
use crate::shared::secrets::SystemRandom;
use crate::{App, Caller, Error};
use domain::{Bulk, BulkId, Message, NewBulk, Refusal, Template};
use std::collections::HashSet;
use store::Tx;
use url::Url;

/// A bulk signature that was started.
#[derive(Debug, Clone)]
pub struct StartedBulk {
    /// Its identifier.
    pub id: BulkId,
    /// Where its signer goes.
    pub url: Url,
}

impl App {
    /// Starts the operation. Of several faults the answer names a signer that is not a folio's first, then another
    /// company's folio, then an unknown one, then the first folio of the list that cannot be signed.
    pub async fn start_bulk(
        &self,
        caller: Caller,
        new: NewBulk,
        idempotent: Option<Idempotent<StartedBulk>>,
    ) -> Result<IdempotentResult<StartedBulk>, Error> {
        let now = self.clock.now();
        let bulk = Bulk::start(new, caller.company, now, &mut SystemRandom);
        let url = self.links.bulk(&bulk);
        let started = self.write_idempotent(caller, idempotent, move |tx: &mut Tx<'_>, caller| {
            let own = tx.lock_folios(caller.company, &bulk.folios)?;
            let lookups = classify_missing(tx, caller.company, &bulk.folios, own)?;
            let mut folios = Vec::with_capacity(bulk.folios.len());
            let mut events = Vec::with_capacity(bulk.folios.len());
            let mut faults = Vec::new();
            for id in &bulk.folios {
                match &lookups[id] {
                    Lookup::Foreign => faults.push(Error::Foreign),
                    Lookup::Unknown => faults.push(Error::NotFound),
                    Lookup::Own(stored) => {
                        let started = stored
                            .folio
                            .start_bulk(bulk.id, &bulk.signer, caller.origin(), now);
                        let place = stored.folio.signer_by_number(&bulk.signer.document_number);
                        match started.and_then(|started| Ok((started, place?))) {
                            Err(refusal) => faults.push(refusal.into()),
                            Ok(((event, notices), signer_index)) => {
                                events.push((*id, event));
                                folios.push((stored.seq, signer_index, notices));
                            }
                        }
                    }
                }
            }
            if let Some(first) = faults.into_iter().min_by_key(rank) {
                return Err(first);
            }
            let notices = folios.iter_mut().map(|(_, _, notices)| notices);
            let mut notices: Vec<_> = bulk.folios.iter().copied().zip(notices).collect();
            // Each recipient gets one notice: the first, which names the other folios.
            merge_messages(&mut notices, |_, notice| {
                Some((notice.channel, notice.recipient.clone()))
            });
            tx.insert_bulk(&bulk, &folios)?;
            tx.append_events(&events)?;
            Ok(StartedBulk {
                id: bulk.id,
                url: url.clone(),
            })
        });
        let started = started.await?;
        // The outbox has messages to the contacts that the bulk signature replaces.
        self.wakeups.outbox.notify();
        Ok(started)
    }
}

/// The order in which faults are named.
const fn rank(fault: &Error) -> u8 {
    match fault {
        Error::Refused(Refusal::UnknownSigner) => 0,
        Error::Foreign => 1,
        Error::NotFound => 2,
        _ => 3,
    }
}

/// Leaves each recipient one message of that kind: a recipient needs one message for fifty folios.
pub(crate) fn once_for_each_recipient<'m>(
    template: Template,
    folios: impl Iterator<Item = &'m mut Vec<Message>>,
) {
    let mut seen = HashSet::new();
    for messages in folios {
        messages.retain(|message| {
            message.template != template || seen.insert((message.channel, message.recipient.clone()))
        });
    }
}
