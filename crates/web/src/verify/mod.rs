//! `/verify`: verifies a PDF and explains the result to people, or as JSON to programs; the file is not stored. The QR code of a signature
//! sheet leads to `/verify/{documentId}`, which shows the state of the document and no personal data.

pub(crate) mod authority;
mod checker;
mod explain;
mod json;
mod page;
mod texts;
mod upload;

pub(crate) use checker::Verifier;

use crate::Web;
use crate::http::accept::prefers_json;
use crate::page::message_page::SignerMessage;
use crate::page::request::PageRequest;
use crate::page::{Embedding, PageError, PageResult, render_page};
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

async fn any(request: PageRequest) -> Response {
    show(StatusCode::OK, &page(&request, None))
}

async fn check_any(State(web): State<Web>, request: Request) -> PageResult {
    let (request, body) = PageRequest::new(web, request);
    check(&request, body, None).await
}

async fn one(Path(document): Path<String>, request: PageRequest) -> PageResult {
    Ok(match known(&request, &document).await? {
        Some(known) => show(StatusCode::OK, &page(&request, Some(&known))),
        None => show(StatusCode::NOT_FOUND, &unknown(&request)),
    })
}

async fn check_one(State(web): State<Web>, Path(document): Path<String>, request: Request) -> PageResult {
    let (request, body) = PageRequest::new(web, request);
    let known = known(&request, &document).await?;
    check(&request, body, known.as_ref()).await
}

/// The public state of a document; `None` for malformed, unknown and dropped ones alike.
async fn known(request: &PageRequest, document: &str) -> Result<Option<PublicDocument>, PageError> {
    let Ok(id) = document.parse::<DocumentId>() else {
        return Ok(None);
    };
    let found = request.web.app.public_document(id).await;
    found.map_err(|error| request.error_page(error).into())
}

async fn check(request: &PageRequest, body: Body, known: Option<&PublicDocument>) -> PageResult {
    let mut page = page(request, known);
    let checker = &request.web.verifier;
    let as_json = prefers_json(&request.parts.headers);
    let refuse = |status: StatusCode, message: SignerMessage| {
        if as_json {
            json::error(status, message.title(request.l()))
        } else {
            request.message_page(status, message)
        }
    };
    if let Err(wait) = checker.check_rate(request.address, request.web.app.clock.now()) {
        let message = SignerMessage::TooOften(request.l().wait(wait));
        let mut refused = refuse(StatusCode::TOO_MANY_REQUESTS, message);
        refused
            .headers_mut()
            .insert(RETRY_AFTER, HeaderValue::from(wait.as_secs().max(1)));
        return Err(refused.into());
    }
    let overloaded = || refuse(StatusCode::SERVICE_UNAVAILABLE, SignerMessage::Overloaded);
    let file = match upload::read(request, body).await {
        Ok(file) => file,
        Err(Unusable::Busy) => return Err(overloaded().into()),
        Err(unusable) => {
            let (status, words) = unusable.status_and_text(request);
            if as_json {
                return Ok(json::error(status, &words));
            }
            page.error = Some(words);
            return Ok(show(status, &page));
        }
    };
    let verified = checker.verify(&request.web, file).await;
    let verified = verified.ok_or_else(overloaded)?;
    if as_json {
        return Ok(json::outcome(request.l(), &verified, known));
    }
    page.outcome = Some(explain::outcome(request, &verified, known));
    Ok(show(StatusCode::OK, &page))
}

fn page(request: &PageRequest, known: Option<&PublicDocument>) -> VerifyPage {
    VerifyPage {
        f: request.frame(None),
        action: request.parts.uri.path().to_owned(),
        largest: request.l().size(upload::max_file_bytes(&request.web)),
        known: known.map(|known| KnownView::of(request, known)),
        unknown: false,
        error: None,
        outcome: None,
    }
}

fn unknown(request: &PageRequest) -> VerifyPage {
    VerifyPage {
        action: "/verify".to_owned(),
        unknown: true,
        ..page(request, None)
    }
}

fn show(status: StatusCode, page: &VerifyPage) -> Response {
    render_page(status, page, &Embedding::default())
}
