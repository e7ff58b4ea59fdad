//! Opening a link or the page of a session. It changes nothing: mail programs open links, too.

use super::choose_page::choose_page;
use super::cookies;
use super::form_state::FormState;
use super::identify::IdentifyPage;
use super::session::SignerSession;
use crate::Web;
use crate::page::message_page::SignerMessage;
use crate::page::render_page;
use crate::page::request::{PageRequest, company_embedding};
use app::signing::visits::{VisitAct, VisitEvent};
use app::{Error, SigningParty, SystemRandom};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{Request, StatusCode};
use axum::response::Response;
use domain::{DocumentNumber, DocumentType, FieldError, Refusal, VisitorId};

/// `GET /sign?s=…` names the signer; `GET /sign?f=…` asks who it is.
pub(crate) async fn link(State(web): State<Web>, request: Request<Body>) -> Response {
    let (request, _) = PageRequest::new(web, request);
    let opened = match (request.query("s"), request.query("f")) {
        (Some(token), _) => request.web.app.open_signer_link(&token),
        (None, Some(token)) => return identify_page(&request, token).await,
        (None, None) => Err(Error::NotFound),
    };
    by_link(&request, opened).await
}

/// `GET /sign/bulk?msv=…`: nothing else of the address counts.
pub(crate) async fn bulk(State(web): State<Web>, request: Request<Body>) -> Response {
    let (request, _) = PageRequest::new(web, request);
    let msv = request.query("msv").unwrap_or_default();
    let opened = request.web.app.open_bulk_link(&msv);
    by_link(&request, opened).await
}

async fn by_link(request: &PageRequest, opened: Result<SigningParty, Error>) -> Response {
    let signer_session = match opened {
        Ok(party) => SignerSession::by_link(request, party).await,
        Err(error) => Err(request.error_page(error)),
    };
    match signer_session {
        Ok(signer_session) => choose_page(request, &signer_session, FormState::default()).await,
        Err(response) => response,
    }
}

/// `GET /sign/{party}`: the page of a session.
pub(crate) async fn page(
    State(web): State<Web>,
    Path(party): Path<String>,
    request: Request<Body>,
) -> Response {
    let (request, _) = PageRequest::new(web, request);
    match SignerSession::by_session(&request, &party).await {
        Ok(signer_session) => choose_page(&request, &signer_session, FormState::from_query(&request)).await,
        Err(response) => response,
    }
}

/// Any other address under `/sign`.
pub(crate) async fn not_found(State(web): State<Web>, request: Request<Body>) -> Response {
    let (request, _) = PageRequest::new(web, request);
    request.message_page(StatusCode::NOT_FOUND, SignerMessage::NotFound)
}

/// Redirects to the folio, and records the identification.
async fn identified(request: &PageRequest, party: SigningParty) -> Response {
    let signer_session = match SignerSession::by_link(request, party).await {
        Ok(signer_session) => signer_session,
        Err(response) => return response,
    };
    if let Some(own) = signer_session.signing.folios.first() {
        let act = VisitAct {
            folio: own.folio.id,
            signer: own.signer_index,
            what: VisitEvent::Identified,
        };
        let app = &request.web.app;
        let recorded = app.record_visit(&signer_session.session, act, Some(request.address));
        if let Err(error) = recorded.await {
            return request.error_page(error);
        }
    }
    signer_session.redirect_to_step(request, "")
}

async fn identify_page(request: &PageRequest, token: String) -> Response {
    if let Err(response) = request.count(token.as_bytes()) {
        return *response;
    }
    let company = match request.web.app.open_folio_link(&token) {
        Ok(folio) => request.web.app.folio_company(folio).await,
        Err(error) => Err(error),
    };
    match company {
        Err(error) => request.error_page(error),
        Ok(company) => {
            let page = IdentifyPage {
                f: request.frame(Some(&company)),
                token,
                chosen: DocumentType::CitizenCard,
                typed: String::new(),
                error: None,
            };
            let embedding = company_embedding(&company);
            let mut response = render_page(StatusCode::OK, &page, &embedding);
            if cookies::read_visitor(&request.parts.headers, request.is_https()).is_none() {
                cookies::set_visitor(
                    response.headers_mut(),
                    VisitorId::random(&mut SystemRandom),
                    request.is_https(),
                    &embedding,
                );
            }
            response
        }
    }
}

/// `POST /sign/identify`: the signer with that document goes on to the folio.
pub(crate) async fn identify(State(web): State<Web>, request: Request<Body>) -> Response {
    let (request, body) = PageRequest::new(web, request);
    let form = match request.form(body).await {
        Ok(form) => form,
        Err(status) => return request.message_page(status, SignerMessage::WrongLink),
    };
    let app = request.web.app.clone();
    let token = form.get("f").to_owned();
    if let Err(response) = request.count(token.as_bytes()) {
        return *response;
    }
    let folio = match app.open_folio_link(&token) {
        Ok(folio) => folio,
        Err(error) => return request.error_page(error),
    };
    let chosen = DocumentType::from_code(form.get("documentType"));
    let typed = form.get("documentNumber").trim().to_owned();
    let number = DocumentNumber::new(typed.clone());
    let from = (
        request.address,
        cookies::read_visitor(&request.parts.headers, request.is_https()),
    );
    let wrong = match (chosen.clone(), number) {
        (Ok(chosen), Ok(number)) => match app.identify(folio, chosen, number, from).await {
            Ok(party) => return identified(&request, party).await,
            Err(Error::Refused(Refusal::UnknownSigner)) => request.l.not_a_signer(),
            Err(error) => {
                if let Ok(company) = app.folio_company(folio).await {
                    request.embed_for(&company);
                }
                return request.error_page(error);
            }
        },
        (_, Err(FieldError::Missing)) => request.l.number_missing(),
        _ => request.l.number_malformed(),
    };
    let company = match app.folio_company(folio).await {
        Ok(company) => company,
        Err(error) => return request.error_page(error),
    };
    let page = IdentifyPage {
        f: request.frame(Some(&company)),
        token,
        chosen: chosen.unwrap_or(DocumentType::CitizenCard),
        typed: typed.chars().take(domain::limits::DOCUMENT_NUMBER).collect(),
        error: Some(wrong.to_owned()),
    };
    let embedding = company_embedding(&company);
    render_page(StatusCode::UNPROCESSABLE_ENTITY, &page, &embedding)
}
