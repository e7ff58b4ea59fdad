//! The folios of a signing party and the state of each. Pages show it; acts lock it.

use crate::shared::error::Error;
use crate::signing::party::SigningParty;
use domain::{Causes, Channel, Folio, FolioId, NewSigner, Refusal, ReturnUrl, SignerIndex, Timestamp};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use store::{CompanyRow, StoredBulk, StoredFolio, Tx};

/// A folio of the context, and the signer's index in it.
#[derive(Debug)]
pub(crate) struct ContextFolio {
    pub(crate) stored: StoredFolio,
    pub(crate) signer_index: SignerIndex,
}

/// The folios of a signing party, with its company and contact.
#[derive(Debug)]
pub(crate) struct SigningContext {
    pub(crate) party: SigningParty,
    pub(crate) company: CompanyRow,
    pub(crate) person: NewSigner,
    pub(crate) return_url: ReturnUrl,
    pub(crate) folios: Vec<ContextFolio>,
    pub(crate) bulk: Option<StoredBulk>,
    pub(crate) generation: i64,
    /// Whether the contact was corrected after the link was sent.
    pub(crate) contact_changed: bool,
}

impl SigningContext {
    /// Reads the context. With `lock`, its rows stay locked until the transaction ends.
    pub(crate) fn load(tx: &mut Tx<'_>, party: SigningParty, lock: bool) -> Result<Self, Error> {
        match party {
            SigningParty::Signer { folio, signer_index } => {
                Self::of_signer(tx, party, folio, signer_index, lock)
            }
            SigningParty::Bulk(id) => {
                let company = tx.company_of_bulk(id)?.ok_or(Error::NotFound)?;
                let bulk = tx.bulk(company.id, id)?.ok_or(Error::NotFound)?;
                Self::of_bulk(tx, party, company, bulk, lock)
            }
        }
    }

    fn of_signer(
        tx: &mut Tx<'_>,
        party: SigningParty,
        folio: FolioId,
        signer_index: SignerIndex,
        lock: bool,
    ) -> Result<Self, Error> {
        let (company, access) = tx
            .company_of_signer(folio, signer_index)?
            .ok_or(Error::NotFound)?;
        let found = folios(tx, &company, &[folio], lock)?;
        // The value from before the lock may be from before a correction.
        let access = if lock {
            tx.company_of_signer(folio, signer_index)?
                .ok_or(Error::NotFound)?
                .1
        } else {
            access
        };
        let stored = found.into_iter().next().ok_or(Error::NotFound)?;
        let signer = stored.folio.signer(signer_index).ok_or(Error::NotFound)?;
        let person = NewSigner {
            name: signer.name.clone(),
            document_type: signer.document_type,
            document_number: signer.document_number.clone(),
            contact: signer.contact.clone(),
        };
        Ok(Self {
            party,
            company,
            person,
            return_url: stored.folio.return_url_of(signer_index).clone(),
            folios: vec![ContextFolio { stored, signer_index }],
            bulk: None,
            generation: access.generation,
            contact_changed: access.contact_changed,
        })
    }

    fn of_bulk(
        tx: &mut Tx<'_>,
        party: SigningParty,
        company: CompanyRow,
        mut bulk: StoredBulk,
        lock: bool,
    ) -> Result<Self, Error> {
        let places = tx.folio_ids_of_bulk(company.id, bulk.seq)?;
        let ids: Vec<FolioId> = places.iter().map(|(id, _)| *id).collect();
        let mut found: HashMap<FolioId, StoredFolio> = folios(tx, &company, &ids, lock)?
            .into_iter()
            .map(|stored| (stored.folio.id, stored))
            .collect();
        if let (true, SigningParty::Bulk(id)) = (lock, party) {
            // A correction locks the folio first and then the bulk signature: in the same order, neither waits for the
            // other. The bulk signature was read before the lock; a correction may have come since.
            bulk = tx.lock_bulk(company.id, id)?.ok_or(Error::NotFound)?;
        }
        let mut folios = Vec::with_capacity(places.len());
        for (id, signer_index) in places {
            let stored = found.remove(&id).ok_or(Error::NotFound)?;
            stored.folio.signer(signer_index).ok_or(Error::NotFound)?;
            folios.push(ContextFolio { stored, signer_index });
        }
        Ok(Self {
            party,
            company,
            person: bulk.signer.clone(),
            return_url: bulk.return_url.clone(),
            folios,
            generation: bulk.session_generation,
            contact_changed: bulk.contact_changed,
            bulk: Some(bulk),
        })
    }

