//! What a folio's page leads to: its documents as they are now, images of their pages, its evidence.

use super::{address, caller, folio, requester};
use crate::http::conditional::{attachment, body};
use crate::page::document_view::DocumentView;
use crate::page::document_view::{PAGES_PER_VIEW, document_view};
use crate::page::page_image::page_response;
use crate::page::{Embedding, PageResult, headers};
use crate::panel::auth::{PanelRequest, RequireReader};
use crate::panel::layout::{PanelLayout, Section};
use app::Error;
use askama::Template;
use axum::extract::Path;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use axum::http::{HeaderMap, Method};
use axum::response::{IntoResponse, Response};
use domain::{Document, DocumentId, FolioId};

/// The pages of one document.
#[derive(Debug, Template)]
#[template(path = "panel/document.html")]
pub(crate) struct FolioDocumentPage {
    pub(crate) f: PanelLayout,
    pub(crate) document: DocumentView,
    pub(crate) back: String,
}

/// A document of a folio of the company, which was not dropped, as it is now: with its sheet and its signatures.
async fn find(request: &PanelRequest, id: &str, document: &str) -> Result<(FolioId, Document), Error> {
    let (Ok(id), Ok(document)) = (id.parse::<FolioId>(), document.parse::<DocumentId>()) else {
        return Err(Error::NotFound);
    };
    let folio = request.web.app.read_folio(caller(request).into(), id).await?;
    if folio.dropped {
        return Err(Error::NotFound);
    }
    let found = folio.documents.into_iter().find(|known| known.id == document);
    let sent = found.ok_or(Error::NotFound)?;
    let now = request
        .web
        .app
        .find_document(caller(request).into(), document)
        .await?
        .file;
    Ok((id, current_version(sent, now.sha256, now.size)))
}

/// The document as it is now. The pages of its sheet are not counted.
pub(super) fn current_version(sent: Document, sha256: [u8; 32], size: u64) -> Document {
    Document { sha256, size, ..sent }
}

/// `GET …/documents/{document}`: the file, with the signatures it has.
pub(crate) async fn file(
    RequireReader(request): RequireReader,
    Path((id, document)): Path<(String, String)>,
    method: Method,
) -> PageResult {
    let file = download(&request, &id, &document, &method).await;
    file.map_err(|error| request.error_page(error).into())
}

async fn download(
    request: &PanelRequest,
    id: &str,
    document: &str,
    method: &Method,
) -> Result<Response, Error> {
    let (_, document) = find(request, id, document).await?;
    let app = &request.web.app;
    let found = app.find_document(caller(request).into(), document.id).await?;
    let mut headers = headers(&Embedding::default());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/pdf"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(found.file.size));
    headers.insert(CONTENT_DISPOSITION, attachment(&found.file.name.for_download()));
    if method == Method::HEAD {
        return Ok(headers.into_response());
    }
    let reader = app.download(&found, 0..found.file.size).await?;
    Ok((headers, body(reader)).into_response())
}

/// `GET …/view?from=n`: pages of one document.
pub(crate) async fn view(
    RequireReader(request): RequireReader,
    Path((id, document)): Path<(String, String)>,
) -> PageResult {
    let (id, document) = find(&request, &id, &document)
        .await
        .map_err(|error| request.error_page(error))?;
    let from = request
        .query("from")
        .and_then(|from| from.parse().ok())
        .unwrap_or(1);
    let back = address(id);
    let document = document_view(
        &request.web,
        requester(&request),
        &back,
        &document,
        from.max(1),
        PAGES_PER_VIEW,
    )
    .await;
    Ok(request.page(&FolioDocumentPage {
        f: request.frame(Section::Folios),
        document,
        back,
    }))
}

/// `GET …/pages/{n}.png?w=720` and `…/pages/{n}.txt`, counted from one.
pub(crate) async fn page(
    RequireReader(request): RequireReader,
    Path((id, document, file)): Path<(String, String, String)>,
    asked: HeaderMap,
) -> PageResult {
    let found = find(&request, &id, &document).await;
    let (_, document) = found.map_err(|error| request.error_page(error))?;
    // There may be a sheet behind the pages that were counted.
    let document = Document { pages: 0, ..document };
    let width = request.query("w");
    let drawn = page_response(
        &request.web,
        request.l.lang(),
        requester(&request),
        &document,
        &file,
        width.as_deref(),
        &asked,
    );
    let Some(drawn) = drawn.await else {
        return Err(request.error_page(Error::NotFound).into());
    };
    let mut headers = headers(&Embedding::default());
    headers.extend(drawn.headers);
    Ok((drawn.status, headers, drawn.body).into_response())
}

/// `GET …/evidence.json`.
pub(crate) async fn json(
    RequireReader(request): RequireReader,
    Path(id): Path<String>,
    method: Method,
) -> PageResult {
    evidence(&request, &id, false, &method).await
}

/// `GET …/evidence.pdf`: the same for people.
pub(crate) async fn pdf(
    RequireReader(request): RequireReader,
    Path(id): Path<String>,
    method: Method,
) -> PageResult {
    evidence(&request, &id, true, &method).await
}

async fn evidence(request: &PanelRequest, id: &str, readable: bool, method: &Method) -> PageResult {
    let id = folio(id).map_err(|error| request.error_page(error))?;
    let file = hand_out(request, id, readable, method).await;
    file.map_err(|error| request.error_page(error).into())
}

async fn hand_out(
    request: &PanelRequest,
    id: FolioId,
    readable: bool,
    method: &Method,
) -> Result<Response, Error> {
    let app = &request.web.app;
    let part = request
        .query("part")
        .and_then(|part| part.parse().ok())
        .unwrap_or(1);
    let sealed = app.evidence(caller(request).into(), id, part).await?;
    let (kind, name, body) = if readable {
        let report = app.evidence_report(&sealed).await?;
        ("application/pdf", sealed.report_name(), report)
    } else {
        let text = sealed.text.clone().into_bytes();
        ("application/json", sealed.json_name(), text)
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
