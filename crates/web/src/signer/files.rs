//! The files of the signer's pages: documents, page images, page texts.

use super::auth::ProvenSigner;
use super::document::DocumentPage;
use super::session::SignerSession;
use crate::http::conditional::{attachment, body};
use crate::page::document_view::{PAGES_PER_VIEW, document_view};
use crate::page::message_page::SignerMessage;
use crate::page::page_image::{is_thumbnail, page_response};
use crate::page::request::PageRequest;
use crate::page::{PageError, PageResult, headers};
use app::signing::open::SigningFolio;
use app::signing::visits::{VisitAct, VisitEvent};
use axum::extract::Path;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse;
use domain::event::{DocumentRef, hex};
use domain::{Document, DocumentId};

/// A document of this signer's folios, and its folio.
fn find<'s>(
    request: &PageRequest,
    signer_session: &'s SignerSession,
    id: &str,
) -> Result<(&'s Document, &'s SigningFolio), PageError> {
    let found = id.parse().ok().and_then(|id: DocumentId| {
        let folios = signer_session.signing.folios.iter();
        folios.filter(|own| !own.folio.dropped).find_map(|own| {
            let document = own.folio.documents.iter().find(|document| document.id == id)?;
            Some((document, own))
        })
    });
    found.ok_or_else(|| missing(request))
}

/// Records what was done to a document, once a visit.
async fn record(
    request: &PageRequest,
    signer_session: &SignerSession,
    own: &SigningFolio,
    what: VisitEvent,
) -> Result<(), PageError> {
    let act = VisitAct {
        folio: own.folio.id,
        signer: own.signer_index,
        what,
    };
    let app = &request.web.app;
    let recorded = app
        .record_visit(&signer_session.session, act, request.client())
        .await;
    recorded.map_err(|error| request.error_page(error).into())
}

/// The document as it was sent, by identifier and hash.
fn as_sent(document: &Document) -> DocumentRef {
    DocumentRef {
        document: document.id,
        sha256: hex(&document.sha256),
    }
}

fn missing(request: &PageRequest) -> PageError {
    request
        .message_page(StatusCode::NOT_FOUND, SignerMessage::NotFound)
        .into()
}

/// `GET /sign/{party}/documents/{document}`: the file, with the signatures it has.
pub(crate) async fn file(
    Path((_, document)): Path<(String, String)>,
    ProvenSigner {
        request,
        signer_session,
    }: ProvenSigner,
) -> PageResult {
    let (document, own) = find(&request, &signer_session, &document)?;
    let app = &request.web.app;
    let company = signer_session.signing.company.id;
    let found = app.find_signers_document(company, document.id, own.signer_index, request.client());
    let found = found.await.map_err(|error| request.error_page(error))?;
    let mut headers = headers(&signer_session.embedding());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/pdf"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(found.file.size));
    headers.insert(CONTENT_DISPOSITION, attachment(&found.file.name.for_download()));
    if request.parts.method == Method::HEAD {
        return Ok(signer_session.with_cookie(&request, headers.into_response()));
    }
    let recorded = app.record_file(
        &signer_session.session,
        (own.folio.id, own.signer_index),
        found.version(),
        request.client(),
    );
    recorded.await.map_err(|error| request.error_page(error))?;
    let reader = app.read_unrecorded(&found).await;
    let reader = reader.map_err(|error| request.error_page(error))?;
    Ok(signer_session.with_cookie(&request, (headers, body(reader)).into_response()))
}

/// `GET …/view?from=n`: pages of one document.
pub(crate) async fn view(
    Path((_, document)): Path<(String, String)>,
    ProvenSigner {
        request,
        signer_session,
    }: ProvenSigner,
) -> PageResult {
    let (document, own) = find(&request, &signer_session, &document)?;
    let opened = VisitEvent::Opened(as_sent(document));
    record(&request, &signer_session, own, opened).await?;
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
    .await
    .with_end_in_view_only();
    let page = DocumentPage {
        f,
        form_target,
        document,
    };
    Ok(signer_session.render_page(&request, StatusCode::OK, &page))
}

/// `GET …/pages/{n}.png?w=720` and `…/pages/{n}.txt`, counted from one.
pub(crate) async fn page(
    Path((_, document, file)): Path<(String, String, String)>,
    ProvenSigner {
        request,
        signer_session,
    }: ProvenSigner,
) -> PageResult {
    let (document, own) = find(&request, &signer_session, &document)?;
    let width = request.query("w");
    let drawn = page_response(
        &request.web,
        request.l(),
        signer_session.requester(),
        document,
        &file,
        width.as_deref(),
        &request.parts.headers,
    );
    let drawn = drawn.await.ok_or_else(|| missing(&request))?;
    if !is_thumbnail(width.as_deref()) {
        let opened = VisitEvent::Opened(as_sent(document));
        record(&request, &signer_session, own, opened).await?;
    }
    if let Some(number) = drawn.shown {
        let app = &request.web.app;
        let place = (own.folio.id, own.signer_index);
        let recorded = app.record_pages(
            &signer_session.session,
            place,
            document,
            number..=number,
            request.client(),
        );
        recorded.await.map_err(|error| request.error_page(error))?;
    }
    let mut headers = headers(&signer_session.embedding());
    headers.extend(drawn.headers);
    Ok(signer_session.with_cookie(&request, (drawn.status, headers, drawn.body).into_response()))
}
