//! Everything about a person as one file: their data and messages, the documents, and of each folio the evidence that the
//! person may have.

use super::bundle::{Bundle, folio_facts, read_me};
use super::unsent::unsent_of;
use super::{PersonFolio, PersonFolios, folios_of};
use crate::evidence::part_count;
use crate::folios::mentions::PersonValues;
use crate::panel::{AuditAct, record_caller_act};
use crate::{App, Caller, Error};
use domain::{DocumentNumber, Language, mask};
use serde_json::{Value, json};
use store::FolioRow;

/// Bytes of documents in one bundle. What does not fit is named, and downloaded from its folio's page.
const MAX_DOCUMENT_BYTES: u64 = 64 << 20;

/// A file with everything about a person, or with a part of it.
#[derive(Debug, Clone)]
pub struct PersonBundle {
    /// A ZIP file.
    pub file: Vec<u8>,
    /// How many folios are in it.
    pub folios: usize,
}

impl App {
    /// Everything about a person in the caller's company: the folios older than the one with that number, or the newest.
    /// [`Error::NotFound`] if there are none, and nothing of the person in drafts and saved searches.
    pub async fn export_person(
        &self,
        caller: Caller,
        number: DocumentNumber,
        before: Option<FolioRow>,
    ) -> Result<PersonBundle, Error> {
        let _permit = self.export_admission.acquire().await?;
        let (now, company) = (self.clock.now(), caller.company);
        let (wanted, before) = (number.clone(), before.unwrap_or(FolioRow::MAX));
        let (actor, zone) = (caller.clone(), self.notary.timezone().clone());
        let found = self.store.write_retryable(move |tx| {
            let found = folios_of(tx, company, &wanted, before)?;
            let (mut identified_by, mut known) = (PersonValues::default(), PersonValues::default());
            identified_by.add_document_number(wanted.as_str());
            known.add_document_number(wanted.as_str());
            for folio in &found.folios {
                let signer = &folio.stored.folio[folio.signer_index];
                identified_by.add_number_or_address(signer.contact.email.as_str());
                known.add_name(signer.name.as_str());
                known.add_number_or_address(signer.contact.email.as_str());
                known.add_mobile(signer.contact.mobile.as_str());
            }
            let time = |at| super::bundle::time(at, &zone);
            let unsent = unsent_of(tx, company, &identified_by, &known, time)?;
            if found.folios.is_empty() && unsent.0.is_empty() && unsent.1.is_empty() {
                return Err(Error::NotFound);
            }
            let rows: Vec<FolioRow> = found.folios.iter().map(|folio| folio.stored.seq).collect();
            let languages = tx.signer_languages(&rows)?;
            record_caller_act(
                tx,
                &actor,
                AuditAct::PersonExported,
                &mask::number(wanted.as_str()),
                now,
            )?;
            Ok::<_, Error>((found, unsent, languages))
        });
        let (PersonFolios { folios, older }, (drafts, searches), languages) = found.await?;
        let mut bundle = Bundle::default();
        let mut facts = Vec::with_capacity(folios.len());
        let mut room = MAX_DOCUMENT_BYTES;
        for folio in &folios {
            let language = languages.get(&(folio.stored.seq, folio.signer_index)).copied();
            let exported = self.export_folio(&caller, folio, language, &mut bundle, &mut room);
            facts.push(exported.await?);
        }
        let zone = self.notary.timezone().clone();
        let summary = json!({
            "titular": { "numero": number.as_str() },
            "generado": super::bundle::time(now, &zone),
            "hay_mas_folios_anteriores": older.is_some(),
            "folios": facts,
            "borradores": drafts,
            "busquedas_guardadas": searches,
        });
        bundle.add_json("datos.json", &summary)?;
        bundle.add("LEAME.txt", read_me(older.is_some()).as_bytes())?;
        Ok(PersonBundle {
            file: bundle.finish()?,
            folios: folios.len(),
        })
    }

    async fn export_folio(
        &self,
        caller: &Caller,
        folio: &PersonFolio,
        language: Option<Language>,
        bundle: &mut Bundle,
        room: &mut u64,
    ) -> Result<Value, Error> {
        let (company, id) = (caller.company, folio.stored.folio.id);
        let mut facts = folio_facts(folio, language, self.notary.timezone());
        let mut documents = Vec::new();
        for document in &folio.stored.folio.documents {
            let document_id = document.id;
            let found = self
                .store
                .read(move |tx| tx.find_document_of_any_folio(company, document_id))
                .await?;
            let Some(file) = found else { continue };
            let mut line = json!({ "id": document_id.to_string(), "nombre": file.name.as_str() });
            if file.size > *room {
                line["archivo"] = Value::Null;
                line["nota"] = "No cabe en este archivo: descárguelo desde la página del folio.".into();
            } else {
                let place = format!("folios/{id}/{document_id}.pdf");
                match self.document_bytes(&file, 0..file.size).await {
                    Ok(reader) => {
                        *room -= file.size;
                        bundle.add(&place, &reader.bytes().await.map_err(crate::Error::from)?)?;
                        line["archivo"] = place.into();
                    }
                    Err(Error::DocumentUnavailable) => {
                        line["nota"] = "El documento está dañado o perdido en el almacenamiento.".into();
                    }
                    Err(error) => return Err(error),
                }
            }
            documents.push(line);
        }
        facts["documentos"] = documents.into();
        for part in 1..=part_count(folio.stored.history.length) {
            match self
                .evidence_of_signer(caller, id, folio.signer_index, part)
                .await
            {
                Ok(sealed) => {
                    if part == 1 {
                        let report = self.evidence_report(&sealed).await?;
                        bundle.add(&format!("folios/{id}/constancia.pdf"), &report)?;
                    }
                    let place = format!("folios/{id}/evidencia-{part}.json");
                    bundle.add(&place, sealed.text.as_bytes())?;
                }
                // The damage is in the log; the rest of the person's data is theirs all the same.
                Err(Error::BrokenHistory) => {
                    facts["nota"] = "El historial de este folio está dañado: no hay evidencia.".into();
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(facts)
    }
}
