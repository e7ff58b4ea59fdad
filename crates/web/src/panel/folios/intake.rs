//! Reads the form of a new folio: the CSRF token first, then fields and documents, with limits on all of
//! them.

use crate::api::body::Incoming;
use crate::api::errors::{Cause, Failure};
use crate::api::form::Form as Multipart;
use crate::page::{Form, is_from_here};
use crate::panel::desk::Desk;
use crate::panel::news::News;
use app::create_folio::{Intake, TakenDocument};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::Response;
use domain::FileName;

/// Bytes that the form needs besides its documents.
const BESIDES: u64 = 1 << 20;
/// Bytes of one field.
const FIELD: usize = 16 << 10;
/// Text fields: those of ten signers, and the others.
const FIELDS: usize = 128;
/// Documents beyond the limit that are still counted, so that the error can name the first one too many.
const OVER: usize = 1000;

/// The fields and documents of the form.
pub(super) struct Sent {
    pub(super) form: Form,
    pub(super) documents: Vec<TakenDocument>,
}

/// Why the form was not read to its end.
pub(super) enum Stopped {
    Answer(Response),
    TooLarge,
}

pub(super) async fn receive(desk: &Desk, request: Request) -> Result<Sent, Stopped> {
    let (parts, body) = request.into_parts();
    let foreign = || Stopped::Answer(desk.news(StatusCode::FORBIDDEN, News::ForeignForm));
    if !is_from_here(&desk.web, &parts.headers, false) {
        return Err(foreign());
    }
    let content_type = parts.headers.get(header::CONTENT_TYPE);
    let content_type = content_type
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let mut body = Incoming::new(body, desk.web.settings.body_grace);
    let read = read(desk, content_type, &mut body).await;
    if read.is_err() {
        body.linger();
    }
    match read {
        Ok(Some(sent)) => Ok(sent),
        Ok(None) => Err(foreign()),
        Err(Failure::Cause(Cause::TooLarge)) => Err(Stopped::TooLarge),
        Err(Failure::App(error)) => Err(Stopped::Answer(desk.trouble(error))),
        Err(_) => {
            let answer = desk.news(StatusCode::BAD_REQUEST, News::ForeignForm);
            Err(Stopped::Answer(answer))
        }
    }
}

/// The form; `None` when the CSRF token is not the first field, or not the session's.
async fn read(desk: &Desk, content_type: &str, body: &mut Incoming) -> Result<Option<Sent>, Failure> {
    let most = desk.web.settings.request_bytes;
    let parts = desk.web.app.policy.documents.saturating_add(FIELDS + OVER);
    let mut multipart = Multipart::open(content_type, body, most + BESIDES)?.of_parts(parts);
    let mut documents: Vec<TakenDocument> = Vec::new();
    let (mut fields, mut bytes) = (Vec::new(), 0);
    let mut marked = false;
    while let Some(part) = multipart.next().await? {
        let name = part.name.unwrap_or_default();
        if name == "documents" && marked {
            // The first document too many is stored, so that the error can name it; the rest is counted.
            let wanted = documents.len() <= desk.web.app.policy.documents;
            let begin = || desk.web.app.intake(&documents).with_size_hint(multipart.left());
            let intake = wanted.then(begin);
            let named = part.file_name.unwrap_or_default();
            documents.extend(document(desk, &named, &mut multipart, &mut bytes, intake).await?);
            continue;
        }
        if fields.len() >= FIELDS {
            return Err(Cause::Malformed.into());
        }
        let value = text(&mut multipart).await?;
        if !marked && (name != "csrf" || value != desk.signed.csrf) {
            return Ok(None);
        }
        marked = true;
        fields.push((name, value));
    }
    multipart.drain().await?;
    Ok(marked.then(|| Sent {
        form: Form::of(fields),
        documents,
    }))
}

/// A document; `None` where no file was chosen.
async fn document(
    desk: &Desk,
    named: &str,
    multipart: &mut Multipart<'_>,
    bytes: &mut u64,
    mut intake: Option<Intake>,
) -> Result<Option<TakenDocument>, Failure> {
    let mut empty = true;
    while let Some(chunk) = multipart.chunk().await? {
        empty &= chunk.is_empty();
        *bytes += chunk.len() as u64;
        if *bytes > desk.web.settings.request_bytes {
            return Err(Cause::TooLarge.into());
        }
        if let Some(intake) = &mut intake {
            intake.push(chunk).await?;
        }
    }
    match intake {
        Some(intake) if !named.is_empty() || !empty => {
            Ok(Some(intake.finish(FileName::sanitized(named)).await?))
        }
        _ => Ok(None),
    }
}

/// The text of a field; what does not fit is left out, and is too long for any of them.
async fn text(multipart: &mut Multipart<'_>) -> Result<String, Failure> {
    let mut value = Vec::new();
    while let Some(chunk) = multipart.chunk().await? {
        let room = FIELD.saturating_sub(value.len()).min(chunk.len());
        value.extend_from_slice(&chunk[..room]);
    }
    Ok(String::from_utf8_lossy(&value).into_owned())
}
