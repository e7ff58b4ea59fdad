//! The integration API: one file per operation, one dispatcher.

mod answer;
mod base64_documents;
pub(crate) mod body;
mod call;
pub(crate) mod cancel_folios;
pub(crate) mod create_folio;
mod download_document;
pub(crate) mod entity;
pub(crate) mod errors;
mod fields;
pub(crate) mod form;
mod json;
mod operation;
mod read_bulk;
mod read_evidence;
pub(crate) mod read_folio;
mod read_folios;
pub(crate) mod resend_emails;
mod signers;
pub(crate) mod start_bulk;
pub(crate) mod words;

pub use errors::{ErrorRow, error_table};
pub use operation::Operation;

use crate::Web;
use crate::request_id::RequestId;
use answer::Answer;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use call::Call;
use errors::Failure;
use std::time::Instant;

/// Where each operation is, and by which method.
const OPERATIONS: [(&str, Method, Operation); 12] = {
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
    ]
};

/// A route for each operation.
pub(crate) fn routes() -> Router<Web> {
    OPERATIONS
        .into_iter()
        .fold(Router::new(), |router, (place, method, operation)| {
            let serve = move |State(web): State<Web>, request| serve(web, operation, request);
            let by = MethodFilter::try_from(method).map(|method| on(method, serve));
            by.into_iter().fold(router, |router, by| router.route(place, by))
        })
}

/// Serves a request: authenticates, dispatches, counts, responds.
async fn serve(web: Web, operation: Operation, request: Request) -> Response {
    let begun = Instant::now();
    let id = RequestId::of(&request);
    let mut call = Call::new(&web, operation, request);
    let outcome = match call.open(&web) {
        Ok(()) => handle(&web, &mut call).await,
        Err(failure) => Err(failure),
    };
    let answer = outcome.unwrap_or_else(|failure| {
        if let Failure::App(app::Error::Internal(error)) = &failure {
            tracing::error!(
                operation = operation.name(),
                request = id.as_str(),
                error = &**error as &dyn std::error::Error,
                "an act failed"
            );
        }
        let mut answer = errors::answer(operation, &failure, Some(&id));
        answer.close = call.linger();
        answer
    });
    let took = begun.elapsed();
    web.metrics.count(operation, answer.status.as_u16(), took);
    tracing::debug!(
        operation = operation.name(),
        status = answer.status.as_u16(),
        micros = took.as_micros(),
        request = id.as_str(),
        "answered"
    );
    answer.into_response()
}

async fn handle(web: &Web, call: &mut Call) -> Result<Answer, Failure> {
    match call.operation {
        Operation::CreateFolio => create_folio::handle(web, call).await,
        Operation::ReadFolio => read_folio::handle(web, call).await,
        Operation::ReadFolios => read_folios::handle(web, call).await,
        Operation::ResendEmails => resend_emails::handle(web, call).await,
        Operation::DownloadDocument => download_document::handle(web, call).await,
        Operation::CancelFolios => cancel_folios::handle(web, call).await,
        Operation::StartBulk => start_bulk::handle(web, call).await,
        Operation::ReadBulk => read_bulk::handle(web, call).await,
        Operation::ReadEvidence => read_evidence::handle(web, call).await,
    }
}

/// An unknown path: JSON below `/api`, plain text outside it.
pub(crate) fn not_found(request: &Request) -> Response {
    elsewhere(request, StatusCode::NOT_FOUND, "El recurso solicitado no existe.")
}

/// A known path with another method.
pub(crate) fn method_not_allowed(request: &Request) -> Response {
    elsewhere(
        request,
        StatusCode::METHOD_NOT_ALLOWED,
        "El método no está permitido para este recurso.",
    )
}

fn elsewhere(request: &Request, status: StatusCode, message: &str) -> Response {
    if request.uri().path().starts_with("/api") {
        return Answer::envelope_a(status, message).into_response();
    }
    let mut response = Response::new(Body::from(format!("{message}\n")));
    *response.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, plain);
    response
}
