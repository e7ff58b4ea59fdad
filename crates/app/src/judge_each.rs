//! Acts on several folios: one transaction and as many statements as for one folio, with an outcome for
//! each.

use crate::Error;
use crate::read_folios::{Sought, sort_out};
use domain::{Change, CompanyId, FolioId, Refusal, Timestamp};
use std::collections::HashMap;
use store::{StoredFolio, Tx};

/// What came of one folio of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    /// The act was done.
    Done,
    /// A rule forbids it.
    Refused(Refusal),
    /// Another company's.
    Foreign,
    /// No company has it.
    Unknown,
}

/// Every folio of the list, once, with what came of it.
pub type Judgements = Vec<(FolioId, Judged)>;

/// The identifiers of those to which the act was done.
pub(crate) fn done(judged: &Judgements) -> Vec<String> {
    let done = judged.iter().filter(|(_, outcome)| *outcome == Judged::Done);
    done.map(|(folio, _)| folio.to_string()).collect()
}

/// The folios of a list, those of the company locked.
pub(crate) struct Bench {
    company: CompanyId,
    folios: Vec<FolioId>,
    sought: HashMap<FolioId, Sought<StoredFolio>>,
}

impl Bench {
    /// Locks the company's folios of the list. [`Error::Foreign`] when every one of it is another company's.
    pub(crate) fn lock(tx: &mut Tx<'_>, company: CompanyId, folios: Vec<FolioId>) -> Result<Self, Error> {
        let own = tx.lock_folios(company, &folios)?;
        let sought = sort_out(tx, company, &folios, own)?;
        if sought.values().all(|sought| matches!(sought, Sought::Foreign)) {
            return Err(Error::Foreign);
        }
        Ok(Self {
            company,
            folios,
            sought,
        })
    }

    /// The numbers of the company's folios among them.
    pub(crate) fn own(&self) -> Vec<i64> {
        let own = self.sought.values().filter_map(|sought| match sought {
            Sought::Own(stored) => Some(stored.seq),
            Sought::Foreign | Sought::Unknown => None,
        });
        own.collect()
    }

    /// Asks the act about each folio and applies the changes that it allows.
    pub(crate) fn judge(
        &self,
        tx: &mut Tx<'_>,
        now: Timestamp,
        mut act: impl FnMut(&StoredFolio) -> Result<Change, Refusal>,
    ) -> Result<Judgements, Error> {
        let mut changes = Vec::new();
        let mut judged = Vec::with_capacity(self.folios.len());
        for id in &self.folios {
            let outcome = match &self.sought[id] {
                Sought::Foreign => Judged::Foreign,
                Sought::Unknown => Judged::Unknown,
                Sought::Own(stored) => match act(stored) {
                    Err(refusal) => Judged::Refused(refusal),
                    Ok(change) => {
                        changes.push((stored, change));
                        Judged::Done
                    }
                },
            };
            judged.push((*id, outcome));
        }
        tx.apply(self.company, now, &changes)?;
        Ok(judged)
    }
}
