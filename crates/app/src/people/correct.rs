//! Corrects a person's name and contacts in the folios of a company. The history keeps what was there before.

use super::{PersonFolio, folios_of};
use crate::panel::{Act, record_caller_act};
use crate::signing::party::SigningParty;
use crate::{App, Caller, Error};
use domain::{Contact, DocumentNumber, NewSigner, PersonName, Timestamp, mask};
use store::{FolioRow, Tx};

/// What a person is called, and where they are reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonFields {
    /// The full name.
    pub name: PersonName,
    /// Email address and mobile number.
    pub contact: Contact,
}

impl App {
    /// Corrects the person in every folio of the caller's company that was not erased; returns in how many. A folio is
    /// corrected in its own transaction: a correction that was interrupted is repeated.
    pub async fn correct_person(
        &self,
        caller: Caller,
        number: DocumentNumber,
        fields: PersonFields,
    ) -> Result<usize, Error> {
        let now = self.clock.now();
        let mut corrected = 0;
        let mut before = FolioRow::MAX;
        loop {
            let (company, wanted) = (caller.company, number.clone());
            let page = self
                .store
                .read(move |tx| folios_of(tx, company, &wanted, before))
                .await?;
            for folio in page.folios {
                let (caller, fields) = (caller.clone(), fields.clone());
                let changed = self
                    .store
                    .write(move |tx| correct(tx, &caller, &folio, &fields, now));
                corrected += usize::from(changed.await?);
            }
            match page.older {
                Some(older) => before = older,
                None => break,
            }
        }
        let detail = mask::number(number.as_str());
        self.store
            .write(move |tx| record_caller_act(tx, &caller, Act::PersonCorrected, &detail, now))
            .await?;
        self.wakeups.outbox.notify();
        self.wakeups.projector.notify();
        Ok(corrected)
    }
}

/// Corrects the person in one folio; false if there was nothing to correct, or the folio was erased meanwhile.
fn correct(
    tx: &mut Tx<'_>,
    caller: &Caller,
    folio: &PersonFolio,
    fields: &PersonFields,
    now: Timestamp,
) -> Result<bool, Error> {
    let (id, signer_index) = (folio.stored.folio.id, folio.signer_index);
    let Some(stored) = tx.lock_folios(caller.company, &[id])?.pop() else {
        return Ok(false);
    };
    let signer = &stored.folio[signer_index];
    let same = signer.name == fields.name && signer.contact == fields.contact;
    if stored.folio.erased || same {
        return Ok(false);
    }
    let change =
        stored
            .folio
            .correct_person(signer_index, &fields.name, &fields.contact, caller.origin(), now)?;
    tx.lock_bulks_of(stored.seq)?;
    let person = NewSigner {
        name: fields.name.clone(),
        document_type: signer.document_type,
        document_number: signer.document_number.clone(),
        contact: fields.contact.clone(),
    };
    // Codes that went to an old contact are over.
    let bulks = tx.correct_bulks(stored.seq, &person, now)?;
    let mut ended: Vec<Vec<u8>> = bulks
        .into_iter()
        .map(|bulk| SigningParty::Bulk(bulk).to_bytes())
        .collect();
    if change.signers.iter().any(|changed| changed.contact_corrected) {
        ended.push(
            SigningParty::Signer {
                folio: id,
                signer_index,
            }
            .to_bytes(),
        );
    }
    tx.end_codes_of(&ended)?;
    tx.apply(caller.company, now, &[(&stored, change)])?;
    Ok(true)
}
