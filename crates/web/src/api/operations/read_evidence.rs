//! `GET evidence`: everything known of a folio, sealed; as JSON for programs, or as a PDF for people.

use crate::Web;
use crate::api::EVIDENCE_REPORT;
use crate::api::errors::ApiError;
use crate::api::request::ApiRequest;
use crate::api::response::{ApiResponse, ResponseBody};
use crate::http::conditional::attachment;
use app::Access;
use axum::body::Body;
use axum::http::{HeaderValue, Method, StatusCode, header};
use domain::{FieldError, FolioId};

/// The format of the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    Pdf,
}

pub(crate) async fn handle(
    web: &Web,
    access: Access,
    request: &mut ApiRequest,
) -> Result<ApiResponse, ApiError> {
    let Some((id, format, part)) = parse_query(request) else {
        return Err(web.malformed_query(access).await);
    };
    let sealed = web.app.evidence(access, id, part).await?;
    let (kind, name, body) = match format {
        Format::Json => {
            let text = sealed.text.clone().into_bytes();
            ("application/json", sealed.json_name(), text)
        }
        Format::Pdf => {
            let report = web.app.evidence_report(&sealed).await?;
            ("application/pdf", sealed.report_name(), report)
        }
    };
    let head = request.parts.method == Method::HEAD;
    if !head {
        web.app.record_evidence(&sealed).await?;
    }
    Ok(ApiResponse {
        status: StatusCode::OK,
        headers: vec![
            (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (header::CONTENT_DISPOSITION, attachment(&name)),
            (header::CONTENT_LENGTH, HeaderValue::from(body.len())),
        ],
        body: ResponseBody::Other(if head { Body::empty() } else { Body::from(body) }),
    })
}

/// The parameters of the query; `None` when one is malformed.
fn parse_query(request: &ApiRequest) -> Option<(FolioId, Format, usize)> {
    let id = request.query("folioId").ok()?.parse().ok()?;
    let format = match request.query("format").as_deref() {
        Err(FieldError::Missing) if request.parts.uri.path() == EVIDENCE_REPORT => Format::Pdf,
        Ok("json") | Err(FieldError::Missing) => Format::Json,
        Ok("pdf") => Format::Pdf,
        _ => return None,
    };
    let part = match request.query("part") {
        Ok(part) => part.parse().ok().filter(|part| *part > 0)?,
        Err(FieldError::Missing) => 1,
        Err(_) => return None,
    };
    Some((id, format, part))
}
