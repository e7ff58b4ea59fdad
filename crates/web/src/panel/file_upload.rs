//! The extractor of forms with one small file: a logo, a list of people. A form from another site is refused.

use super::anonymous::AnonymousRequest;
use super::auth::CsrfToken;
use super::message_page::PanelMessage;
use crate::Web;
use crate::http::multipart::{self, MultipartEvent, Parser};
use crate::page::{FormFields, is_same_origin};
use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use bytes::Bytes;

/// Bytes of the form besides the file.
const FORM_OVERHEAD_BYTES: usize = 64 << 10;
/// Parts that are looked at.
const MAX_PARTS: usize = 16;

/// The file of at most so many bytes, where one was chosen. It comes after the role in a handler's signature.
#[derive(Debug)]
pub(crate) struct FileUpload<const MAX_BYTES: usize> {
    /// Absent when the form was too large to be read.
    pub(crate) file: Option<Bytes>,
    pub(crate) too_large: bool,
}

impl<const MAX_BYTES: usize> FromRequest<Web> for FileUpload<MAX_BYTES> {
    type Rejection = Response;

    async fn from_request(request: Request, web: &Web) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        let request = AnonymousRequest::new(&parts, web);
        let refused = || request.message_page(StatusCode::FORBIDDEN, PanelMessage::ForeignForm);
        let csrf_token = parts
            .extensions
            .get::<CsrfToken>()
            .map(|csrf_token| csrf_token.0.clone());
        if !is_same_origin(web, &parts.headers, false) {
            return Err(refused());
        }
        let kind = parts
            .headers
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok());
        let Some(boundary) = kind.and_then(multipart::boundary) else {
            return Err(refused());
        };
        let read = tokio::time::timeout(
            web.settings.body_grace,
            to_bytes(body, MAX_BYTES + FORM_OVERHEAD_BYTES),
        )
        .await;
        let Ok(Ok(bytes)) = read else {
            // The form was not read, so it has no effect; the page shows the error.
            return Ok(Self {
                file: None,
                too_large: true,
            });
        };
        let (form, file) = fields(bytes, &boundary).ok_or_else(refused)?;
        if csrf_token.is_none_or(|csrf_token| csrf_token != form.get("csrf")) {
            return Err(refused());
        }
        let too_large = file.as_ref().is_some_and(|file| file.len() > MAX_BYTES);
        Ok(Self { file, too_large })
    }
}

fn fields(bytes: Bytes, boundary: &str) -> Option<(FormFields, Option<Bytes>)> {
    let mut parser = Parser::new(boundary);
    parser.feed(bytes);
    let (mut fields, mut file) = (Vec::new(), None);
    for _ in 0..MAX_PARTS {
        let MultipartEvent::Part(part) = parser.next().ok()?? else {
            break;
        };
        let content = content(&mut parser)?;
        if part.file_name.is_some() {
            file = Some(content).filter(|bytes| !bytes.is_empty());
        } else {
            let text = String::from_utf8_lossy(&content).into_owned();
            fields.push((part.name.unwrap_or_default(), text));
        }
    }
    Some((FormFields::of(fields), file))
}

/// A part's content: one piece, as the form was fed in one.
fn content(parser: &mut Parser) -> Option<Bytes> {
    let MultipartEvent::Content(bytes) = parser.next().ok()?? else {
        return Some(Bytes::new());
    };
    matches!(parser.next().ok()??, MultipartEvent::EndOfPart).then_some(bytes)
}
