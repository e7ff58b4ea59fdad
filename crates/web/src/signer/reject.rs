//! Rejecting: the reason first, then a page that asks for confirmation and the code, as signing does.

use super::acts::{code_error, typed_codes};
use super::frame::Frame;
use super::moment::Moment;
use super::present::present;
use super::seat::Seat;
use super::view::{ActView, Desk, RejectView};
use super::visit::Visit;
use crate::Web;
use crate::page::Form;
use app::open_link::SigningFolio;
use app::{CodeOutcome, CodePurpose};
use askama::Template;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{Request, StatusCode};
use axum::response::Response;
use domain::{Channel, FolioId, Observation, Problem};

/// The page that asks for confirmation and the code.
#[derive(Debug, Template)]
#[template(path = "signer/reject.html")]
pub(crate) struct RejectPage {
    pub(crate) f: Frame,
    pub(crate) desk: Desk,
    /// The folio, where there are several.
    pub(crate) folio: Option<String>,
    pub(crate) name: String,
    pub(crate) reason: String,
    pub(crate) confirm_error: Option<&'static str>,
    pub(crate) act: ActView,
}

/// `POST /sign/{holder}/reject`: with a reason the code is sent; with the code and the confirmation it is done.
pub(crate) async fn reject(
    State(web): State<Web>,
    Path(holder): Path<String>,
    request: Request<Body>,
) -> Response {
    let (visit, body) = Visit::new(web, request);
    let (seat, form) = match Seat::with_form(&visit, body, &holder).await {
        Ok(both) => both,
        Err(answer) => return answer,
    };
    let Some(own) = asked(&seat, &form) else {
        return seat.on_to(&visit, "");
    };
    let folio = own.folio.id;
    let reason = match reason(&visit, &form) {
        Ok(reason) => reason,
        Err(view) => {
            let moment = Moment {
                reject: Some((folio, view)),
                ..Moment::default()
            };
            return present(&visit, &seat, moment).await;
        }
    };
    if form.get("step") != "code" || !form.get("again").is_empty() {
        return ask_for_code(&visit, seat, folio, &reason, !form.get("again").is_empty()).await;
    }
    let confirm_error = (form.get("confirm") != "1").then(|| visit.l.reject_unconfirmed());
    let codes = match (typed_codes(&visit, &seat, &form), confirm_error) {
        (Ok(codes), None) => codes,
        (codes, confirm_error) => {
            let errors = codes.err().unwrap_or_default();
            return page(&visit, &seat, folio, &reason, confirm_error, errors);
        }
    };
    let app = visit.web.app.clone();
    let rejected = app.reject_folio(&seat.session, folio, reason.clone(), codes, Some(visit.address));
    match rejected.await {
        Ok(CodeOutcome::Done(())) => match seat.after_act(&visit).await {
            Ok(seat) => seat.on_to(&visit, "rejected"),
            Err(answer) => answer,
        },
        Ok(refused) => match seat.again(&visit).await {
            Ok(seat) => page(&visit, &seat, folio, &reason, None, code_error(visit.l, &refused)),
            Err(answer) => answer,
        },
        Err(app::Error::Refused(_)) => seat.on_to(&visit, ""),
        Err(error) => visit.trouble(error),
    }
}

/// The folio to reject: the only one, or one of a bulk signature by its identifier.
fn asked<'s>(seat: &'s Seat, form: &Form) -> Option<&'s SigningFolio> {
    match seat.signing.folios.as_slice() {
        [own] => Some(own),
        many => {
            let id: FolioId = form.get("folio").parse().ok()?;
            many.iter().find(|own| own.folio.id == id)
        }
    }
}

fn reason(visit: &Visit, form: &Form) -> Result<Observation, RejectView> {
    // Forms end their lines with two characters; people count them as one.
    let typed = form.get("reason").trim().replace("\r\n", "\n");
    Observation::new(typed.clone()).map_err(|problem| RejectView {
        open: true,
        typed: typed.chars().take(domain::limits::OBSERVATION_MAX).collect(),
        error: Some(match problem {
            Problem::TooLong { .. } => visit.l.reason_long(),
            Problem::Characters => visit.l.reason_characters(),
            _ => visit.l.reason_short(),
        }),
    })
}

/// Sends the code, unless the session has a valid one, and asks for it.
async fn ask_for_code(
    visit: &Visit,
    seat: Seat,
    folio: FolioId,
    reason: &Observation,
    anew: bool,
) -> Response {
    let now = visit.web.app.clock.now();
    let is_good =
        |code: &app::open_link::CodeStatus| !code.lost && code.sent.is_some_and(|sent| sent.is_live(now));
    if anew || !seat.signing.codes.iter().all(is_good) {
        let app = &visit.web.app;
        let sending = app.send_codes(&seat.session, CodePurpose::Reject, Some(visit.address));
        match sending.await {
            // Too soon after the last code: the page says how long to wait.
            Ok(()) | Err(app::Error::TooOften { .. }) => {}
            Err(app::Error::Refused(_) | app::Error::Locked { .. }) => return seat.on_to(visit, ""),
            Err(error) => return visit.trouble(error),
        }
    }
    match seat.again(visit).await {
        Ok(seat) => page(visit, &seat, folio, reason, None, Vec::new()),
        Err(answer) => answer,
    }
}

fn page(
    visit: &Visit,
    seat: &Seat,
    folio: FolioId,
    reason: &Observation,
    confirm_error: Option<&'static str>,
    code_errors: Vec<(Channel, String)>,
) -> Response {
    let signing = &seat.signing;
    let Some(own) = signing.folios.iter().find(|own| own.folio.id == folio) else {
        return seat.on_to(visit, "");
    };
    let moment = Moment {
        code_errors,
        ..Moment::default()
    };
    let status = if moment.is_wrong() || confirm_error.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    let page = RejectPage {
        f: visit.frame(Some(&signing.company)),
        desk: seat.desk(),
        folio: (signing.folios.len() > 1).then(|| folio.to_string()),
        name: own.folio.name.to_string(),
        reason: reason.to_string(),
        confirm_error,
        act: moment.act(visit, signing),
    };
    seat.answer(visit, status, &page)
}
