//! Opening a link or the page of a session. It changes nothing: mail programs open links, too.

use super::cookie;
use super::identify::IdentifyPage;
use super::moment::Moment;
use super::notice::News;
use super::present::present;
use super::seat::Seat;
use super::visit::{Visit, embedding};
use crate::Web;
use crate::page::answer;
use app::visits::{VisitAct, VisitEvent};
use app::{Error, Holder, SystemRandom};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::SET_COOKIE;
use axum::http::{Request, StatusCode};
use axum::response::Response;
use domain::{DocumentNumber, DocumentType, Problem, Refusal, VisitorId};

/// `GET /sign?s=…` names the signer; `GET /sign?f=…` asks who it is.
pub(crate) async fn link(State(web): State<Web>, request: Request<Body>) -> Response {
    let (visit, _) = Visit::new(web, request);
    let opened = match (visit.query("s"), visit.query("f")) {
        (Some(token), _) => visit.web.app.open_signer_link(&token),
        (None, Some(token)) => return ask(&visit, token).await,
        (None, None) => Err(Error::NotFound),
    };
    by_link(&visit, opened).await
}

/// `GET /sign/bulk?msv=…`: nothing else of the address counts.
pub(crate) async fn bulk(State(web): State<Web>, request: Request<Body>) -> Response {
    let (visit, _) = Visit::new(web, request);
    let msv = visit.query("msv").unwrap_or_default();
    let opened = visit.web.app.open_bulk_link(&msv);
    by_link(&visit, opened).await
}

async fn by_link(visit: &Visit, opened: Result<Holder, Error>) -> Response {
    let seat = match opened {
        Ok(holder) => Seat::by_link(visit, holder).await,
        Err(error) => Err(visit.trouble(error)),
    };
    match seat {
        Ok(seat) => present(visit, &seat, Moment::default()).await,
        Err(answer) => answer,
    }
}

/// `GET /sign/{holder}`: the page of a session.
pub(crate) async fn page(
    State(web): State<Web>,
    Path(holder): Path<String>,
    request: Request<Body>,
) -> Response {
    let (visit, _) = Visit::new(web, request);
    match Seat::by_session(&visit, &holder).await {
        Ok(seat) => present(&visit, &seat, Moment::asked(&visit)).await,
        Err(answer) => answer,
    }
}

/// Any other address under `/sign`.
pub(crate) async fn not_found(State(web): State<Web>, request: Request<Body>) -> Response {
    let (visit, _) = Visit::new(web, request);
    visit.news(StatusCode::NOT_FOUND, News::NotFound)
}

/// Redirects to the folio, and records the identification.
async fn identified(visit: &Visit, holder: Holder) -> Response {
    let seat = match Seat::by_link(visit, holder).await {
        Ok(seat) => seat,
        Err(answer) => return answer,
    };
    if let Some(own) = seat.signing.folios.first() {
        let act = VisitAct {
            folio: own.folio.id,
            signer: own.place,
            what: VisitEvent::Identified,
        };
        let app = &visit.web.app;
        let recorded = app.record_visit(&seat.session, act, Some(visit.address));
        if let Err(error) = recorded.await {
            return visit.trouble(error);
        }
    }
    seat.on_to(visit, "")
}

async fn ask(visit: &Visit, token: String) -> Response {
    if let Err(answer) = visit.count(token.as_bytes()) {
        return *answer;
    }
    let company = match visit.web.app.open_folio_link(&token) {
        Ok(folio) => visit.web.app.folio_company(folio).await,
        Err(error) => Err(error),
    };
    match company {
        Err(error) => visit.trouble(error),
        Ok(company) => {
            let page = IdentifyPage {
                f: visit.frame(Some(&company)),
                token,
                chosen: DocumentType::CitizenCard,
                typed: String::new(),
                error: None,
            };
            let embedding = embedding(&company);
            let mut answer = answer(StatusCode::OK, &page, &embedding);
            if visit.visitor().is_none()
                && let Some(cookie) =
                    cookie::keep_visitor(VisitorId::random(&mut SystemRandom), visit.is_https(), &embedding)
            {
                answer.headers_mut().append(SET_COOKIE, cookie);
            }
            answer
        }
    }
}

/// `POST /sign/identify`: the signer with that document goes on to the folio.
pub(crate) async fn identify(State(web): State<Web>, request: Request<Body>) -> Response {
    let (visit, body) = Visit::new(web, request);
    let form = match visit.form(body).await {
        Ok(form) => form,
        Err(status) => return visit.news(status, News::WrongLink),
    };
    let app = visit.web.app.clone();
    let token = form.get("f").to_owned();
    if let Err(answer) = visit.count(token.as_bytes()) {
        return *answer;
    }
    let folio = match app.open_folio_link(&token) {
        Ok(folio) => folio,
        Err(error) => return visit.trouble(error),
    };
    let chosen = DocumentType::from_code(form.get("documentType"));
    let typed = form.get("documentNumber").trim().to_owned();
    let number = DocumentNumber::new(typed.clone());
    let from = (visit.address, visit.visitor());
    let wrong = match (chosen.clone(), number) {
        (Ok(chosen), Ok(number)) => match app.identify(folio, chosen, number, from).await {
            Ok(holder) => return identified(&visit, holder).await,
            Err(Error::Refused(Refusal::UnknownSigner)) => visit.l.not_a_signer(),
            Err(error) => {
                if let Ok(company) = app.folio_company(folio).await {
                    visit.embed_for(&company);
                }
                return visit.trouble(error);
            }
        },
        (_, Err(Problem::Missing)) => visit.l.number_missing(),
        _ => visit.l.number_malformed(),
    };
    let company = match app.folio_company(folio).await {
        Ok(company) => company,
        Err(error) => return visit.trouble(error),
    };
    let page = IdentifyPage {
        f: visit.frame(Some(&company)),
        token,
        chosen: chosen.unwrap_or(DocumentType::CitizenCard),
        typed: typed.chars().take(domain::limits::DOCUMENT_NUMBER).collect(),
        error: Some(wrong.to_owned()),
    };
    let embedding = embedding(&company);
    answer(StatusCode::UNPROCESSABLE_ENTITY, &page, &embedding)
}
