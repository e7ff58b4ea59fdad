//! The result as JSON, for programs that ask for it by `Accept`. Members are only ever added.

use super::checker::VerifiedFile;
use super::explain::{DocumentVersion, language};
use crate::page::Lang;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, VARY};
use axum::response::{IntoResponse, Response};
use domain::event::hex;
use pades::verify::{SignatureJson, UNKNOWN_ISSUER};
use pki::escape::escape_json;
use serde::Serialize;
use serde_json::json;
use store::PublicDocument;

/// A file, with the members that `firmeza verify --json` has for a PDF.
#[derive(Debug, Serialize)]
struct VerifiedJson<'v> {
    file: &'v str,
    sha256: String,
    size: usize,
    /// `valid`, `unknown_issuer`, `invalid`, `indeterminate`, `unsigned`, `only_timestamps` or `unreadable`.
    verdict: &'static str,
    message: String,
    /// Which version of the document in the address the file is: `current`, `original` or `other`.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<DocumentVersion>,
    signatures: Vec<SignatureJson>,
}

/// The result of a verification, perhaps compared with the requested document.
pub(super) fn outcome(l: Lang, verified: &VerifiedFile, known: Option<&PublicDocument>) -> Response {
    let (report, language) = (&verified.report, language(l));
    let signatures = report.signatures.iter();
    let body = VerifiedJson {
        file: &verified.name,
        sha256: hex(&verified.sha256),
        size: verified.size,
        verdict: if report.lacks_only_issuer() {
            UNKNOWN_ISSUER
        } else {
            report.verdict.name()
        },
        message: report.sentence(language),
        version: known.map(|known| DocumentVersion::of(verified, known)),
        signatures: signatures
            .map(|one| SignatureJson::new(one, one, language))
            .collect(),
    };
    json_response(StatusCode::OK, &body)
}

/// Why there is no result, as the API says it.
pub(super) fn error(status: StatusCode, message: &str) -> Response {
    json_response(
        status,
        &json!({ "success": false, "status": status.as_u16(), "message": message }),
    )
}

fn json_response(status: StatusCode, body: &impl Serialize) -> Response {
    match serde_json::to_string(body) {
        Ok(body) => {
            let headers = [
                (CONTENT_TYPE, "application/json"),
                (CACHE_CONTROL, "no-store"),
                (VARY, "accept"),
            ];
            (status, headers, escape_json(&body).into_owned()).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "a verification could not be written as JSON");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
