//! What the programs send: texts that show whether an encoding was misread.

use serde_json::{Value, json};
use testkit::pdf;

/// Characters of two, three and four bytes.
pub(crate) const NAME: &str = "Contrato de la Ñandú & Cía. – 10 € 🤝";
pub(crate) const MESSAGE: &str = "¿Está de acuerdo? Revise y firme «aquí» 🖋 = 100 % + IVA; \"ya\"";
/// Also the name of the file on disk.
pub(crate) const FILE_NAME: &str = "Nómina año 2026 – señal 📄.pdf";
pub(crate) const PERCENT_ENCODED_FILE_NAME: &str =
    "N%C3%B3mina%20a%C3%B1o%202026%20%E2%80%93%20se%C3%B1al%20%F0%9F%93%84.pdf";

/// The same for clients that write ISO-8859-1.
pub(crate) const LATIN1_NAME: &str = "Contrato de la Ñandú & Cía.";
pub(crate) const LATIN1_MESSAGE: &str = "¿Está de acuerdo? Revise y firme «aquí»";
pub(crate) const LATIN1_FILE_NAME: &str = "Nómina año 2026.pdf";

pub(crate) const OBSERVATION: &str = "Anulado a petición del señor Peña 😕";
pub(crate) const RETURN_URL: &str = "https://cliente.example.com/gracias?año=2026&vía=correo";

/// The document number of the one signer.
pub(crate) const NUMBER: &str = "52900111";
pub(crate) const SIGNER_NAME: &str = "José Ángel Núñez Peña";
/// The address that a resend corrects.
pub(crate) const NEW_EMAIL: &str = "jose.nuevo@example.com";

/// The document of most creates.
pub(crate) fn document() -> Vec<u8> {
    pdf::lease(2)
}

/// More than a connection's buffers hold.
pub(crate) fn large_document() -> Vec<u8> {
    pdf::of_bytes(12 << 20)
}

pub(crate) fn signers() -> Value {
    json!([{
        "name": SIGNER_NAME,
        "email": "jose@example.com",
        "documentType": "CC",
        "documentNumber": NUMBER,
        "cellPhoneNumber": "+57 300 123-4567",
    }])
}

/// The signer of a bulk signature, who has the corrected address.
pub(crate) fn bulk_signer() -> Value {
    let mut signers = signers();
    signers[0]["email"] = NEW_EMAIL.into();
    signers
}

pub(crate) fn corrections() -> Value {
    json!([{ "documentNumber": NUMBER, "email": NEW_EMAIL, "cellPhoneNumber": "3009876543" }])
}

/// The head of the part with the document, under that name.
pub(crate) fn file_part(name: &str) -> String {
    format!("Content-Disposition: form-data; name=\"documents[]\"; filename=\"{name}\"")
}

/// The same with the name in ISO-8859-1.
pub(crate) fn latin1_file_part() -> Vec<u8> {
    let line = file_part(LATIN1_FILE_NAME);
    line.chars().map(|c| u8::try_from(c).unwrap()).collect()
}
