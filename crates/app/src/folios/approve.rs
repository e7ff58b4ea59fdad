//! A supervisor approves signed folios, or rejects them with a reason, in companies that use approval. The
//! history names the person and the document hashes.

use crate::folios::batch::{BatchOutcomes, FolioBatch, done_ids};
use crate::panel::{AuditAct, record_user_acts};
use crate::{App, Caller, Error};
use domain::event::{DocumentRef, hex};
use domain::{FolioId, Observation, Timestamp};
use std::collections::HashMap;
use store::{FolioRow, Tx};

impl App {
    /// Approves what awaits approval. [`Error::NotFound`] where the company does not use approval.
    pub async fn approve_folios(&self, caller: Caller, folios: Vec<FolioId>) -> Result<BatchOutcomes, Error> {
        self.decide_approval(caller, folios, None).await
    }

    /// Rejects what awaits approval. [`Error::NotFound`] where the company does not use approval.
    pub async fn disapprove_folios(
        &self,
        caller: Caller,
        folios: Vec<FolioId>,
        observation: Observation,
    ) -> Result<BatchOutcomes, Error> {
        self.decide_approval(caller, folios, Some(observation)).await
    }

    async fn decide_approval(
        &self,
        caller: Caller,
        folios: Vec<FolioId>,
        against: Option<Observation>,
    ) -> Result<BatchOutcomes, Error> {
        let now = self.clock.now();
        let verdict = move |tx: &mut Tx<'_>| decide(tx, &caller, &folios, against.as_ref(), now);
        let outcomes = self.store.write_retryable(verdict).await?;
        self.wakeups.projector.notify();
        Ok(outcomes)
    }
}

fn decide(
    tx: &mut Tx<'_>,
    caller: &Caller,
    folios: &[FolioId],
    against: Option<&Observation>,
    now: Timestamp,
) -> Result<BatchOutcomes, Error> {
    if !tx.uses_approval(caller.company)? {
        return Err(Error::NotFound);
    }
    let batch = FolioBatch::lock(tx, caller.company, folios.to_vec())?;
    let mut documents: HashMap<FolioRow, Vec<DocumentRef>> = HashMap::new();
    for (folio, version) in tx.current_versions(&batch.own())? {
        documents.entry(folio).or_default().push(DocumentRef {
            document: version.id,
            sha256: hex(&version.sha256),
        });
    }
    let outcomes = batch.apply(tx, now, |stored| {
        let documents = documents.remove(&stored.seq).unwrap_or_default();
        match against {
            None => stored.folio.approve(documents, caller.origin(), now),
            Some(why) => stored.folio.disapprove(why, documents, caller.origin(), now),
        }
    })?;
    let act = match against {
        None => AuditAct::FoliosApproved,
        Some(_) => AuditAct::FoliosDisapproved,
    };
    record_user_acts(tx, caller, act, &done_ids(&outcomes), now)?;
    Ok(outcomes)
}
