//! The integration API: one file per operation, one dispatcher.

mod base64_documents;
pub(crate) mod error_texts;
pub(crate) mod errors;
mod fields;
mod idempotency;
mod invalid_field;
mod json;
mod operation;
pub(crate) mod operations;
pub(crate) mod request;
pub(crate) mod response;
mod signers;

pub use errors::{ErrorRow, error_table};
pub use operation::Operation;

use crate::Web;
use crate::http::request_id::RequestId;
use crate::http::trace_context;
use app::Access;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use domain::Causes;
use errors::ApiError;
use request::{ApiRequest, has_api_key};
use response::ApiResponse;
use std::time::Instant;

/// Where the evidence is a PDF without another parameter: clients that are generated know one kind of answer by path.
pub(crate) const EVIDENCE_REPORT: &str = "/api/integrations/evidence_report";

/// Where each operation is, and by which method.
const OPERATIONS: [(&str, Method, Operation); 13] = {
    use Operation::{
        CancelFolios, CreateFolio, DownloadDocument, ReadBulk, ReadEvidence, ReadFolio, ReadFolios,
        ResendEmails, StartBulk,
    };
    const GET: Method = Method::GET;
    const POST: Method = Method::POST;
    [
        ("/api/integrations/sign", POST, CreateFolio),
        ("/api/integrations/consult", GET, ReadFolio),
        ("/api/integrations/consult", POST, ReadFolios),
        ("/api/integrations/forward_emails", POST, ResendEmails),
        ("/api/integrations/download", GET, DownloadDocument),
        ("/api/integrations/download", POST, DownloadDocument),
        ("/api/integrations/download/", GET, DownloadDocument),
        ("/api/integrations/download/", POST, DownloadDocument),
        ("/api/integrations/cancel", POST, CancelFolios),
        ("/api/integrations/massive_sign", POST, StartBulk),
        ("/api/integrations/consult_massive_sign", GET, ReadBulk),
        ("/api/integrations/evidence", GET, ReadEvidence),
        (EVIDENCE_REPORT, GET, ReadEvidence),
    ]
};

/// A route for each operation.
pub(crate) fn routes() -> Router<Web> {
    OPERATIONS
        .into_iter()
        .fold(Router::new(), |router, (path, method, operation)| {
            let serve = move |State(web): State<Web>, request| serve(web, operation, request);
            let by = MethodFilter::try_from(method).map(|method| on(method, serve));
            by.into_iter().fold(router, |router, by| router.route(path, by))
        })
}

/// Serves a request: takes its API key, dispatches, counts, responds.
async fn serve(web: Web, operation: Operation, request: Request) -> Response {
    let started = Instant::now();
    let id = RequestId::of(&request);
    trace_context::name_operation(operation.name());
    let mut request = ApiRequest::new(&web, operation, request);
    let outcome = match request.access(&web) {
        Ok(access) => handle(&web, access, &mut request).await,
        Err(error) => Err(error),
    };
    let response = outcome.unwrap_or_else(|error| {
        let failure: Option<&dyn std::error::Error> = match &error {
            ApiError::App(
                app::Error::Internal(error) | app::Error::Unavailable(error) | app::Error::Unconfirmed(error),
            ) => Some(&**error),
            ApiError::App(error @ app::Error::DocumentUnavailable) => Some(error),
            _ => None,
        };
        if let Some(error) = failure {
            tracing::error!(
                operation = operation.name(),
                request = id.as_str(),
                error = %Causes(error),
                "an act failed"
            );
        }
        errors::error_response(operation, &error, Some(&id))
    });
    let took = started.elapsed();
    web.metrics.count(operation, response.status.as_u16(), took);
    request.log(&web, &id, &response, took);
    tracing::debug!(
        operation = operation.name(),
        status = response.status.as_u16(),
        micros = took.as_micros(),
        request = id.as_str(),
        "answered"
    );
    response.into_response()
}

/// Dispatches a request. An operation that reads a body gets the caller, authenticated before the body is read. One whose
/// parameters are in the query gets the key, which is authenticated in the transaction of the read.
async fn handle(web: &Web, access: Access, request: &mut ApiRequest) -> Result<ApiResponse, ApiError> {
    use operations::{
        cancel_folios, create_folio, download_document, read_bulk, read_evidence, read_folio, read_folios,
        resend_emails, start_bulk,
    };
    let posted = request.parts.method == Method::POST;
    match request.operation {
        Operation::ReadFolio => read_folio::handle(web, access, request).await,
        Operation::ReadBulk => read_bulk::handle(web, access, request).await,
        Operation::ReadEvidence => read_evidence::handle(web, access, request).await,
        Operation::DownloadDocument if !posted => download_document::by_query(web, access, request).await,
        Operation::DownloadDocument => {
            download_document::by_form(web, web.app.authenticate(access).await?, request).await
        }
        Operation::CreateFolio => {
            create_folio::handle(web, web.app.authenticate(access).await?, request).await
        }
        Operation::ReadFolios => read_folios::handle(web, web.app.authenticate(access).await?, request).await,
        Operation::ResendEmails => {
            resend_emails::handle(web, web.app.authenticate(access).await?, request).await
        }
        Operation::CancelFolios => {
            cancel_folios::handle(web, web.app.authenticate(access).await?, request).await
        }
        Operation::StartBulk => start_bulk::handle(web, web.app.authenticate(access).await?, request).await,
    }
}

/// An unknown path: JSON below `/api`, plain text outside it.
pub(crate) fn not_found(request: &Request) -> Response {
    plain_error_response(request, StatusCode::NOT_FOUND, "El recurso solicitado no existe.")
}

/// A known path with another method.
pub(crate) fn method_not_allowed(request: &Request) -> Response {
    plain_error_response(
        request,
        StatusCode::METHOD_NOT_ALLOWED,
        "El método no está permitido para este recurso.",
    )
}

fn plain_error_response(request: &Request, status: StatusCode, message: &str) -> Response {
    let path = request.uri().path();
    if path == "/api" || path.starts_with("/api/") {
        // As every request of the API, it needs a key; which one does not matter here.
        return if has_api_key(request.headers()) {
            ApiResponse::plain_error(status, message).into_response()
        } else {
            ApiResponse::plain_error(StatusCode::UNAUTHORIZED, errors::NO_KEY).into_response()
        };
    }
    let mut response = Response::new(Body::from(format!("{message}\n")));
    *response.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, plain);
    response
}
