//! A folio as the operations that read it show it, and as webhooks carry it.

use crate::codes::{folio_state, signature_type, signer_state};
use crate::date::Date;
use domain::{DocumentId, Folio, FolioId};
use jiff::tz::TimeZone;
use serde::Serialize;
use std::net::IpAddr;

/// A folio with all that belongs to it.
#[derive(Debug, Serialize)]
pub struct FolioJson<'f> {
    #[serde(rename = "folioData")]
    data: FolioData<'f>,
    documents: Vec<DocumentJson<'f>>,
    signers: Vec<SignerJson<'f>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FolioData<'f> {
    folio_id: FolioId,
    name: &'f str,
    message: &'f str,
    observation: Option<&'f str>,
    date_create: Date,
    date_last_update: Option<Date>,
    state: &'static str,
    state_name: &'static str,
    #[serde(rename = "flag_drop")]
    flag_drop: &'static str,
    signature_type: &'static str,
    signature_type_name: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct DocumentJson<'f> {
    document_id: DocumentId,
    name: &'f str,
    date_create: Date,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SignerJson<'f> {
    name: &'f str,
    document_type: &'static str,
    document_number: &'f str,
    email: &'f str,
    cell_phone_number: &'f str,
    folio_state: &'static str,
    folio_state_name: &'static str,
    ip_signature_address: Option<IpAddr>,
    date_last_update: Option<Date>,
}

impl<'f> FolioJson<'f> {
    /// The folio, with its dates in a zone.
    pub fn new(folio: &'f Folio, zone: &TimeZone) -> Self {
        let date = |at| Date::new(at, zone);
        let (state, state_name) = folio_state(folio.state);
        let (signature_type, signature_type_name) = signature_type(folio.signature_type);
        let folio_data = FolioData {
            folio_id: folio.id,
            name: folio.name.as_str(),
            message: folio.message.as_str(),
            observation: folio.observation.as_ref().map(domain::Observation::as_str),
            date_create: date(folio.created_at),
            date_last_update: folio.updated_at.map(date),
            state,
            state_name,
            flag_drop: if folio.dropped { "1" } else { "0" },
            signature_type,
            signature_type_name,
        };
        let documents = folio.documents.iter().map(|document| DocumentJson {
            document_id: document.id,
            name: document.name.as_str(),
            date_create: date(document.created_at),
        });
        let signers = folio.signers.iter().map(|signer| {
            let (folio_state, folio_state_name) = signer_state(signer.state);
            SignerJson {
                name: signer.name.as_str(),
                document_type: signer.document_type.code(),
                document_number: signer.document_number.as_str(),
                email: signer.contact.email.as_str(),
                cell_phone_number: signer.contact.mobile.as_str(),
                folio_state,
                folio_state_name,
                ip_signature_address: signer.signed_from,
                date_last_update: signer.updated_at.map(date),
            }
        });
        Self {
            data: folio_data,
            documents: documents.collect(),
            signers: signers.collect(),
        }
    }
}