    /// Whether the party can still act on this folio.
    pub(crate) fn may_act(&self, folio: &ContextFolio, now: Timestamp) -> Result<(), Refusal> {
        if self.bulk.as_ref().is_some_and(|bulk| bulk.expires_at <= now) {
            return Err(Refusal::Expired);
        }
        folio.stored.folio.may_act(folio.signer_index, now)
    }

    /// The folios that the party can still act on; the first refusal when there is none.
    pub(crate) fn open(&self, now: Timestamp) -> Result<Vec<&ContextFolio>, Refusal> {
        let mut refusal = Refusal::UnknownSigner;
        let mut open = Vec::with_capacity(self.folios.len());
        for folio in self.folios.iter().rev() {
            match self.may_act(folio, now) {
                Ok(()) => open.push(folio),
                Err(refused) => refusal = refused,
            }
        }
        open.reverse();
        if open.is_empty() { Err(refusal) } else { Ok(open) }
    }

    /// The folios that a code covers: the open ones, or, if there are none, all that are shown.
    pub(crate) fn asked_about(&self, now: Timestamp) -> Result<Vec<&ContextFolio>, Error> {
        let folios = self.open(now).unwrap_or_else(|_| self.shown());
        if folios.is_empty() {
            return Err(Error::NotFound);
        }
        Ok(folios)
    }

    /// The folios that the party may still look at.
    pub(crate) fn shown(&self) -> Vec<&ContextFolio> {
        self.folios
            .iter()
            .filter(|folio| !folio.stored.folio.dropped)
            .collect()
    }

    /// Where codes of that channel go.
    pub(crate) fn recipient(&self, channel: Channel) -> String {
        self.person.contact.recipient(channel)
    }

    /// One hash over every document before the party: what its codes are bound to.
    pub(crate) fn documents_hash(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        for document in self.folios.iter().flat_map(|folio| &folio.stored.folio.documents) {
            hash.update(document.sha256);
        }
        hash.finalize().into()
    }
}

/// The channels by which these folios are signed, each once.
pub(crate) fn channels<'f>(folios: impl IntoIterator<Item = &'f Folio>) -> Vec<Channel> {
    let mut channels = Vec::new();
    for folio in folios {
        let channel = folio.signature_type.channel();
        if !channels.contains(&channel) {
            channels.push(channel);
        }
    }
    channels
}

/// Leaves broken folios out and logs the reason. If no open folio is left, the first error is returned.
pub(crate) fn leave_out(open: usize, broken: Vec<(FolioId, Error)>) -> Result<Vec<FolioId>, Error> {
    let mut left_out = Vec::with_capacity(broken.len());
    let all = broken.len() >= open;
    for (folio, error) in broken {
        if all {
            return Err(error);
        }
        tracing::error!(
            %folio,
            error = %Causes(&error),
            "a folio of a bulk signature was left out"
        );
        left_out.push(folio);
    }
    Ok(left_out)
}

fn folios(
    tx: &mut Tx<'_>,
    company: &CompanyRow,
    ids: &[FolioId],
    lock: bool,
) -> Result<Vec<StoredFolio>, Error> {
    Ok(if lock {
        tx.lock_folios(company.id, ids)?
    } else {
        tx.folios(company.id, ids)?
    })
}
