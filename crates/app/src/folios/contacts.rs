//! The people who signed, or were asked to sign, the company's last folios.

use crate::{App, Error};
use domain::{CompanyId, limits};
use std::collections::HashSet;
use store::{FolioFilter, SignerContact};

/// Folios that are looked through.
const MAX_FOLIOS: usize = 200;

impl App {
    /// The signers of the company's last folios, each once, with the contact of the last; at most [`limits::CONTACTS`].
    pub async fn recent_contacts(&self, company: CompanyId) -> Result<Vec<SignerContact>, Error> {
        self.store
            .read(move |tx| {
                let newest = tx.newest_folios(company, &FolioFilter::default(), MAX_FOLIOS)?;
                let mut contacts = tx.signer_contacts(company, &newest)?;
                contacts.sort_by_key(|one| std::cmp::Reverse(one.folio));
                let mut known = HashSet::new();
                contacts.retain(|one| known.insert((one.document_type.clone(), one.document_number.clone())));
                contacts.truncate(limits::CONTACTS);
                Ok(contacts)
            })
            .await
    }
}
