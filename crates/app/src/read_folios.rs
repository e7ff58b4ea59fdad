//! Reading folios, one or many, each on its own.

use crate::{Access, App, Error};
use domain::{CompanyId, Folio, FolioId};
use std::collections::{HashMap, HashSet};
use store::{Stored, Tx};

/// What came of looking for one folio.
#[derive(Debug, Clone)]
pub enum Sought<T> {
    /// The company's own.
    Own(T),
    /// Another company's.
    Foreign,
    /// Nobody's.
    Unknown,
}

impl App {
    /// Reads one folio.
    pub async fn read_folio(&self, access: Access, id: FolioId) -> Result<Folio, Error> {
        self.look_as(access, move |tx, caller| {
            if let Some(stored) = tx.folios(caller.company, &[id])?.pop() {
                Ok(stored.folio)
            } else if tx.foreign_folios(caller.company, &[id])?.is_empty() {
                Err(Error::NotFound)
            } else {
                Err(Error::Foreign)
            }
        })
        .await
    }

    /// Reads many folios in a constant number of statements, and shows them where they were read: what is made and
    /// dropped on one thread costs half of what goes from one to another.
    pub async fn read_folios<T: Send + 'static>(
        &self,
        access: Access,
        ids: Vec<FolioId>,
        show: impl FnOnce(HashMap<FolioId, Sought<Stored>>) -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.read_as(access, move |tx, caller| seek(tx, caller.company, &ids).map(show))
            .await
    }
}

/// What each identifier stands for, to this company.
pub(crate) fn seek(
    tx: &mut Tx<'_>,
    company: CompanyId,
    ids: &[FolioId],
) -> Result<HashMap<FolioId, Sought<Stored>>, Error> {
    let own = tx.folios(company, ids)?;
    sort_out(tx, company, ids, own)
}

/// Tells the identifiers that are not the company's own apart: another's, or nobody's.
pub(crate) fn sort_out(
    tx: &mut Tx<'_>,
    company: CompanyId,
    ids: &[FolioId],
    own: Vec<Stored>,
) -> Result<HashMap<FolioId, Sought<Stored>>, Error> {
    let mut sought: HashMap<_, _> = own.into_iter().map(|s| (s.folio.id, Sought::Own(s))).collect();
    let missing: Vec<FolioId> = ids
        .iter()
        .copied()
        .filter(|id| !sought.contains_key(id))
        .collect();
    if !missing.is_empty() {
        let foreign: HashSet<FolioId> = tx.foreign_folios(company, &missing)?.into_iter().collect();
        for id in missing {
            sought.insert(
                id,
                if foreign.contains(&id) {
                    Sought::Foreign
                } else {
                    Sought::Unknown
                },
            );
        }
    }
    Ok(sought)
}
