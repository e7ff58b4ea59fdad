//! The evidence of a folio for its signers: only after they have acted, and in a session in which a code was
//! typed. The link alone is no proof of identity.

use super::auth::ProvenSigner;
use super::session::SignerSession;
use crate::http::conditional::attachment;
use crate::page::message_page::SignerMessage;
use crate::page::request::PageRequest;
use crate::page::{PageResult, headers};
use app::Error;
use app::signing::open::SigningFolio;
use app::signing::visits::{VisitAct, VisitEvent};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::{FolioId, SignerIndex, SignerState};

/// `GET /sign/{party}/evidence.json`; a bulk signature names one of its folios with `?folio=`. What does not fit into
/// one file goes on at `?part=2`.
pub(crate) async fn json(signer: ProvenSigner) -> PageResult {
    hand_out(signer, false).await
}

/// `GET /sign/{party}/evidence.pdf`: the same for people.
pub(crate) async fn pdf(signer: ProvenSigner) -> PageResult {
    hand_out(signer, true).await
}

async fn hand_out(signer: ProvenSigner, readable: bool) -> PageResult {
    let ProvenSigner {
        request,
        signer_session,
    } = signer;
    let (Some(folio), Some(part)) = (folio(&request, &signer_session), part(&request)) else {
        return Err(request
            .message_page(StatusCode::NOT_FOUND, SignerMessage::NotFound)
            .into());
    };
    request.count_evidence(signer_session.signing.party)?;
    match file(&request, &signer_session, (folio, part), readable).await {
        Ok(response) => Ok(signer_session.with_cookie(&request, response)),
        Err(Error::Unproven) => Ok(signer_session.redirect_to_step(&request, "proof")),
        Err(error) => Err(request.error_page(error).into()),
    }
}

async fn file(
    request: &PageRequest,
    signer_session: &SignerSession,
    (folio, part): (FolioId, usize),
    readable: bool,
) -> Result<Response, Error> {
    let app = &request.web.app;
    let sealed = app
        .evidence_for(&signer_session.session, folio, part, request.client())
        .await?;
    let (kind, name, body) = if readable {
        let report = app.evidence_report(&sealed).await?;
        ("application/pdf", sealed.report_name(), report)
    } else {
        let text = sealed.text.clone().into_bytes();
        ("application/json", sealed.json_name(), text)
    };
    let mut headers = headers(&signer_session.embedding());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
    headers.insert(CONTENT_DISPOSITION, attachment(&name));
    if request.parts.method == Method::HEAD {
        return Ok(headers.into_response());
    }
    let own = signer_session
        .signing
        .folios
        .iter()
        .find(|own| own.folio.id == folio);
    let act = VisitAct {
        folio,
        signer: own.map_or(SignerIndex(0), |own| own.signer_index),
        what: VisitEvent::Evidence {
            sha256: sealed.sha256(),
            part,
        },
    };
    app.record_visit(&signer_session.session, act, request.client())
        .await?;
    Ok((headers, body).into_response())
}

/// The requested folio: the only one, or one of a bulk signature by its identifier. Not while it awaits this
/// signer.
fn folio(request: &PageRequest, signer_session: &SignerSession) -> Option<FolioId> {
    let mut own = signer_session
        .signing
        .folios
        .iter()
        .filter(|own| !own.folio.dropped);
    let found = if let Some(id) = request.query("folio") {
        let id: FolioId = id.parse().ok()?;
        own.find(|own| own.folio.id == id)?
    } else {
        let only = own.next()?;
        own.next().is_none().then_some(only)?
    };
    has_acted(found).then_some(found.folio.id)
}

/// The part that is asked for, from one: the first where none is named.
fn part(request: &PageRequest) -> Option<usize> {
    let Some(part) = request.query("part") else {
        return Some(1);
    };
    part.parse::<usize>().ok().filter(|part| *part > 0)
}

fn has_acted(own: &SigningFolio) -> bool {
    let signer = own.folio.signer(own.signer_index);
    signer.is_some_and(|signer| signer.state != SignerState::Pending)
}
