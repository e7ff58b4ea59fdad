//! `/verify`: verifies a PDF and explains the result; the file is not stored. The QR code of a signature
//! sheet leads to `/verify/{documentId}`, which shows the state of the document and no personal data.

mod explain;
mod judge;
mod page;
mod upload;
mod words;

pub(crate) use judge::Verifier;

use crate::Web;
use crate::page::{Embedding, answer};
use crate::signer::notice::News;
use crate::signer::visit::Visit;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::header::{HeaderValue, RETRY_AFTER};
use axum::response::Response;
use axum::routing::get;
use domain::DocumentId;
use page::{KnownView, VerifyPage};
use store::PublicDocument;
use upload::Unusable;

pub(crate) fn routes() -> Router<Web> {
    Router::new()
        .route("/verify", get(any).post(check_any))
        .route("/verify/{document}", get(one).post(check_one))
}

async fn any(State(web): State<Web>, request: Request) -> Response {
    let (visit, _) = Visit::new(web, request);
    show(StatusCode::OK, &page(&visit, None))
}

async fn check_any(State(web): State<Web>, request: Request) -> Response {
    let (visit, body) = Visit::new(web, request);
    check(&visit, body, None).await
}

async fn one(State(web): State<Web>, Path(document): Path<String>, request: Request) -> Response {
    let (visit, _) = Visit::new(web, request);
    match known(&visit, &document).await {
        Ok(Some(known)) => show(StatusCode::OK, &page(&visit, Some(&known))),
        Ok(None) => show(StatusCode::NOT_FOUND, &unknown(&visit)),
        Err(answer) => answer,
    }
}

async fn check_one(State(web): State<Web>, Path(document): Path<String>, request: Request) -> Response {
    let (visit, body) = Visit::new(web, request);
    match known(&visit, &document).await {
        Ok(known) => check(&visit, body, known.as_ref()).await,
        Err(answer) => answer,
    }
}

/// The public state of a document; `None` for malformed, unknown and dropped ones alike.
async fn known(visit: &Visit, document: &str) -> Result<Option<PublicDocument>, Response> {
    let Ok(id) = document.parse::<DocumentId>() else {
        return Ok(None);
    };
    let found = visit.web.app.public_document(id).await;
    found.map_err(|error| visit.trouble(error))
}

async fn check(visit: &Visit, body: Body, known: Option<&PublicDocument>) -> Response {
    let mut page = page(visit, known);
    let verifier = &visit.web.verifier;
    if let Err(wait) = verifier.admit(visit.address, visit.web.app.clock.now()) {
        let mut refused = visit.news(StatusCode::TOO_MANY_REQUESTS, News::TooOften(visit.l.wait(wait)));
        refused
            .headers_mut()
            .insert(RETRY_AFTER, HeaderValue::from(wait.as_secs().max(1)));
        return refused;
    }
    let file = match upload::read(visit, body).await {
        Ok(file) => file,
        Err(Unusable::Busy) => return visit.news(StatusCode::SERVICE_UNAVAILABLE, News::Overloaded),
        Err(unusable) => {
            let (status, words) = unusable.told(visit);
            page.error = Some(words);
            return show(status, &page);
        }
    };
    match verifier.judge(&visit.web, file).await {
        Some(judged) => {
            page.outcome = Some(explain::outcome(visit, &judged, known));
            show(StatusCode::OK, &page)
        }
        None => visit.news(StatusCode::SERVICE_UNAVAILABLE, News::Overloaded),
    }
}

fn page(visit: &Visit, known: Option<&PublicDocument>) -> VerifyPage {
    VerifyPage {
        f: visit.frame(None),
        action: visit.parts.uri.path().to_owned(),
        largest: visit.l.size(upload::most(&visit.web)),
        known: known.map(|known| KnownView::of(visit, known)),
        unknown: false,
        error: None,
        outcome: None,
    }
}

fn unknown(visit: &Visit) -> VerifyPage {
    VerifyPage {
        action: "/verify".to_owned(),
        unknown: true,
        ..page(visit, None)
    }
}

fn show(status: StatusCode, page: &VerifyPage) -> Response {
    answer(status, page, &Embedding::default())
}
