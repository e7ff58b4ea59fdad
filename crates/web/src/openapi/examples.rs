//! The successful response of each operation: the real messages and members, with invented people.

use crate::api::Operation;
use crate::api::errors::{Cause, entry};
use crate::api::operations::{cancel_folios, create_folio, read_folio, resend_emails, start_bulk};
use data_encoding::BASE64;
use serde_json::{Value, json};

pub(super) const FOLIO_ID: &str = "3f0c9a52d1b84e7f9c6a0d4e8b7f1a23";
pub(super) const DOCUMENT_ID: &str = "9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d";
pub(super) const MASSIVE_ID: &str = "0a4d55a8d778e5022fab701977c5d840";
const SHA256: &str = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b";

fn done(message: &str, data: &Value) -> Value {
    json!({ "success": true, "status": 200, "message": message, "data": data })
}

pub(super) fn created() -> Value {
    done(
        create_folio::CREATED,
        &json!({
            "folioId": FOLIO_ID,
            "signProcessUrl":
                "https://firmas.example.com/sign?f=PwyaUtG4Tn-cag1Oi38aIy1xFkK3JrBEAWJ8qfusMvXIUw-xkDzE2wIlhxeSGkiB",
        }),
    )
}

/// A list of documents that can be pasted: a PDF of one empty page.
pub(super) fn base64_documents() -> String {
    let pdf = "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n\
               2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n\
               3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>\nendobj\n\
               xref\n0 4\n0000000000 65535 f \n0000000009 00000 n \n0000000054 00000 n \n0000000105 00000 n \n\
               trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n170\n%%EOF\n";
    json!([{ "name": "contrato.pdf", "content": BASE64.encode(pdf.as_bytes()) }]).to_string()
}

/// A folio that one of its two signers has signed.
fn folio() -> Value {
    json!({
        "folioData": {
            "folioId": FOLIO_ID,
            "name": "Contrato de prestación de servicios",
            "message": "Por favor revise y firme el contrato.",
            "observation": null,
            "dateCreate": "2026-03-02 09:30:00",
            "dateLastUpdate": "2026-03-02 10:31:01",
            "state": "2",
            "stateName": "PENDIENTE",
            "flag_drop": "0",
            "signatureType": "1",
            "signatureTypeName": "OTP Básico",
        },
        "documents": [
            { "documentId": DOCUMENT_ID, "name": "contrato.pdf", "dateCreate": "2026-03-02 09:30:00" },
        ],
        "signers": [
            {
                "name": "María Pérez",
                "documentType": "CC",
                "documentNumber": "1020304050",
                "email": "maria@example.com",
                "cellPhoneNumber": "3001234567",
                "folioState": "1",
                "folioStateName": "FIRMADO",
                "ipSignatureAddress": "203.0.113.7",
                "dateLastUpdate": "2026-03-02 10:31:01",
            },
            {
                "name": "Juan Gómez",
                "documentType": "CE",
                "documentNumber": "987654",
                "email": "juan@example.com",
                "cellPhoneNumber": "3017654321",
                "folioState": "2",
                "folioStateName": "PENDIENTE",
                "ipSignatureAddress": null,
                "dateLastUpdate": null,
            },
        ],
    })
}

pub(super) fn folio_read() -> Value {
    done(read_folio::FOUND, &folio())
}

pub(super) fn folios_read() -> Value {
    let (status, message) = entry(Operation::ReadFolio, Cause::NotFound).unwrap_or_default();
    json!({ "success": true, "status": 200, "data": [
        {
            "success": true,
            "status": 200,
            "message": read_folio::FOUND,
            "folioId": FOLIO_ID,
            "data": folio(),
        },
        {
            "success": false,
            "status": status.as_u16(),
            "message": message,
            "folioId": "00000000000000000000000000000000",
            "data": null,
        },
    ] })
}

pub(super) fn resent() -> Value {
    json!({ "success": true, "status": 200, "message": resend_emails::RESENT })
}

