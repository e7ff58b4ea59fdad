//! Cancelling folios, each judged on its own, all in one transaction.

use crate::once::{Answered, Once};
use crate::read_folios::{Sought, sort_out};
use crate::{App, Caller, Error};
use domain::{FolioId, Observation, Refusal};

/// What came of one folio of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancelled {
    /// It was cancelled.
    Done,
    /// A rule forbids it.
    Refused(Refusal),
    /// Another company's.
    Foreign,
    /// Nobody's.
    Unknown,
}

/// Every folio of the list, once, with what came of it.
pub type Cancellations = Vec<(FolioId, Cancelled)>;

impl App {
    /// Cancels what can be cancelled. [`Error::Foreign`] when every folio of the list is another company's.
    pub async fn cancel_folios(
        &self,
        caller: Caller,
        folios: Vec<FolioId>,
        observation: Observation,
        once: Option<Once<Cancellations>>,
    ) -> Result<Answered<Cancellations>, Error> {
        let now = self.clock.now();
        let answered = self.write_once(caller, once, move |tx| {
            let own = tx.lock_folios(caller.company, &folios)?;
            let sought = sort_out(tx, caller.company, &folios, own)?;
            if sought.values().all(|sought| matches!(sought, Sought::Foreign)) {
                return Err(Error::Foreign);
            }
            let mut changes = Vec::new();
            let mut outcome = Vec::with_capacity(folios.len());
            for id in &folios {
                let cancelled = match &sought[id] {
                    Sought::Foreign => Cancelled::Foreign,
                    Sought::Unknown => Cancelled::Unknown,
                    Sought::Own(stored) => match stored.folio.cancel(&observation, caller.origin(), now) {
                        Err(refusal) => Cancelled::Refused(refusal),
                        Ok(change) => {
                            changes.push((stored, change));
                            Cancelled::Done
                        }
                    },
                };
                outcome.push((*id, cancelled));
            }
            tx.apply(caller.company, now, &changes)?;
            Ok(outcome)
        });
        let answered = answered.await?;
        self.bell.ring();
        Ok(answered)
    }
}
