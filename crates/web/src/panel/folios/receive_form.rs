//! Reads the form of a new folio: the CSRF token first, then fields and documents, with limits on all of
//! them.

use crate::api::errors::{ApiError, Cause};
use crate::http::body::RequestBody;
use crate::http::form::MultipartForm;
use crate::page::{FormFields, is_same_origin};
use crate::panel::auth::PanelRequest;
use crate::panel::message_page::PanelMessage;
use app::folios::create::{DocumentUpload, UploadedDocument};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::Response;
use domain::FileName;

/// Bytes that the form needs besides its documents.
const FORM_OVERHEAD_BYTES: u64 = 1 << 20;
/// Bytes of one field.
const MAX_FIELD_BYTES: usize = 16 << 10;
/// Text fields: those of ten signers, and the others.
const MAX_TEXT_FIELDS: usize = 128;
/// Documents beyond the limit that are still counted, so that the error can name the first one too many.
const MAX_COUNTED_EXTRA_DOCUMENTS: usize = 1000;

/// The fields and documents of the form.
pub(super) struct NewFolioForm {
    pub(super) form: FormFields,
    pub(super) documents: Vec<UploadedDocument>,
}

/// Why the form was not read to its end.
pub(super) enum ReceiveError {
    Response(Response),
    /// The fields that came before what was too large.
    TooLarge(FormFields),
}

pub(super) async fn receive(
    request: &PanelRequest,
    http_request: Request,
) -> Result<NewFolioForm, ReceiveError> {
    let (parts, body) = http_request.into_parts();
    let foreign =
        || ReceiveError::Response(request.message_page(StatusCode::FORBIDDEN, PanelMessage::ForeignForm));
    if !is_same_origin(&request.web, &parts.headers, false) {
        return Err(foreign());
    }
    let content_type = parts.headers.get(header::CONTENT_TYPE);
    let content_type = content_type
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let mut body = RequestBody::new(body, request.web.settings.body_grace);
    let mut fields = Vec::new();
    match read(request, content_type, &mut body, &mut fields).await {
        Ok(Some(documents)) => Ok(NewFolioForm {
            form: FormFields::of(fields),
            documents,
        }),
        Ok(None) => Err(foreign()),
        Err(ApiError::Cause(Cause::TooLarge)) => Err(ReceiveError::TooLarge(FormFields::of(fields))),
        Err(ApiError::App(error)) => Err(ReceiveError::Response(request.error_page(error))),
        Err(_) => {
            let response = request.message_page(StatusCode::BAD_REQUEST, PanelMessage::ForeignForm);
            Err(ReceiveError::Response(response))
        }
    }
}

/// The documents, and the fields beside them; `None` when the CSRF token is not the first field, or not the session's.
async fn read(
    request: &PanelRequest,
    content_type: &str,
    body: &mut RequestBody,
    fields: &mut Vec<(String, String)>,
) -> Result<Option<Vec<UploadedDocument>>, ApiError> {
    let max_bytes = request.web.settings.request_bytes;
    let parts = request
        .web
        .app
        .policy
        .documents
        .saturating_add(MAX_TEXT_FIELDS + MAX_COUNTED_EXTRA_DOCUMENTS);
    let mut multipart =
        MultipartForm::open(content_type, body, max_bytes + FORM_OVERHEAD_BYTES)?.with_max_parts(parts);
    let mut documents: Vec<UploadedDocument> = Vec::new();
    let (mut bytes, mut csrf_checked) = (0, false);
    while let Some(part) = multipart.next().await? {
        let name = part.name.unwrap_or_default();
        if name == "documents" && csrf_checked {
            // The first document too many is stored, so that the error can name it; the rest is counted.
            let accepted = documents.len() <= request.web.app.policy.documents;
            let begin = || {
                request
                    .web
                    .app
                    .start_upload(&documents)
                    .with_size_hint(multipart.remaining())
            };
            let upload = accepted.then(begin);
            let named = part.file_name.unwrap_or_default();
            documents.extend(document(request, &named, &mut multipart, &mut bytes, upload).await?);
            continue;
        }
        if fields.len() >= MAX_TEXT_FIELDS {
            return Err(Cause::Malformed.into());
        }
        let value = text(&mut multipart).await?;
        if !csrf_checked && (name != "csrf" || value != request.session.csrf) {
            return Ok(None);
        }
        csrf_checked = true;
        fields.push((name, value));
    }
    multipart.drain().await?;
    Ok(csrf_checked.then_some(documents))
}

/// A document; `None` where no file was chosen.
async fn document(
    request: &PanelRequest,
    named: &str,
    multipart: &mut MultipartForm<'_>,
    bytes: &mut u64,
    mut upload: Option<DocumentUpload>,
) -> Result<Option<UploadedDocument>, ApiError> {
    let mut empty = true;
    while let Some(chunk) = multipart.chunk().await? {
        empty &= chunk.is_empty();
        *bytes += chunk.len() as u64;
        if *bytes > request.web.settings.request_bytes {
            return Err(Cause::TooLarge.into());
        }
        if let Some(upload) = &mut upload {
            upload.push(chunk).await?;
        }
    }
    match upload {
        Some(upload) if !named.is_empty() || !empty => Ok(Some(upload.finish(FileName::new(named)).await?)),
        _ => Ok(None),
    }
}

/// The text of a field; what does not fit is left out, and is too long for any of them.
async fn text(multipart: &mut MultipartForm<'_>) -> Result<String, ApiError> {
    let mut value = Vec::new();
    while let Some(chunk) = multipart.chunk().await? {
        let room = MAX_FIELD_BYTES.saturating_sub(value.len()).min(chunk.len());
        value.extend_from_slice(&chunk[..room]);
    }
    Ok(String::from_utf8_lossy(&value).into_owned())
}
