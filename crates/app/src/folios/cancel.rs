//! Cancels folios in one transaction, with an outcome for each.

use crate::folios::batch::{BatchOutcomes, FolioBatch, done_ids};
use crate::panel::{AuditAct, record_user_acts};
use crate::shared::idempotency::{Idempotent, IdempotentResult};
use crate::{App, Caller, Error};
use domain::{FolioId, Observation};

impl App {
    /// Cancels what can be cancelled. [`Error::Foreign`] if every listed folio is another company's. `unreadable`: the list also
    /// had malformed identifiers; then this error is not returned.
    pub async fn cancel_folios(
        &self,
        caller: Caller,
        folios: Vec<FolioId>,
        unreadable: bool,
        observation: Observation,
        idempotent: Option<Idempotent<BatchOutcomes>>,
    ) -> Result<IdempotentResult<BatchOutcomes>, Error> {
        let now = self.clock.now();
        let answered = self.write_idempotent(caller, idempotent, move |tx, caller| {
            let batch = if unreadable {
                FolioBatch::lock_any(tx, caller.company, folios.clone())?
            } else {
                FolioBatch::lock(tx, caller.company, folios.clone())?
            };
            let knowing = batch.signers_who_know(tx)?;
            let outcomes = batch.apply(tx, now, |stored| {
                let knowing = knowing.get(&stored.folio.id).cloned().unwrap_or_default();
                stored.folio.cancel(&observation, &knowing, caller.origin(), now)
            })?;
            record_user_acts(tx, caller, AuditAct::FoliosCancelled, &done_ids(&outcomes), now)?;
            Ok(outcomes)
        });
        let answered = answered.await?;
        self.wakeups.outbox.notify();
        self.wakeups.projector.notify();
        Ok(answered)
    }
}
