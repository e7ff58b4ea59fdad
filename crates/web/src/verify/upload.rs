//! The uploaded file, read into bounded memory and not stored.

use super::judge::Uploaded;
use crate::Web;
use crate::api::body::Incoming;
use crate::api::errors::{Cause, Failure};
use crate::api::form::Form;
use crate::signer::visit::Visit;
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use domain::FileName;

/// What signatures and timestamps may add to a document.
const APPENDED: u64 = 8 << 20;
/// What a form adds to its file.
const FORM: u64 = 64 << 10;

/// Why there is no file to check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unusable {
    /// None was chosen.
    Missing,
    TooLarge,
    TooSlow,
    Malformed,
    /// Too many files are being read.
    Busy,
}

impl Unusable {
    /// Status and words.
    pub(super) fn told(self, visit: &Visit) -> (StatusCode, String) {
        let l = visit.l;
        match self {
            Self::Missing => (StatusCode::UNPROCESSABLE_ENTITY, l.verify_missing().to_owned()),
            Self::TooLarge => (
                StatusCode::PAYLOAD_TOO_LARGE,
                l.verify_too_large(&l.size(most(&visit.web))),
            ),
            Self::TooSlow => (StatusCode::REQUEST_TIMEOUT, l.verify_too_slow().to_owned()),
            Self::Malformed | Self::Busy => (StatusCode::BAD_REQUEST, l.verify_malformed().to_owned()),
        }
    }
}

impl From<Failure> for Unusable {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Cause(Cause::TooLarge) => Self::TooLarge,
            Failure::Cause(Cause::TooSlow) => Self::TooSlow,
            _ => Self::Malformed,
        }
    }
}

/// The largest file that is checked: a document of ours with all its signatures.
pub(super) fn most(web: &Web) -> u64 {
    web.app.policy.document_bytes + APPENDED
}

/// Reads the form's file.
pub(super) async fn read(visit: &Visit, body: Body) -> Result<Uploaded, Unusable> {
    let header = |name| {
        visit
            .parts
            .headers
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    let most = most(&visit.web);
    let length = header(CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    let mut body = Incoming::new(body, visit.web.settings.body_grace);
    if length.is_some_and(|length| length > most + FORM) {
        body.linger();
        return Err(Unusable::TooLarge);
    }
    let Some(room) = visit.web.verifier.room_for(length.unwrap_or(most)) else {
        body.linger();
        return Err(Unusable::Busy);
    };
    let kind = header(CONTENT_TYPE).unwrap_or_default();
    let read = take(kind, &mut body, most).await;
    if read.is_err() {
        body.linger();
    }
    let (name, bytes) = read?;
    Ok(Uploaded { name, bytes, room })
}

async fn take(kind: &str, body: &mut Incoming, most: u64) -> Result<(String, Vec<u8>), Unusable> {
    let mut form = Form::open(kind, body, most + FORM)?;
    let mut found = None;
    while let Some(part) = form.next().await? {
        let wanted = part.name.as_deref() == Some("file") && found.is_none();
        let name = FileName::sanitized(&part.file_name.unwrap_or_default());
        let mut bytes = Vec::new();
        while let Some(more) = form.chunk().await? {
            if wanted {
                if (bytes.len() + more.len()) as u64 > most {
                    return Err(Unusable::TooLarge);
                }
                bytes.extend_from_slice(&more);
            }
        }
        if wanted && !bytes.is_empty() {
            found = Some((name.as_str().to_owned(), bytes));
        }
    }
    form.drain().await?;
    found.ok_or(Unusable::Missing)
}
