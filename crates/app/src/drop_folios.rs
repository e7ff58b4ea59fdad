//! An administrator drops finished folios: they are still read, their documents no longer.

use crate::judge_each::{Bench, Judgements, done};
use crate::panel::{Act, note_person};
use crate::{App, Caller, Error};
use domain::FolioId;

impl App {
    /// Drops what is finished. [`Error::Foreign`] when every folio of the list is another company's.
    pub async fn drop_folios(&self, caller: Caller, folios: Vec<FolioId>) -> Result<Judgements, Error> {
        let now = self.clock.now();
        let dropped = self.store.write(move |tx| {
            let bench = Bench::lock(tx, caller.company, folios)?;
            let judged = bench.judge(tx, now, |stored| stored.folio.drop_finished(caller.origin(), now))?;
            note_person(tx, &caller, Act::FolioDropped, &done(&judged), now)?;
            Ok::<_, Error>(judged)
        });
        let dropped = dropped.await?;
        self.clerk.ring();
        Ok(dropped)
    }
}
