//! An administrator drops finished folios: they are still read, their documents no longer.

use crate::judge_each::{Bench, Judged, Judgements};
use crate::panel::{Act, note_caller};
use crate::{App, Caller, Error};
use domain::FolioId;

impl App {
    /// Drops what is finished. [`Error::Foreign`] when every folio of the list is another company's.
    pub async fn drop_folios(&self, caller: Caller, folios: Vec<FolioId>) -> Result<Judgements, Error> {
        let now = self.clock.now();
        let dropped = self.store.write(move |tx| {
            let bench = Bench::lock(tx, caller.company, folios)?;
            let judged = bench.judge(tx, now, |stored| stored.folio.drop_finished(caller.origin(), now))?;
            let dropped = judged.iter().filter(|(_, outcome)| *outcome == Judged::Done);
            let dropped: Vec<String> = dropped.map(|(folio, _)| folio.to_string()).collect();
            if !dropped.is_empty() {
                note_caller(tx, &caller, Act::FolioDropped, &dropped.join(", "), now)?;
            }
            Ok::<_, Error>(judged)
        });
        let dropped = dropped.await?;
        self.clerk.ring();
        Ok(dropped)
    }
}
