//! Corrects a person's name, document number and contacts in the folios of a company. The history keeps what was there
//! before. The number is corrected in forms that were not sent, too.

use super::PersonFolio;
use super::unsent::correct_unsent;
use crate::panel::{AuditAct, record_caller_act};
use crate::signing::party::SigningParty;
use crate::{App, Caller, Error};
use domain::{DocumentNumber, FolioId, PersonFields, Refusal, Timestamp, mask, search};
use store::{FolioRow, Tx};

/// What came of a correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PersonCorrection {
    /// The person is corrected in so many folios.
    Done(usize),
    /// Another signer of this folio has the number: nothing is corrected.
    NumberTaken(FolioId),
}

impl App {
    /// Corrects the person in every folio of the caller's company that was not erased, or in one of them alone. A folio is
    /// corrected in its own transaction: a correction that was interrupted is repeated.
    pub async fn correct_person(
        &self,
        caller: Caller,
        number: DocumentNumber,
        only: Option<FolioId>,
        fields: PersonFields,
    ) -> Result<PersonCorrection, Error> {
        let now = self.clock.now();
        let company = caller.company;
        let wanted = |folio: &PersonFolio| only.is_none_or(|only| folio.stored.folio.id == only);
        let mut before = Some(FolioRow::MAX);
        while let Some(from) = before {
            let page = self.folios_of_person(company, number.clone(), Some(from)).await?;
            for folio in page.folios.iter().filter(|folio| wanted(folio)) {
                let stored = &folio.stored.folio;
                let own = &stored[folio.signer_index].document_number;
                if word(own) != word(&fields.document_number)
                    && stored.has_other_with_number(folio.signer_index, &fields.document_number)
                {
                    return Ok(PersonCorrection::NumberTaken(stored.id));
                }
            }
            before = page.older;
        }
        let mut corrected = 0;
        let mut before = Some(FolioRow::MAX);
        while let Some(from) = before {
            let page = self.folios_of_person(company, number.clone(), Some(from)).await?;
            for folio in page.folios.into_iter().filter(wanted) {
                let (caller, fields) = (caller.clone(), fields.clone());
                let changed = self
                    .store
                    .write_retryable(move |tx| correct(tx, &caller, &folio, &fields, now));
                corrected += usize::from(changed.await?);
            }
            before = page.older;
        }
        let mut detail = mask::number(number.as_str());
        if word(&fields.document_number) != word(&number) {
            detail = format!("{detail} → {}", mask::number(fields.document_number.as_str()));
        }
        let new = fields.document_number;
        let everywhere = only.is_none() && word(&new) != word(&number);
        let recorded = self.store.write_retryable(move |tx| {
            if everywhere {
                correct_unsent(tx, company, &number, &new)?;
            }
            Ok::<_, Error>(record_caller_act(
                tx,
                &caller,
                AuditAct::PersonCorrected,
                &detail,
                now,
            )?)
        });
        recorded.await?;
        self.wakeups.outbox.notify();
        self.wakeups.projector.notify();
        Ok(PersonCorrection::Done(corrected))
    }
}

fn word(number: &DocumentNumber) -> String {
    search::number_word(number.as_str())
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
    let signer = stored.folio.signer(signer_index).ok_or(Refusal::UnknownSigner)?;
    let mut fields = fields.clone();
    // The same number, however it is written, stays as it is in each folio.
    if word(&fields.document_number) == word(&signer.document_number) {
        fields.document_number = signer.document_number.clone();
    }
    let same = signer.name == fields.name
        && signer.document_number == fields.document_number
        && signer.contact == fields.contact;
    if stored.folio.erased || same {
        return Ok(false);
    }
    let change = stored
        .folio
        .correct_person(signer_index, &fields, caller.origin(), now)?;
    tx.lock_bulks_of(stored.seq)?;
    // Codes that went to an old contact, or to a person with another number, are over.
    let number = &fields.document_number;
    let mut ended: Vec<Vec<u8>> = Vec::new();
    for changed in change.signers.iter().filter(|changed| changed.ends_sessions) {
        // A bulk signature may have a contact of its own: another name or number says nothing of it.
        let contact = changed.contact_corrected.then_some(&changed.contact);
        let bulks = tx.correct_bulks(stored.seq, signer_index, number, contact, now)?;
        ended.extend(bulks.into_iter().map(|bulk| SigningParty::Bulk(bulk).to_bytes()));
        let party = SigningParty::Signer {
            folio: id,
            signer_index,
        };
        ended.push(party.to_bytes());
    }
    tx.end_codes_of(&ended)?;
    if signer.name != fields.name {
        tx.forget_sheets(stored.seq)?;
    }
    if signer.document_number != *number {
        let (old, new) = (&signer.document_number, number);
        tx.reindex_number(caller.company, stored.seq, old, new)?;
    }
    tx.apply(caller.company, now, &[(&stored, change)])?;
    Ok(true)
}
