//! What a signer does: asks for the code, signs, rejects. Each ends at a page that `GET` shows again.

use super::moment::{Moment, field};
use super::present::present;
use super::seat::Seat;
use super::view::RejectView;
use super::visit::Visit;
use crate::Web;
use crate::page::Form;
use app::consent::Consent;
use app::sign_folio::{Attempt, Signed};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::Request;
use axum::response::Response;
use domain::{Channel, Code, FolioId, Observation, Problem};

/// `POST /sign/{holder}/code`: sends the code, or goes on with the one that was sent.
pub(crate) async fn code(
    State(web): State<Web>,
    Path(holder): Path<String>,
    request: Request<Body>,
) -> Response {
    let (visit, body) = Visit::new(web, request);
    let (seat, form) = match Seat::with_form(&visit, body, &holder).await {
        Ok(both) => both,
        Err(answer) => return answer,
    };
    let Some(consent) = Consent::named(form.get("consent")) else {
        return without_consent(&visit, &seat).await;
    };
    let next = format!("code&consent={}", consent.name);
    if !form.get("have").is_empty() {
        return seat.on_to(&visit, &next);
    }
    let sending = visit.web.app.send_codes(seat.signing.holder, Some(visit.address));
    match sending.await {
        // Too soon after the last: that one is still good, and the page says how long to wait.
        Ok(()) | Err(app::Error::TooOften { .. }) => seat.on_to(&visit, &next),
        // Somebody was faster, or the door is closed: the page says which.
        Err(app::Error::Refused(_) | app::Error::Locked { .. }) => seat.on_to(&visit, ""),
        Err(error) => visit.trouble(error),
    }
}

/// `POST /sign/{holder}/sign`.
pub(crate) async fn sign(
    State(web): State<Web>,
    Path(holder): Path<String>,
    request: Request<Body>,
) -> Response {
    let (visit, body) = Visit::new(web, request);
    let (seat, form) = match Seat::with_form(&visit, body, &holder).await {
        Ok(both) => both,
        Err(answer) => return answer,
    };
    let Some(consent) = Consent::named(form.get("consent")) else {
        return without_consent(&visit, &seat).await;
    };
    let attempt = match attempt(&visit, &seat, &form, consent) {
        Ok(attempt) => attempt,
        Err(code_errors) => return wrong(&visit, &seat, consent, code_errors).await,
    };
    match visit.web.app.sign_folios(seat.signing.holder, attempt).await {
        Ok(Signed::Done(_)) => match seat.after_act(&visit).await {
            Ok(seat) => seat.on_to(&visit, "done"),
            Err(answer) => answer,
        },
        Ok(Signed::WrongCode { channel, tries_left }) => {
            wrong(
                &visit,
                &seat,
                consent,
                vec![(channel, visit.l.wrong_code(tries_left))],
            )
            .await
        }
        Ok(Signed::NoCode { channel }) => {
            wrong(
                &visit,
                &seat,
                consent,
                vec![(channel, visit.l.code_gone().to_owned())],
            )
            .await
        }
        Ok(Signed::Locked { .. }) | Err(app::Error::Refused(_) | app::Error::Locked { .. }) => {
            seat.on_to(&visit, "")
        }
        Err(error) => visit.trouble(error),
    }
}

/// The page again, asking for what must come first.
async fn without_consent(visit: &Visit, seat: &Seat) -> Response {
    let moment = Moment {
        consent_error: Some(visit.l.consent_missing()),
        ..Moment::default()
    };
    present(visit, seat, moment).await
}

/// The codes of the form, each where it is asked for; what is no code at all is not worth a try.
fn attempt(
    visit: &Visit,
    seat: &Seat,
    form: &Form,
    consent: Consent,
) -> Result<Attempt, Vec<(Channel, String)>> {
    let wanted = &seat.signing.codes;
    let typed = |channel| {
        let asked = wanted.iter().any(|code| code.channel == channel);
        asked.then(|| Code::typed(form.get(field(channel, wanted.len() > 1))))
    };
    let (email, sms) = (typed(Channel::Email), typed(Channel::Sms));
    let malformed = [(Channel::Email, &email), (Channel::Sms, &sms)]
        .into_iter()
        .filter(|(_, typed)| matches!(typed, Some(None)))
        .map(|(channel, _)| (channel, visit.l.code_malformed().to_owned()));
    let malformed: Vec<_> = malformed.collect();
    if !malformed.is_empty() {
        return Err(malformed);
    }
    Ok(Attempt {
        email_code: email.flatten(),
        sms_code: sms.flatten(),
        consent: consent.hash(),
        address: Some(visit.address),
    })
}

async fn wrong(
    visit: &Visit,
    seat: &Seat,
    consent: Consent,
    code_errors: Vec<(Channel, String)>,
) -> Response {
    let moment = Moment {
        accepted: Some(consent),
        code_errors,
        ..Moment::default()
    };
    present(visit, seat, moment).await
}

/// `POST /sign/{holder}/reject`.
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
    let only = match seat.signing.folios.as_slice() {
        [own] => Some(own.folio.id),
        _ => form.get("folio").parse::<FolioId>().ok(),
    };
    let Some(folio) = only else {
        return seat.on_to(&visit, "");
    };
    // Forms end their lines with two characters; people count them as one.
    let typed = form.get("reason").trim().replace("\r\n", "\n");
    let reason = match Observation::new(typed.clone()) {
        Ok(reason) => reason,
        Err(problem) => {
            let error = Some(match problem {
                Problem::TooLong { .. } => visit.l.reason_long(),
                Problem::Characters => visit.l.reason_characters(),
                _ => visit.l.reason_short(),
            });
            let typed = typed.chars().take(domain::limits::OBSERVATION_MAX).collect();
            let moment = Moment {
                reject: Some((
                    folio,
                    RejectView {
                        open: true,
                        typed,
                        error,
                    },
                )),
                ..Moment::default()
            };
            return present(&visit, &seat, moment).await;
        }
    };
    let rejected = visit
        .web
        .app
        .reject_folio(seat.signing.holder, folio, reason, Some(visit.address));
    match rejected.await {
        Ok(()) => match seat.after_act(&visit).await {
            Ok(seat) => seat.on_to(&visit, "rejected"),
            Err(answer) => answer,
        },
        Err(app::Error::Refused(_)) => seat.on_to(&visit, ""),
        Err(error) => visit.trouble(error),
    }
}
