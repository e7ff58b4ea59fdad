//! The uploaded file, read into bounded memory and not stored.

use super::checker::UploadedFile;
use crate::Web;
use crate::http::body::{BodyError, RequestBody};
use crate::http::form::MultipartForm;
use crate::page::request::PageRequest;
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use domain::FileName;

/// What signatures and timestamps may add to a document.
const MAX_APPENDED_BYTES: u64 = 8 << 20;
/// What a form adds to its file.
const FORM_OVERHEAD_BYTES: u64 = 64 << 10;

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
    pub(super) fn status_and_text(self, request: &PageRequest) -> (StatusCode, String) {
        let l = request.l();
        match self {
            Self::Missing => (StatusCode::UNPROCESSABLE_ENTITY, l.verify_missing().to_owned()),
            Self::TooLarge => (
                StatusCode::PAYLOAD_TOO_LARGE,
                l.verify_too_large(&l.size(max_file_bytes(&request.web))),
            ),
            Self::TooSlow => (StatusCode::REQUEST_TIMEOUT, l.verify_too_slow().to_owned()),
            Self::Malformed | Self::Busy => (StatusCode::BAD_REQUEST, l.verify_malformed().to_owned()),
        }
    }
}

impl From<BodyError> for Unusable {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::TooLarge => Self::TooLarge,
            BodyError::TooSlow => Self::TooSlow,
            BodyError::Gone | BodyError::Malformed => Self::Malformed,
        }
    }
}

/// The largest file that is checked: a document of ours with all its signatures.
pub(super) fn max_file_bytes(web: &Web) -> u64 {
    web.app.policy.document_bytes + MAX_APPENDED_BYTES
}

/// Reads the form's file.
pub(super) async fn read(request: &PageRequest, body: Body) -> Result<UploadedFile, Unusable> {
    let header = |name| {
        request
            .parts
            .headers
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    let max_bytes = max_file_bytes(&request.web);
    let length = header(CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    let mut body = RequestBody::new(body, request.web.settings.body_grace);
    if length.is_some_and(|length| length > max_bytes + FORM_OVERHEAD_BYTES) {
        return Err(Unusable::TooLarge);
    }
    let Some(memory) = request.web.verifier.reserve_memory(length.unwrap_or(max_bytes)) else {
        return Err(Unusable::Busy);
    };
    let kind = header(CONTENT_TYPE).unwrap_or_default();
    let (name, bytes) = read_file(kind, &mut body, max_bytes).await?;
    Ok(UploadedFile { name, bytes, memory })
}

async fn read_file(
    kind: &str,
    body: &mut RequestBody,
    max_bytes: u64,
) -> Result<(String, Vec<u8>), Unusable> {
    let mut form = MultipartForm::open(kind, body, max_bytes + FORM_OVERHEAD_BYTES)?;
    let mut found = None;
    while let Some(part) = form.next().await? {
        let wanted = part.name.as_deref() == Some("file") && found.is_none();
        let name = FileName::new(&part.file_name.unwrap_or_default());
        let mut bytes = Vec::new();
        while let Some(more) = form.chunk().await? {
            if wanted {
                if (bytes.len() + more.len()) as u64 > max_bytes {
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
