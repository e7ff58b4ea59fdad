//! Proving the contact: a code is sent there and typed here. It is required before a corrected contact sees
//! the folio, and before the evidence.

use super::acts::{code_error, typed_codes};
use super::frame::Frame;
use super::moment::Moment;
use super::seat::Seat;
use super::view::{ActView, Desk};
use super::visit::Visit;
use crate::Web;
use app::{CodeOutcome, CodePurpose};
use askama::Template;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{Request, StatusCode};
use axum::response::Response;
use domain::Channel;

/// The page that asks for the code. It says nothing of the folio.
#[derive(Debug, Template)]
#[template(path = "signer/prove.html")]
pub(crate) struct ProvePage {
    pub(crate) f: Frame,
    pub(crate) desk: Desk,
    pub(crate) act: ActView,
}

/// The page, with the errors of the code fields.
pub(crate) fn present_proof(visit: &Visit, seat: &Seat, code_errors: Vec<(Channel, String)>) -> Response {
    let moment = Moment {
        code_errors,
        ..Moment::default()
    };
    let status = if moment.is_wrong() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    let page = ProvePage {
        f: visit.frame(Some(&seat.signing.company)),
        desk: seat.desk(),
        act: moment.act(visit, &seat.signing),
    };
    seat.answer(visit, status, &page)
}

/// `POST /sign/{holder}/proof-code`: sends the code.
pub(crate) async fn code(
    State(web): State<Web>,
    Path(holder): Path<String>,
    request: Request<Body>,
) -> Response {
    let (visit, body) = Visit::new(web, request);
    let (seat, _) = match Seat::with_any_form(&visit, body, &holder).await {
        Ok(both) => both,
        Err(answer) => return answer,
    };
    let app = &visit.web.app;
    let sending = app.send_codes(&seat.session, CodePurpose::Prove, Some(visit.address));
    match sending.await {
        // Too soon after the last code, or too many today: the page says how long to wait.
        Ok(()) | Err(app::Error::TooOften { .. } | app::Error::Locked { .. }) => seat.on_to(&visit, "proof"),
        Err(error) => visit.trouble(error),
    }
}

/// `POST /sign/{holder}/proof`: compares the code.
pub(crate) async fn prove(
    State(web): State<Web>,
    Path(holder): Path<String>,
    request: Request<Body>,
) -> Response {
    let (visit, body) = Visit::new(web, request);
    let (seat, form) = match Seat::with_any_form(&visit, body, &holder).await {
        Ok(both) => both,
        Err(answer) => return answer,
    };
    let codes = match typed_codes(&visit, &seat, &form) {
        Ok(codes) => codes,
        Err(code_errors) => return present_proof(&visit, &seat, code_errors),
    };
    let app = visit.web.app.clone();
    match app.prove_contact(&seat.session, codes, Some(visit.address)).await {
        Ok(CodeOutcome::Done(())) => seat.on_to(&visit, ""),
        Ok(refused) => match seat.again(&visit).await {
            Ok(seat) => present_proof(&visit, &seat, code_error(visit.l, &refused)),
            Err(answer) => answer,
        },
        Err(error) => visit.trouble(error),
    }
}
