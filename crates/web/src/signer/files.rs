//! The files of the signer's pages: documents, page images, page texts.

use super::document::{DocumentPage, Fragment};
use super::session::SignerSession;
use crate::Web;
use crate::http::conditional::{attachment, body};
use crate::page::document_view::{PAGES_PER_VIEW, document_view};
use crate::page::headers;
use crate::page::message_page::SignerMessage;
use crate::page::page_image::page_response;
use crate::page::request::PageRequest;
use app::signing::open::SigningFolio;
use app::signing::visits::{VisitAct, VisitEvent};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::http::{Method, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::event::{DocumentRef, hex};
use domain::{Document, DocumentId};

/// A document of this signer's folios, and its folio.
fn find<'s>(signer_session: &'s SignerSession, id: &str) -> Option<(&'s Document, &'s SigningFolio)> {
    let id: DocumentId = id.parse().ok()?;
    let mut folios = signer_session
        .signing
        .folios
        .iter()
        .filter(|own| !own.folio.dropped);
    folios.find_map(|own| {
        let document = own.folio.documents.iter().find(|document| document.id == id)?;
        Some((document, own))
    })
}

/// Records what was done to a document, once a visit.
async fn record(
    request: &PageRequest,
    signer_session: &SignerSession,
    own: &SigningFolio,
    what: VisitEvent,
) -> Result<(), Response> {
    let act = VisitAct {
        folio: own.folio.id,
        signer: own.signer_index,
        what,
    };
    let app = &request.web.app;
    let recorded = app
        .record_visit(&signer_session.session, act, Some(request.address))
        .await;
    recorded.map_err(|error| request.error_page(error))
}

/// The document as it was sent, by identifier and hash.
fn as_sent(document: &Document) -> DocumentRef {
    DocumentRef {
        document: document.id,
        sha256: hex(&document.sha256),
    }
}

fn missing(request: &PageRequest) -> Response {
    request.message_page(StatusCode::NOT_FOUND, SignerMessage::NotFound)
}

/// `GET /sign/{party}/documents/{document}`: the file, with the signatures it has.
pub(crate) async fn file(
    State(web): State<Web>,
    Path((party, document)): Path<(String, String)>,
    request: Request<Body>,
) -> Response {
    let (request, _) = PageRequest::new(web, request);
    let signer_session = match SignerSession::by_session(&request, &party).await {
        Ok(signer_session) => signer_session,
        Err(response) => return response,
    };
    let Some((document, own)) = find(&signer_session, &document) else {
        return missing(&request);
    };
    let app = &request.web.app;
    let company = signer_session.signing.company.id;
    let found = app.find_signers_document(company, document.id, own.signer_index, Some(request.address));
    let found = match found.await {
        Ok(found) => found,
        Err(error) => return request.error_page(error),
    };
    let mut headers = headers(&signer_session.embedding());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/pdf"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(found.file.size));
    headers.insert(CONTENT_DISPOSITION, attachment(found.file.name.as_str()));
    if request.parts.method == Method::HEAD {
        return signer_session.with_cookie(&request, headers.into_response());
    }
    let downloaded = VisitEvent::Downloaded(found.version());
    if let Err(response) = record(&request, &signer_session, own, downloaded).await {
        return response;
    }
    match app.read_unrecorded(&found).await {
        Ok(reader) => signer_session.with_cookie(&request, (headers, body(reader)).into_response()),
        Err(error) => request.error_page(error),
    }
}

/// `GET …/view?from=n`: pages of one document, by themselves or to be put into a page.
pub(crate) async fn view(
    State(web): State<Web>,
    Path((party, document)): Path<(String, String)>,
    request: Request<Body>,
) -> Response {
    let (request, _) = PageRequest::new(web, request);
    let signer_session = match SignerSession::by_session(&request, &party).await {
        Ok(signer_session) => signer_session,
        Err(response) => return response,
    };
    let Some((document, own)) = find(&signer_session, &document) else {
        return missing(&request);
    };
    let opened = VisitEvent::Opened(as_sent(document));
    if let Err(response) = record(&request, &signer_session, own, opened).await {
        return response;
    }
    let from = request
        .query("from")
        .and_then(|from| from.parse().ok())
        .unwrap_or(1);
    let f = request.frame(Some(&signer_session.signing.company));
    let form_target = signer_session.form_target();
    let document = document_view(
        &request.web,
        signer_session.requester(),
        &form_target.path,
        document,
        from.max(1),
        PAGES_PER_VIEW,
    )
    .await;
    if request.parts.headers.contains_key("x-part") {
        return signer_session.render_page(&request, StatusCode::OK, &Fragment { f, document });
    }
    signer_session.render_page(
        &request,
        StatusCode::OK,
        &DocumentPage {
            f,
            form_target,
            document,
        },
    )
}

/// `GET …/pages/{n}.png?w=720` and `…/pages/{n}.txt`, counted from one.
pub(crate) async fn page(
    State(web): State<Web>,
    Path((party, document, file)): Path<(String, String, String)>,
    request: Request<Body>,
) -> Response {
    let (request, _) = PageRequest::new(web, request);
    let signer_session = match SignerSession::by_session(&request, &party).await {
        Ok(signer_session) => signer_session,
        Err(response) => return response,
    };
    let Some((document, own)) = find(&signer_session, &document) else {
        return missing(&request);
    };
    let width = request.query("w");
    let Some(response) = page_response(
        &request.web,
        request.l,
        signer_session.requester(),
        document,
        &file,
        width.as_deref(),
    )
    .await
    else {
        return missing(&request);
    };
    let (status, kind, body) = response;
    let opened = VisitEvent::Opened(as_sent(document));
    if let Err(response) = record(&request, &signer_session, own, opened).await {
        return response;
    }
    let mut headers = headers(&signer_session.embedding());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    if matches!(
        status,
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS
    ) {
        headers.insert(RETRY_AFTER, HeaderValue::from_static("2"));
    }
    signer_session.with_cookie(&request, (status, headers, body).into_response())
}
