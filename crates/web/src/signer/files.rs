//! The files of the signer's pages: documents, page images, page texts.

use super::document::{DocumentPage, Fragment};
use super::notice::News;
use super::pages::{LOT, one};
use super::picture::drawn;
use super::seat::Seat;
use super::visit::Visit;
use crate::Web;
use crate::api::entity::{attachment, body};
use crate::page::headers;
use app::open_link::SigningFolio;
use app::visits::{VisitAct, VisitEvent};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::http::{Method, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::history::{DocumentRef, hex};
use domain::{Document, DocumentId};

/// A document of this signer's folios, and its folio.
fn find<'s>(seat: &'s Seat, id: &str) -> Option<(&'s Document, &'s SigningFolio)> {
    let id: DocumentId = id.parse().ok()?;
    let mut folios = seat.signing.folios.iter().filter(|own| !own.folio.dropped);
    folios.find_map(|own| {
        let document = own.folio.documents.iter().find(|document| document.id == id)?;
        Some((document, own))
    })
}

/// Records what was done to a document, once a visit.
async fn record(visit: &Visit, seat: &Seat, own: &SigningFolio, what: VisitEvent) -> Result<(), Response> {
    let act = VisitAct {
        folio: own.folio.id,
        signer: own.place,
        what,
    };
    let app = &visit.web.app;
    let recorded = app.record_visit(&seat.session, act, Some(visit.address)).await;
    recorded.map_err(|error| visit.trouble(error))
}

/// The document as it was sent, by identifier and hash.
fn as_sent(document: &Document) -> DocumentRef {
    DocumentRef {
        document: document.id,
        sha256: hex(&document.sha256),
    }
}

fn missing(visit: &Visit) -> Response {
    visit.news(StatusCode::NOT_FOUND, News::NotFound)
}

/// `GET /sign/{holder}/documents/{document}`: the file, with the signatures it has.
pub(crate) async fn file(
    State(web): State<Web>,
    Path((holder, document)): Path<(String, String)>,
    request: Request<Body>,
) -> Response {
    let (visit, _) = Visit::new(web, request);
    let seat = match Seat::by_session(&visit, &holder).await {
        Ok(seat) => seat,
        Err(answer) => return answer,
    };
    let Some((document, own)) = find(&seat, &document) else {
        return missing(&visit);
    };
    let app = &visit.web.app;
    let company = seat.signing.company.id;
    let found = app.find_signers_document(company, document.id, own.place, Some(visit.address));
    let found = match found.await {
        Ok(found) => found,
        Err(error) => return visit.trouble(error),
    };
    let mut headers = headers(&seat.embedding());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/pdf"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(found.file.size));
    headers.insert(CONTENT_DISPOSITION, attachment(found.file.name.as_str()));
    if visit.parts.method == Method::HEAD {
        return seat.keep(&visit, headers.into_response());
    }
    let downloaded = VisitEvent::Downloaded(found.version());
    if let Err(answer) = record(&visit, &seat, own, downloaded).await {
        return answer;
    }
    match app.read_unrecorded(&found).await {
        Ok(reader) => seat.keep(&visit, (headers, body(reader)).into_response()),
        Err(error) => visit.trouble(error),
    }
}

/// `GET …/view?from=n`: pages of one document, by themselves or to be put into a page.
pub(crate) async fn view(
    State(web): State<Web>,
    Path((holder, document)): Path<(String, String)>,
    request: Request<Body>,
) -> Response {
    let (visit, _) = Visit::new(web, request);
    let seat = match Seat::by_session(&visit, &holder).await {
        Ok(seat) => seat,
        Err(answer) => return answer,
    };
    let Some((document, own)) = find(&seat, &document) else {
        return missing(&visit);
    };
    let opened = VisitEvent::Opened(as_sent(document));
    if let Err(answer) = record(&visit, &seat, own, opened).await {
        return answer;
    }
    let from = visit
        .query("from")
        .and_then(|from| from.parse().ok())
        .unwrap_or(1);
    let f = visit.frame(Some(&seat.signing.company));
    let desk = seat.desk();
    let document = one(
        &visit.web,
        seat.requester(),
        &desk.path,
        document,
        from.max(1),
        LOT,
    )
    .await;
    if visit.parts.headers.contains_key("x-part") {
        return seat.answer(&visit, StatusCode::OK, &Fragment { f, document });
    }
    seat.answer(&visit, StatusCode::OK, &DocumentPage { f, desk, document })
}

/// `GET …/pages/{n}.png?w=720` and `…/pages/{n}.txt`, counted from one.
pub(crate) async fn page(
    State(web): State<Web>,
    Path((holder, document, file)): Path<(String, String, String)>,
    request: Request<Body>,
) -> Response {
    let (visit, _) = Visit::new(web, request);
    let seat = match Seat::by_session(&visit, &holder).await {
        Ok(seat) => seat,
        Err(answer) => return answer,
    };
    let Some((document, own)) = find(&seat, &document) else {
        return missing(&visit);
    };
    let width = visit.query("w");
    let Some(answer) = drawn(
        &visit.web,
        visit.l,
        seat.requester(),
        document,
        &file,
        width.as_deref(),
    )
    .await
    else {
        return missing(&visit);
    };
    let (status, kind, body) = answer;
    let opened = VisitEvent::Opened(as_sent(document));
    if let Err(answer) = record(&visit, &seat, own, opened).await {
        return answer;
    }
    let mut headers = headers(&seat.embedding());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    if matches!(
        status,
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS
    ) {
        headers.insert(RETRY_AFTER, HeaderValue::from_static("2"));
    }
    seat.keep(&visit, (status, headers, body).into_response())
}
