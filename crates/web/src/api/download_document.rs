//! `GET`, `HEAD` and `POST download`: a document's bytes.

use super::answer::{Answer, Content};
use super::call::Call;
use super::entity::{Version, Wanted, attachment, body};
use super::errors::{self, Cause, Failure};
use super::form;
use crate::Web;
use app::download_document::Downloadable;
use axum::body::Body;
use axum::http::{HeaderValue, Method, StatusCode, header};
use domain::DocumentId;
use std::ops::Range;

pub(crate) async fn handle(web: &Web, call: &mut Call) -> Result<Answer, Failure> {
    let posted = call.parts.method == Method::POST;
    let (access, id) = if posted {
        let caller = web.caller(call.access()).await?;
        let fields = form::short(call).await?;
        (
            caller.into(),
            fields
                .text("documentId")
                .ok()
                .and_then(|text| text.parse::<DocumentId>().ok()),
        )
    } else {
        let id = call
            .query("documentId")
            .ok()
            .and_then(|text| text.parse::<DocumentId>().ok());
        if id.is_none() {
            web.caller(call.access()).await?;
        }
        (call.access()?, id)
    };
    let id = id.ok_or(Cause::Malformed)?;
    let document = web.app.find_document(access, id).await?;
    let version = Version::new(
        &document.file.sha256,
        document.file.modified_at,
        document.file.size,
    );
    // Conditions and ranges are for reads; a form gets the whole.
    let wanted = if posted {
        Wanted::Whole
    } else {
        version.wanted(&call.parts.method, &call.parts.headers)
    };
    let head = call.parts.method == Method::HEAD;
    let whole = 0..version.size;
    let mut answer = match wanted {
        Wanted::OtherVersion => return Err(Cause::Condition.into()),
        Wanted::NotModified => empty(StatusCode::NOT_MODIFIED),
        Wanted::NotSatisfiable => return Ok(not_satisfiable(call, &version)),
        Wanted::Part(part) => bytes(web, &document, StatusCode::PARTIAL_CONTENT, part, head).await?,
        Wanted::Whole => bytes(web, &document, StatusCode::OK, whole, head).await?,
    };
    let value = |text: &str| HeaderValue::from_str(text).map_err(|_| Failure::Cause(Cause::Internal));
    answer.headers.extend([
        (
            header::CACHE_CONTROL,
            HeaderValue::from_static("private, max-age=86400"),
        ),
        (
            header::LAST_MODIFIED,
            value(&httpdate::fmt_http_date(version.modified))?,
        ),
        (header::ETAG, value(&version.etag)?),
        (header::ACCEPT_RANGES, HeaderValue::from_static("bytes")),
    ]);
    if answer.status != StatusCode::NOT_MODIFIED {
        answer
            .headers
            .push((header::CONTENT_TYPE, HeaderValue::from_static("application/pdf")));
        answer.headers.push((
            header::CONTENT_DISPOSITION,
            attachment(document.file.name.as_str()),
        ));
    }
    Ok(answer)
}

fn empty(status: StatusCode) -> Answer {
    Answer {
        status,
        headers: Vec::with_capacity(8),
        body: Content::Other(Body::empty()),
        close: false,
    }
}

/// The bytes of a range. For `HEAD`, the same headers without the bytes.
async fn bytes(
    web: &Web,
    document: &Downloadable,
    status: StatusCode,
    range: Range<u64>,
    head: bool,
) -> Result<Answer, Failure> {
    let mut answer = empty(status);
    answer
        .headers
        .push((header::CONTENT_LENGTH, HeaderValue::from(range.end - range.start)));
    if status == StatusCode::PARTIAL_CONTENT {
        let text = format!("bytes {}-{}/{}", range.start, range.end - 1, document.file.size);
        let value = HeaderValue::from_str(&text).map_err(|_| Failure::Cause(Cause::Internal))?;
        answer.headers.push((header::CONTENT_RANGE, value));
    }
    if !head {
        let reader = web.app.download(document, range).await?;
        answer.body = Content::Other(body(reader));
    }
    Ok(answer)
}

fn not_satisfiable(call: &Call, version: &Version) -> Answer {
    let mut answer = errors::answer(call.operation, &Cause::Range.into(), None);
    if let Ok(value) = HeaderValue::from_str(&format!("bytes */{}", version.size)) {
        answer.headers.push((header::CONTENT_RANGE, value));
    }
    answer
}
