//! Acts on several folios: one transaction and as many statements as for one folio, with an outcome for
//! each.

use crate::Error;
use crate::folios::read::{Lookup, classify_missing};
use domain::event::ChainedEvent;
use domain::{Change, CompanyId, FolioId, Refusal, SignerIndex, Timestamp};
use std::collections::{BTreeSet, HashMap};
use store::{FolioRow, StoredFolio, Tx};

/// The outcome for one folio of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchOutcome {
    /// The act was done.
    Done,
    /// A rule forbids it.
    Refused(Refusal),
    /// Another company's.
    Foreign,
    /// No company has it.
    Unknown,
}

/// Every folio of the list, once, with its outcome.
pub type BatchOutcomes = Vec<(FolioId, BatchOutcome)>;

/// The identifiers of those to which the act was done.
pub(crate) fn done_ids(outcomes: &BatchOutcomes) -> Vec<String> {
    let done = outcomes
        .iter()
        .filter(|(_, outcome)| *outcome == BatchOutcome::Done);
    done.map(|(folio, _)| folio.to_string()).collect()
}

/// The folios of a list, those of the company locked.
pub(crate) struct FolioBatch {
    company: CompanyId,
    folios: Vec<FolioId>,
    lookups: HashMap<FolioId, Lookup<StoredFolio>>,
}

impl FolioBatch {
    /// Locks the company's folios of the list. [`Error::Foreign`] when every one of it is another company's.
    pub(crate) fn lock(tx: &mut Tx<'_>, company: CompanyId, folios: Vec<FolioId>) -> Result<Self, Error> {
        let batch = Self::lock_any(tx, company, folios)?;
        let is_foreign = |lookup| matches!(lookup, &Lookup::Foreign);
        if batch.lookups.values().all(is_foreign) {
            return Err(Error::Foreign);
        }
        Ok(batch)
    }

    /// Locks the company's folios of the list, if there are any.
    pub(crate) fn lock_any(tx: &mut Tx<'_>, company: CompanyId, folios: Vec<FolioId>) -> Result<Self, Error> {
        let own = tx.lock_folios(company, &folios)?;
        let lookups = classify_missing(tx, company, &folios, own)?;
        Ok(Self {
            company,
            folios,
            lookups,
        })
    }

    /// The numbers of the company's folios among them.
    pub(crate) fn own(&self) -> Vec<FolioRow> {
        let own = self.lookups.values().filter_map(|lookup| match lookup {
            Lookup::Own(stored) => Some(stored.seq),
            Lookup::Foreign | Lookup::Unknown => None,
        });
        own.collect()
    }

    /// The signers who know of the company's folios about which the service does not write by itself.
    pub(crate) fn signers_who_know(
        &self,
        tx: &mut Tx<'_>,
    ) -> Result<HashMap<FolioId, BTreeSet<SignerIndex>>, Error> {
        let mut knowing = HashMap::new();
        for (id, lookup) in &self.lookups {
            if matches!(lookup, Lookup::Own(stored) if !stored.folio.send_email) {
                let history = tx.history(self.company, *id)?;
                knowing.insert(
                    *id,
                    history.iter().filter_map(ChainedEvent::reached_signer).collect(),
                );
            }
        }
        Ok(knowing)
    }

    /// Asks the act about each folio and applies the changes that it allows.
    pub(crate) fn apply(
        &self,
        tx: &mut Tx<'_>,
        now: Timestamp,
        mut act: impl FnMut(&StoredFolio) -> Result<Change, Refusal>,
    ) -> Result<BatchOutcomes, Error> {
        let mut changes = Vec::new();
        let mut outcomes = Vec::with_capacity(self.folios.len());
        for id in &self.folios {
            let outcome = match &self.lookups[id] {
                Lookup::Foreign => BatchOutcome::Foreign,
                Lookup::Unknown => BatchOutcome::Unknown,
                Lookup::Own(stored) => match act(stored) {
                    Err(refusal) => BatchOutcome::Refused(refusal),
                    Ok(change) => {
                        changes.push((stored, change));
                        BatchOutcome::Done
                    }
                },
            };
            outcomes.push((*id, outcome));
        }
        tx.apply(self.company, now, &changes)?;
        Ok(outcomes)
    }
}
