//! What a folio's page leads to: its documents as they are now, images of their pages, its evidence.

use super::{address, caller, folio, requester};
use crate::api::entity::{attachment, body};
use crate::page::{Embedding, headers};
use crate::panel::desk::{Desk, Read};
use crate::panel::frame::{Frame, Place};
use crate::signer::pages::{LOT, one};
use crate::signer::picture::drawn;
use crate::signer::view::DocumentView;
use app::Error;
use askama::Template;
use axum::extract::Path;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::{Document, DocumentId, FolioId};

/// The pages of one document.
#[derive(Debug, Template)]
#[template(path = "panel/document.html")]
pub(crate) struct DocumentPage {
    pub(crate) f: Frame,
    pub(crate) document: DocumentView,
    pub(crate) back: String,
}

/// A document of a folio of the company, which was not dropped.
async fn find(desk: &Desk, id: &str, document: &str) -> Result<(FolioId, Document), Error> {
    let (Ok(id), Ok(document)) = (id.parse::<FolioId>(), document.parse::<DocumentId>()) else {
        return Err(Error::NotFound);
    };
    let folio = desk.web.app.read_folio(caller(desk).into(), id).await?;
    if folio.dropped {
        return Err(Error::NotFound);
    }
    let found = folio.documents.into_iter().find(|known| known.id == document);
    found.map(|found| (id, found)).ok_or(Error::NotFound)
}

/// `GET …/documents/{document}`: the file, with the signatures it has.
pub(crate) async fn file(
    Read(desk): Read,
    Path((id, document)): Path<(String, String)>,
    method: Method,
) -> Response {
    match download(&desk, &id, &document, &method).await {
        Ok(answer) => answer,
        Err(error) => desk.trouble(error),
    }
}

async fn download(desk: &Desk, id: &str, document: &str, method: &Method) -> Result<Response, Error> {
    let (_, document) = find(desk, id, document).await?;
    let app = &desk.web.app;
    let found = app.find_document(caller(desk).into(), document.id).await?;
    let mut headers = headers(&Embedding::default());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/pdf"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(found.file.size));
    headers.insert(CONTENT_DISPOSITION, attachment(found.file.name.as_str()));
    if method == Method::HEAD {
        return Ok(headers.into_response());
    }
    let reader = app.download(&found, 0..found.file.size).await?;
    Ok((headers, body(reader)).into_response())
}

/// `GET …/view?from=n`: pages of one document.
pub(crate) async fn view(Read(desk): Read, Path((id, document)): Path<(String, String)>) -> Response {
    let (id, document) = match find(&desk, &id, &document).await {
        Ok(found) => found,
        Err(error) => return desk.trouble(error),
    };
    let from = desk.query("from").and_then(|from| from.parse().ok()).unwrap_or(1);
    let back = address(id);
    let document = one(&desk.web, requester(&desk), &back, &document, from.max(1), LOT).await;
    desk.page(&DocumentPage {
        f: desk.frame(Place::Folios),
        document,
        back,
    })
}

/// `GET …/pages/{n}.png?w=720` and `…/pages/{n}.txt`, counted from one.
pub(crate) async fn page(
    Read(desk): Read,
    Path((id, document, file)): Path<(String, String, String)>,
) -> Response {
    let document = match find(&desk, &id, &document).await {
        Ok((_, document)) => document,
        Err(error) => return desk.trouble(error),
    };
    let width = desk.query("w");
    let drawn = drawn(
        &desk.web,
        desk.l,
        requester(&desk),
        &document,
        &file,
        width.as_deref(),
    );
    let Some((status, kind, body)) = drawn.await else {
        return desk.trouble(Error::NotFound);
    };
    let mut headers = headers(&Embedding::default());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    if matches!(
        status,
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS
    ) {
        headers.insert(RETRY_AFTER, HeaderValue::from_static("2"));
    }
    (status, headers, body).into_response()
}

/// `GET …/evidence.json`.
pub(crate) async fn json(Read(desk): Read, Path(id): Path<String>, method: Method) -> Response {
    evidence(&desk, &id, false, &method).await
}

/// `GET …/evidence.pdf`: the same for people.
pub(crate) async fn pdf(Read(desk): Read, Path(id): Path<String>, method: Method) -> Response {
    evidence(&desk, &id, true, &method).await
}

async fn evidence(desk: &Desk, id: &str, readable: bool, method: &Method) -> Response {
    let id = match folio(id) {
        Ok(id) => id,
        Err(error) => return desk.trouble(error),
    };
    match hand_out(desk, id, readable, method).await {
        Ok(answer) => answer,
        Err(error) => desk.trouble(error),
    }
}

async fn hand_out(desk: &Desk, id: FolioId, readable: bool, method: &Method) -> Result<Response, Error> {
    let app = &desk.web.app;
    let part = desk.query("part").and_then(|part| part.parse().ok()).unwrap_or(1);
    let sealed = app.evidence(caller(desk).into(), id, part).await?;
    let (kind, name, body) = if readable {
        let report = app.evidence_report(&sealed).await?;
        ("application/pdf", format!("constancia-{id}.pdf"), report)
    } else {
        let text = sealed.text.clone().into_bytes();
        ("application/json", format!("evidencia-{id}.json"), text)
    };
    let mut headers = headers(&Embedding::default());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
    headers.insert(CONTENT_DISPOSITION, attachment(&name));
    if method == Method::HEAD {
        return Ok(headers.into_response());
    }
    app.record_evidence(&sealed).await?;
    Ok((headers, body).into_response())
}
