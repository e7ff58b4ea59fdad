//! What a page asks for about its documents: the file itself, images and texts of pages, more of them.

use super::document::{DocumentPage, Fragment};
use super::notice::News;
use super::pages::{LOT, one};
use super::picture::drawn;
use super::seat::Seat;
use super::visit::Visit;
use crate::Web;
use crate::api::entity::{attachment, body};
use crate::page::headers;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::http::{Method, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::{Document, DocumentId};

/// A document that is before this signer, and the signer's place in its folio.
fn find<'s>(seat: &'s Seat, id: &str) -> Option<(&'s Document, usize)> {
    let id: DocumentId = id.parse().ok()?;
    let mut folios = seat.signing.folios.iter().filter(|own| !own.folio.dropped);
    folios.find_map(|own| {
        let document = own.folio.documents.iter().find(|document| document.id == id)?;
        Some((document, own.place))
    })
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
    let Some((document, place)) = find(&seat, &document) else {
        return missing(&visit);
    };
    let app = &visit.web.app;
    let company = seat.signing.company.id;
    let found = app.find_signers_document(company, document.id, place, Some(visit.address));
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
    match app.download(&found, 0..found.file.size).await {
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
    let Some((document, _)) = find(&seat, &document) else {
        return missing(&visit);
    };
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
    let Some((document, _)) = find(&seat, &document) else {
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
