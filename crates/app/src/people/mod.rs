//! A person's data in the folios of a company, found by the number of their identity document: what the person may ask to
//! see, and to have corrected.

mod bundle;
mod correct;
mod export;
mod unsent;

pub use correct::PersonCorrection;
pub use export::PersonBundle;

use crate::shared::admission::AdmissionLimits;
use crate::{App, Error};
use domain::{CompanyId, DocumentNumber, SignerIndex, search};
use std::time::Duration;
use store::{FolioRow, StoredFolio, Tx};

/// Folios of one page, and of one bundle.
pub const FOLIOS_PER_PAGE: usize = 50;

/// Requests for bundles: each holds the documents in memory.
pub(crate) const ADMISSION_LIMITS: AdmissionLimits = AdmissionLimits {
    running: 1,
    admitted: 4,
    timeout: Duration::from_secs(15),
};

/// A folio, and the person's place among its signers.
#[derive(Debug, Clone)]
pub struct PersonFolio {
    /// The folio.
    pub stored: StoredFolio,
    /// The person.
    pub signer_index: SignerIndex,
}

/// The folios of a person, newest first: a part of them.
#[derive(Debug, Clone)]
pub struct PersonFolios {
    /// The folios.
    pub folios: Vec<PersonFolio>,
    /// The number before which the older ones are, if there may be any.
    pub older: Option<FolioRow>,
}

impl App {
    /// The folios of a person that are older than the one with that number; the newest without one.
    pub async fn folios_of_person(
        &self,
        company: CompanyId,
        number: DocumentNumber,
        before: Option<FolioRow>,
    ) -> Result<PersonFolios, Error> {
        let before = before.unwrap_or(FolioRow::MAX);
        self.store
            .read(move |tx| folios_of(tx, company, &number, before))
            .await
    }
}

fn folios_of(
    tx: &mut Tx<'_>,
    company: CompanyId,
    number: &DocumentNumber,
    before: FolioRow,
) -> Result<PersonFolios, Error> {
    let word = search::number_word(number.as_str());
    let found = tx.folios_with_word(company, &word, before, FOLIOS_PER_PAGE)?;
    let older = (found.len() == FOLIOS_PER_PAGE)
        .then(|| found.last().map(|stored| stored.seq))
        .flatten();
    let is_theirs = |number: &DocumentNumber| search::number_word(number.as_str()) == word;
    let own = |stored: StoredFolio| {
        let mut signers = stored.folio.signers.iter();
        let place = signers.position(|signer| is_theirs(&signer.document_number))?;
        Some(PersonFolio {
            stored,
            signer_index: SignerIndex(place),
        })
    };
    Ok(PersonFolios {
        folios: found.into_iter().filter_map(own).collect(),
        older,
    })
}
