//! A supervisor approves signed folios, or rejects them with a reason, in companies that use approval. The
//! history names the person and the document hashes.

use crate::judge_each::{Bench, Judgements, done};
use crate::panel::{Act, note_person};
use crate::{App, Caller, Error};
use domain::history::{DocumentRef, hex};
use domain::{FolioId, Observation, Timestamp};
use std::collections::HashMap;
use store::Tx;

impl App {
    /// Approves what awaits approval. [`Error::NotFound`] where the company does not use approval.
    pub async fn approve_folios(&self, caller: Caller, folios: Vec<FolioId>) -> Result<Judgements, Error> {
        self.give_verdict(caller, folios, None).await
    }

    /// Rejects what awaits approval. [`Error::NotFound`] where the company does not use approval.
    pub async fn disapprove_folios(
        &self,
        caller: Caller,
        folios: Vec<FolioId>,
        observation: Observation,
    ) -> Result<Judgements, Error> {
        self.give_verdict(caller, folios, Some(observation)).await
    }

    async fn give_verdict(
        &self,
        caller: Caller,
        folios: Vec<FolioId>,
        against: Option<Observation>,
    ) -> Result<Judgements, Error> {
        let now = self.clock.now();
        let verdict = move |tx: &mut Tx<'_>| judge(tx, &caller, folios, against.as_ref(), now);
        let judged = self.store.write(verdict).await?;
        self.clerk.ring();
        Ok(judged)
    }
}

fn judge(
    tx: &mut Tx<'_>,
    caller: &Caller,
    folios: Vec<FolioId>,
    against: Option<&Observation>,
    now: Timestamp,
) -> Result<Judgements, Error> {
    if !tx.uses_approval(caller.company)? {
        return Err(Error::NotFound);
    }
    let bench = Bench::lock(tx, caller.company, folios)?;
    let mut documents: HashMap<i64, Vec<DocumentRef>> = HashMap::new();
    for (folio, version) in tx.current_versions(&bench.own())? {
        documents.entry(folio).or_default().push(DocumentRef {
            document: version.id,
            sha256: hex(&version.sha256),
        });
    }
    let judged = bench.judge(tx, now, |stored| {
        let documents = documents.remove(&stored.seq).unwrap_or_default();
        match against {
            None => stored.folio.approve(documents, caller.origin(), now),
            Some(why) => stored.folio.disapprove(why, documents, caller.origin(), now),
        }
    })?;
    let act = match against {
        None => Act::FoliosApproved,
        Some(_) => Act::FoliosDisapproved,
    };
    note_person(tx, caller, act, &done(&judged), now)?;
    Ok(judged)
}
