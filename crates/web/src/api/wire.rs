//! How things are written for callers: codes as strings, names in Spanish, dates in the installation's zone.

use domain::{
    Document, DocumentId, Folio, FolioId, FolioState, SignatureType, Signer, SignerState, Timestamp,
};
use jiff::tz::TimeZone;
use serde::Serialize;

/// The code and the name of a state.
pub(crate) const fn folio_state(state: FolioState) -> (&'static str, &'static str) {
    match state {
        FolioState::Signed => ("1", "FIRMADO"),
        FolioState::Pending => ("2", "PENDIENTE"),
        FolioState::RejectedBySigner => ("3", "RECHAZADO FIRMANTE"),
        FolioState::Approved => ("4", "FIRMADO Y APROBADO"),
        FolioState::Disapproved => ("5", "RECHAZADO GESTIÓN / ADMINISTRADOR"),
        FolioState::Cancelled => ("6", "ANULADO"),
    }
}

/// The code and the name of a signer's state: the folio's words.
pub(crate) const fn signer_state(state: SignerState) -> (&'static str, &'static str) {
    match state {
        SignerState::Signed => folio_state(FolioState::Signed),
        SignerState::Pending => folio_state(FolioState::Pending),
        SignerState::Rejected => folio_state(FolioState::RejectedBySigner),
    }
}

/// The code and the name of a signature type.
pub(crate) const fn signature_type(kind: SignatureType) -> (&'static str, &'static str) {
    match kind {
        SignatureType::EmailCode => ("1", "OTP Básico"),
        SignatureType::SmsCode => ("2", "OTP Móvil Verificado"),
    }
}

/// `YYYY-MM-DD HH:MM:SS` in a zone.
pub(crate) fn date(at: Timestamp, zone: &TimeZone) -> String {
    let instant = jiff::Timestamp::from_microsecond(at.as_micros()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let local = zone.to_datetime(instant);
    let (year, month, day) = (local.year(), local.month(), local.day());
    let (hour, minute, second) = (local.hour(), local.minute(), local.second());
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

/// A folio with all that belongs to it.
#[derive(Serialize)]
pub(crate) struct FolioDetail<'a> {
    #[serde(rename = "folioData")]
    folio_data: FolioData<'a>,
    documents: Vec<DocumentRecord<'a>>,
    signers: Vec<SignerRecord<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FolioData<'a> {
    folio_id: FolioId,
    name: &'a str,
    message: &'a str,
    observation: Option<&'a str>,
    date_create: String,
    date_last_update: Option<String>,
    state: &'static str,
    state_name: &'static str,
    #[serde(rename = "flag_drop")]
    flag_drop: &'static str,
    signature_type: &'static str,
    signature_type_name: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DocumentRecord<'a> {
    document_id: DocumentId,
    name: &'a str,
    date_create: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SignerRecord<'a> {
    name: &'a str,
    document_type: &'static str,
    document_number: &'a str,
    email: &'a str,
    cell_phone_number: &'a str,
    folio_state: &'static str,
    folio_state_name: &'static str,
    ip_signature_address: Option<String>,
    date_last_update: Option<String>,
}

impl<'a> FolioDetail<'a> {
    pub(crate) fn new(folio: &'a Folio, zone: &TimeZone) -> Self {
        let (state, state_name) = folio_state(folio.state);
        let (kind, kind_name) = signature_type(folio.signature_type);
        Self {
            folio_data: FolioData {
                folio_id: folio.id,
                name: folio.name.as_str(),
                message: folio.message.as_str(),
                observation: folio.observation.as_ref().map(domain::Observation::as_str),
                date_create: date(folio.created_at, zone),
                date_last_update: folio.updated_at.map(|at| date(at, zone)),
                state,
                state_name,
                flag_drop: if folio.dropped { "1" } else { "0" },
                signature_type: kind,
                signature_type_name: kind_name,
            },
            documents: folio
                .documents
                .iter()
                .map(|document| DocumentRecord::new(document, zone))
                .collect(),
            signers: folio
                .signers
                .iter()
                .map(|signer| SignerRecord::new(signer, zone))
                .collect(),
        }
    }
}

impl<'a> DocumentRecord<'a> {
    fn new(document: &'a Document, zone: &TimeZone) -> Self {
        Self {
            document_id: document.id,
            name: document.name.as_str(),
            date_create: date(document.created_at, zone),
        }
    }
}

impl<'a> SignerRecord<'a> {
    fn new(signer: &'a Signer, zone: &TimeZone) -> Self {
        let (state, state_name) = signer_state(signer.state);
        Self {
            name: signer.name.as_str(),
            document_type: signer.document_type.code(),
            document_number: signer.document_number.as_str(),
            email: signer.contact.email.as_str(),
            cell_phone_number: signer.contact.mobile.as_str(),
            folio_state: state,
            folio_state_name: state_name,
            ip_signature_address: signer.signed_from.map(|address| address.to_string()),
            date_last_update: signer.updated_at.map(|at| date(at, zone)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_shown_in_the_zone() {
        let zone = TimeZone::get("America/Bogota").unwrap();
        let at = Timestamp::from_micros(1_763_170_799_999_999);
        assert_eq!(date(at, &zone), "2025-11-14 20:39:59");
        assert_eq!(date(at, &TimeZone::UTC), "2025-11-15 01:39:59");
    }
}
