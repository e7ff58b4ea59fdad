//! An administrator drops finished folios: they are still read, their documents no longer.

use crate::folios::batch::{BatchOutcomes, FolioBatch, done_ids};
use crate::panel::{AuditAct, record_user_acts};
use crate::{App, Caller, Error};
use domain::FolioId;

impl App {
    /// Drops what is finished. [`Error::Foreign`] when every folio of the list is another company's.
    pub async fn drop_folios(&self, caller: Caller, folios: Vec<FolioId>) -> Result<BatchOutcomes, Error> {
        let now = self.clock.now();
        let dropped = self.store.write_retryable(move |tx| {
            let batch = FolioBatch::lock(tx, caller.company, folios.clone())?;
            let outcomes = batch.apply(tx, now, |stored| stored.folio.drop_finished(caller.origin(), now))?;
            record_user_acts(tx, &caller, AuditAct::FolioDropped, &done_ids(&outcomes), now)?;
            Ok::<_, Error>(outcomes)
        });
        let dropped = dropped.await?;
        self.wakeups.projector.notify();
        Ok(dropped)
    }
}
