//! Opening a link or the page of a session. It changes nothing: mail programs open links, too.

use super::auth::{IdentifyForm, ProvenSigner};
use super::choose_page::choose_page;
use super::cookies;
use super::form_state::FormState;
use super::identify::IdentifyPage;
use super::language;
use super::session::SignerSession;
use crate::Web;
use crate::page::message_page::SignerMessage;
use crate::page::request::{PageRequest, company_embedding};
use crate::page::{PageResult, render_page};
use app::signing::visits::{VisitAct, VisitEvent};
use app::{Error, SigningParty, SystemRandom};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{Request, StatusCode};
use axum::response::Response;
use domain::{DocumentNumber, DocumentType, FieldError, Refusal, VisitorId};

/// `GET /sign?s=…` names the signer; `GET /sign?f=…` asks who it is.
pub(crate) async fn link(request: PageRequest) -> PageResult {
    let opened = match (request.query("s"), request.query("f")) {
        (Some(token), _) => request.web.app.open_signer_link(&token),
        (None, Some(token)) => return identify_page(&request, token).await,
        (None, None) => Err(Error::NotFound),
    };
    by_link(&request, opened).await
}

/// `GET /sign/bulk?msv=…`: nothing else of the address counts.
pub(crate) async fn bulk(request: PageRequest) -> PageResult {
    let msv = request.query("msv").unwrap_or_default();
    let opened = request.web.app.open_bulk_link(&msv);
    by_link(&request, opened).await
}

async fn by_link(request: &PageRequest, opened: Result<SigningParty, Error>) -> PageResult {
    let party = opened.map_err(|error| request.error_page(error))?;
    let signer_session = SignerSession::by_link(request, party).await?;
    Ok(choose_page(request, &signer_session, FormState::default()).await)
}

/// `GET /sign/{party}`: the page of a session.
pub(crate) async fn page(
    ProvenSigner {
        request,
        signer_session,
    }: ProvenSigner,
) -> Response {
    choose_page(&request, &signer_session, FormState::from_query(&request)).await
}

/// `GET /sign/{party}/resume`: goes on in a new session, after one that was not used for too long.
pub(crate) async fn resume(Path(party): Path<String>, request: PageRequest) -> PageResult {
    let party = party
        .parse()
        .map_err(|_| request.message_page(StatusCode::NOT_FOUND, SignerMessage::NotFound))?;
    let signer_session = SignerSession::resumed(&request, party).await?;
    Ok(signer_session.redirect_to_step(&request, ""))
}

/// Any other address under `/sign`.
pub(crate) async fn not_found(State(web): State<Web>, request: Request<Body>) -> Response {
    let (request, _) = PageRequest::new(web, request);
    request.message_page(StatusCode::NOT_FOUND, SignerMessage::NotFound)
}

/// Redirects to the folio, and records the identification.
async fn identified(request: &PageRequest, party: SigningParty) -> PageResult {
    let signer_session = SignerSession::by_link(request, party).await?;
    if let Some(own) = signer_session.signing.folios.first() {
        let act = VisitAct {
            folio: own.folio.id,
            signer: own.signer_index,
            what: VisitEvent::Identified,
        };
        let app = &request.web.app;
        let recorded = app.record_visit(&signer_session.session, act, request.client());
        recorded.await.map_err(|error| request.error_page(error))?;
    }
    language::remember(request, &signer_session).await?;
    Ok(signer_session.redirect_to_step(request, ""))
}

async fn identify_page(request: &PageRequest, token: String) -> PageResult {
    request.count(token.as_bytes())?;
    let app = &request.web.app;
    let error_page = |error| request.error_page(error);
    let folio = app.open_folio_link(&token).map_err(error_page)?;
    let company = app.folio_company(folio).await.map_err(error_page)?;
    let page = IdentifyPage {
        f: request.frame(Some(&company)),
        token,
        chosen: DocumentType::CitizenCard,
        typed: String::new(),
        error: None,
    };
    let embedding = company_embedding(&company);
    let mut response = render_page(StatusCode::OK, &page, &embedding);
    if cookies::read_visitor(&request.parts.headers, request.connection()).is_none() {
        cookies::set_visitor(
            response.headers_mut(),
            VisitorId::random(&mut SystemRandom),
            request.connection(),
            &embedding,
        );
    }
    Ok(response)
}

/// `POST /sign/identify`: the signer with that document goes on to the folio.
pub(crate) async fn identify(IdentifyForm { request, form }: IdentifyForm) -> PageResult {
    let app = &request.web.app;
    let error_page = |error| request.error_page(error);
    let token = form.get("f").to_owned();
    request.count(token.as_bytes())?;
    let folio = app.open_folio_link(&token).map_err(error_page)?;
    let chosen = DocumentType::from_code(form.get("documentType"));
    let typed = form.get("documentNumber").trim().to_owned();
    let number = DocumentNumber::new(typed.clone());
    let from = (
        request.address,
        cookies::read_visitor(&request.parts.headers, request.connection()),
    );
    let wrong = match (chosen.clone(), number) {
        (Ok(chosen), Ok(number)) => match app.identify(folio, chosen, number, from).await {
            Ok(party) => return identified(&request, party).await,
            Err(Error::Refused(Refusal::UnknownSigner)) => request.l().not_a_signer(),
            Err(error) => {
                if let Ok(company) = app.folio_company(folio).await {
                    request.embed_for(&company);
                }
                return Err(request.error_page(error).into());
            }
        },
        (_, Err(FieldError::Missing)) => request.l().number_missing(),
        _ => request.l().number_malformed(),
    };
    let company = app.folio_company(folio).await.map_err(error_page)?;
    let page = IdentifyPage {
        f: request
            .frame(Some(&company))
            .returning_to(format!("/sign?f={token}")),
        token,
        chosen: chosen.unwrap_or(DocumentType::CitizenCard),
        typed: typed.chars().take(domain::limits::DOCUMENT_NUMBER).collect(),
        error: Some(wrong.to_owned()),
    };
    let embedding = company_embedding(&company);
    Ok(render_page(StatusCode::UNPROCESSABLE_ENTITY, &page, &embedding))
}
