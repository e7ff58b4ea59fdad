//! Reading folios, one or many, each on its own.

use crate::{Access, App, Error};
use domain::{CompanyId, Folio, FolioId};
use std::collections::{HashMap, HashSet};
use store::{StoredFolio, Tx};

/// The result of looking a folio up, from the point of view of one company.
#[derive(Debug, Clone)]
pub enum Lookup<T> {
    /// The company's own.
    Own(T),
    /// Another company's.
    Foreign,
    /// No company has it.
    Unknown,
}

impl App {
    /// Reads one folio.
    pub async fn read_folio(&self, access: Access, id: FolioId) -> Result<Folio, Error> {
        self.authenticated_read_inline(access, move |tx, caller| {
            match tx.folios(caller.company, &[id])?.pop() {
                Some(stored) => Ok(stored.folio),
                None => not_own(tx, caller.company, id),
            }
        })
        .await
    }

    /// Reads many folios in a constant number of statements.
    pub async fn read_folios(
        &self,
        access: Access,
        ids: Vec<FolioId>,
    ) -> Result<HashMap<FolioId, Lookup<StoredFolio>>, Error> {
        self.authenticated_read(access, move |tx, caller| look_up_folios(tx, caller.company, &ids))
            .await
    }
}

/// Looks up what each identifier is to this company.
pub(crate) fn look_up_folios(
    tx: &mut Tx<'_>,
    company: CompanyId,
    ids: &[FolioId],
) -> Result<HashMap<FolioId, Lookup<StoredFolio>>, Error> {
    let own = tx.folios(company, ids)?;
    classify_missing(tx, company, ids, own)
}

/// Classifies the identifiers that the company does not own: another company's, or unknown.
pub(crate) fn classify_missing(
    tx: &mut Tx<'_>,
    company: CompanyId,
    ids: &[FolioId],
    own: Vec<StoredFolio>,
) -> Result<HashMap<FolioId, Lookup<StoredFolio>>, Error> {
    let mut lookups: HashMap<_, _> = own.into_iter().map(|s| (s.folio.id, Lookup::Own(s))).collect();
    let missing: Vec<FolioId> = ids
        .iter()
        .copied()
        .filter(|id| !lookups.contains_key(id))
        .collect();
    let foreign = foreign(tx, company, &missing)?;
    for id in missing {
        lookups.insert(
            id,
            if foreign.contains(&id) {
                Lookup::Foreign
            } else {
                Lookup::Unknown
            },
        );
    }
    Ok(lookups)
}

/// Refuses an identifier that is none of the company's own.
fn not_own<T>(tx: &mut Tx<'_>, company: CompanyId, id: FolioId) -> Result<T, Error> {
    let nobodys = tx.foreign_folios(company, &[id])?.is_empty();
    Err(if nobodys { Error::NotFound } else { Error::Foreign })
}

/// Which of the identifiers that are not the company's own are another's.
fn foreign(tx: &mut Tx<'_>, company: CompanyId, missing: &[FolioId]) -> Result<HashSet<FolioId>, Error> {
    Ok(tx.foreign_folios(company, missing)?.into_iter().collect())
}
