//! `GET`, `HEAD` and `POST download`: a document's bytes.

use crate::Web;
use crate::api::errors::{self, ApiError, Cause};
use crate::api::fields;
use crate::api::request::ApiRequest;
use crate::api::response::{ApiResponse, ResponseBody};
use crate::http::conditional::{Selection, Version, attachment, body};
use app::folios::download::Downloadable;
use app::{Access, Caller};
use axum::body::Body;
use axum::http::{HeaderValue, Method, StatusCode, header};
use domain::DocumentId;
use std::ops::Range;

/// `GET` and `HEAD`: the document in the query. Conditions and ranges are for these.
pub(crate) async fn by_query(
    web: &Web,
    access: Access,
    request: &mut ApiRequest,
) -> Result<ApiResponse, ApiError> {
    let id = request
        .query("documentId")
        .ok()
        .and_then(|text| text.parse::<DocumentId>().ok());
    let Some(id) = id else {
        return Err(web.malformed_query(access).await);
    };
    let document = web.app.find_document(access, id).await?.as_sent();
    let version = version(&document);
    let selection = version.select(&request.parts.method, &request.parts.headers);
    respond(web, request, &document, &version, selection).await
}

/// `POST`: the document in a form, which gets the whole.
pub(crate) async fn by_form(
    web: &Web,
    caller: Caller,
    request: &mut ApiRequest,
) -> Result<ApiResponse, ApiError> {
    let fields = fields::read_text_form(request).await?;
    let id = fields
        .text("documentId")
        .ok()
        .and_then(|text| text.parse::<DocumentId>().ok());
    let id = id.ok_or(Cause::Malformed)?;
    let document = web.app.find_document(caller.into(), id).await?.as_sent();
    let version = version(&document);
    respond(web, request, &document, &version, Selection::Whole).await
}

fn version(document: &Downloadable) -> Version {
    Version::new(
        &document.file.sha256,
        document.file.modified_at,
        document.file.size,
    )
}

async fn respond(
    web: &Web,
    request: &mut ApiRequest,
    document: &Downloadable,
    version: &Version,
    selection: Selection,
) -> Result<ApiResponse, ApiError> {
    let head = request.parts.method == Method::HEAD;
    let whole = 0..version.size;
    let mut response = match selection {
        Selection::OtherVersion => return Err(Cause::Condition.into()),
        Selection::NotModified => empty(StatusCode::NOT_MODIFIED),
        Selection::NotSatisfiable => return Ok(not_satisfiable(request, version)),
        Selection::Part(part) => bytes(web, document, StatusCode::PARTIAL_CONTENT, part, head).await?,
        Selection::Whole => bytes(web, document, StatusCode::OK, whole, head).await?,
    };
    let value = |text: &str| HeaderValue::from_str(text).map_err(|_| ApiError::Cause(Cause::Internal));
    response.headers.extend([
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
    if response.status != StatusCode::NOT_MODIFIED {
        response
            .headers
            .push((header::CONTENT_TYPE, HeaderValue::from_static("application/pdf")));
        response.headers.push((
            header::CONTENT_DISPOSITION,
            attachment(&document.file.name.for_download()),
        ));
    }
    Ok(response)
}

fn empty(status: StatusCode) -> ApiResponse {
    ApiResponse {
        status,
        headers: Vec::with_capacity(8),
        body: ResponseBody::Other(Body::empty()),
    }
}

/// The bytes of a range. For `HEAD`, the same headers without the bytes.
async fn bytes(
    web: &Web,
    document: &Downloadable,
    status: StatusCode,
    range: Range<u64>,
    head: bool,
) -> Result<ApiResponse, ApiError> {
    let mut response = empty(status);
    response
        .headers
        .push((header::CONTENT_LENGTH, HeaderValue::from(range.end - range.start)));
    if status == StatusCode::PARTIAL_CONTENT {
        let text = format!("bytes {}-{}/{}", range.start, range.end - 1, document.file.size);
        let value = HeaderValue::from_str(&text).map_err(|_| ApiError::Cause(Cause::Internal))?;
        response.headers.push((header::CONTENT_RANGE, value));
    }
    if !head {
        let reader = web.app.download(document, range).await?;
        response.body = ResponseBody::Other(body(reader));
    }
    Ok(response)
}

fn not_satisfiable(request: &ApiRequest, version: &Version) -> ApiResponse {
    let mut response = errors::error_response(request.operation, &Cause::Range.into(), None);
    if let Ok(value) = HeaderValue::from_str(&format!("bytes */{}", version.size)) {
        response.headers.push((header::CONTENT_RANGE, value));
    }
    response
}
