//! Cancels folios in one transaction, with an outcome for each.

use crate::judge_each::{Bench, Judgements, done};
use crate::once::{Answered, Once};
use crate::panel::{Act, note_person};
use crate::{App, Caller, Error};
use domain::{FolioId, Observation};

impl App {
    /// Cancels what can be cancelled. [`Error::Foreign`] when every folio of the list is another company's.
    pub async fn cancel_folios(
        &self,
        caller: Caller,
        folios: Vec<FolioId>,
        observation: Observation,
        once: Option<Once<Judgements>>,
    ) -> Result<Answered<Judgements>, Error> {
        let now = self.clock.now();
        let answered = self.write_once(caller, once, move |tx, caller| {
            let bench = Bench::lock(tx, caller.company, folios)?;
            let judged = bench.judge(tx, now, |stored| {
                stored.folio.cancel(&observation, caller.origin(), now)
            })?;
            note_person(tx, caller, Act::FoliosCancelled, &done(&judged), now)?;
            Ok(judged)
        });
        let answered = answered.await?;
        self.bell.ring();
        self.clerk.ring();
        Ok(answered)
    }
}