pub(super) fn cancelled() -> Value {
    done(
        cancel_folios::CANCELLED,
        &json!({
            "cancelledFolios": 1,
            "failedFolios": 0,
            "details": [
                { "folioId": FOLIO_ID, "status": "CANCELLED", "message": cancel_folios::ONE_CANCELLED },
            ],
        }),
    )
}

pub(super) fn bulk_started() -> Value {
    done(
        start_bulk::STARTED,
        &json!({
            "signProcessMassiveUrl": "https://firmas.example.com/sign/bulk\
                ?msv=42GZ-ju5fdSZBKlo5JVoGcJp4DqrCZ5GEzZhDukUsAfQZwlzQ4LPLJRAbv8\
                &a=H0D8ktokFpR1CXnubPWC8tXX0o4YM13gWrxU0FYOD1MChgxl\
                &cc=MTAyMDMwNDA1MA%3D%3D&ur=https%3A%2F%2Fcliente.example.com%2Fgracias&rej=1",
            "massiveId": MASSIVE_ID,
        }),
    )
}

pub(super) fn bulk_read() -> Value {
    done(read_folio::FOUND, &json!([folio()]))
}

/// The evidence of a new folio. Long values are shortened.
pub(super) fn evidence() -> Value {
    let at = "2026-03-02T14:30:00Z";
    let version = json!({ "sha256": SHA256, "size": 48_213, "since": at });
    json!({
        "evidence": {
            "format": "firmeza-evidence",
            "version": 1,
            "made": {
                "at": "2026-03-02T14:35:00Z",
                "by": "https://firmeza.example.com",
                "program": concat!("firmeza ", env!("CARGO_PKG_VERSION")),
                "zone": "America/Bogota",
                "clock": "operating_system",
                "timestamps": { "signatures": "installation", "documents": "installation", "seal": "installation" },
            },
            "company": "Acme",
            "folio": {
                "id": FOLIO_ID,
                "name": "Contrato de prestación de servicios",
                "message": "Por favor revise y firme el contrato.",
                "state": "pending",
                "signature_type": "email_code",
                "observation": null,
                "created_at": at,
                "updated_at": null,
                "expires_at": null,
                "language": "es",
                "legal_basis": "Ley 527 de 1999 y Decreto 2364 de 2012 (Colombia)",
            },
            "documents": [
                { "id": DOCUMENT_ID, "name": "contrato.pdf", "original": version, "current": version },
            ],
            "signers": [{
                "signer": 0,
                "name": "María Pérez",
                "document_type": "CC",
                "document_number": "1020304050",
                "email": "maria@example.com",
                "mobile": "3001234567",
                "state": "pending",
                "acted_at": null,
                "address": null,
                "certificates": [],
            }],
            "history": {
                "length": 1,
                "head": SHA256,
                "before": "0".repeat(64),
                "events": [{
                    "number": 1,
                    "hash": SHA256,
                    "body": "{\"folio\":\"3f0c9a52…\",\"number\":1,…,\"address\":{\"digest\":\"5d41402a…\"},…}",
                    "values": [{ "at": "/address", "salt": "0123456789abcdef0123456789abcdef", "value": "203.0.113.7" }],
                }],
            },
            "consents": [],
            "certificates": [{
                "role": "root",
                "subject": "CN=Firmeza",
                "not_before": "2026-03-01T00:00:00Z",
                "not_after": "2046-03-01T00:00:00Z",
                "sha256": SHA256,
                "der": "MIIC…",
            }],
            "revocation_lists": ["MIIB…"],
            "messages": [{
                "template": "invitation",
                "channel": "email",
                "recipient": "maria@example.com",
                "signer": 0,
                "state": "sent",
                "attempts": 1,
                "created_at": at,
                "sent_at": "2026-03-02T14:30:02Z",
                "last_error": null,
            }],
        },
        "seal": { "sha256": SHA256, "cms": "MIIH…" },
    })
}
