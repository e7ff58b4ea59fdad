//! The signer's acts: request the code, sign, sign out. Each redirects to a page.

use super::cookie;
use super::moment::{Moment, field};
use super::notice::News;
use super::present::present;
use super::seat::Seat;
use super::visit::Visit;
use crate::Web;
use crate::page::{Form, Lang};
use app::consent::Consent;
use app::sign_folio::{Attempt, Signed};
use app::{CodeOutcome, CodePurpose, TypedCodes};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::SET_COOKIE;
use axum::http::{Request, StatusCode};
use axum::response::Response;
use domain::{Channel, Code};

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
    let purpose = CodePurpose::Sign {
        consent: consent.hash(),
    };
    let app = &visit.web.app;
    let sending = app.send_codes(&seat.session, purpose, Some(visit.address));
    match sending.await {
        // Too soon after the last code, which is still valid: the page says how long to wait.
        Ok(()) | Err(app::Error::TooOften { .. }) => seat.on_to(&visit, &next),
        // The folio changed meanwhile, or codes are locked: the page shows which.
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
    let codes = match typed_codes(&visit, &seat, &form) {
        Ok(codes) => codes,
        Err(code_errors) => return wrong(&visit, &seat, consent, code_errors).await,
    };
    let attempt = Attempt {
        codes,
        consent: consent.hash(),
        address: Some(visit.address),
    };
    match visit.web.app.sign_folios(&seat.session, attempt).await {
        Ok(Signed::Done(_)) => match seat.after_act(&visit).await {
            Ok(seat) => seat.on_to(&visit, "done"),
            Err(answer) => answer,
        },
        Ok(refused) => match seat.again(&visit).await {
            Ok(seat) => wrong(&visit, &seat, consent, code_error(visit.l, &refused)).await,
            Err(answer) => answer,
        },
        Err(app::Error::Refused(_)) => seat.on_to(&visit, ""),
        Err(error) => visit.trouble(error),
    }
}

/// The page with the error that consent is missing.
async fn without_consent(visit: &Visit, seat: &Seat) -> Response {
    let moment = Moment {
        consent_error: Some(visit.l.consent_missing()),
        ..Moment::default()
    };
    present(visit, seat, moment).await
}

/// The codes of the form, by channel. A malformed code does not count as an attempt.
pub(crate) fn typed_codes(
    visit: &Visit,
    seat: &Seat,
    form: &Form,
) -> Result<TypedCodes, Vec<(Channel, String)>> {
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
    Ok(TypedCodes {
        email: email.flatten(),
        sms: sms.flatten(),
    })
}

/// The error of a wrong or expired code.
pub(crate) fn code_error<T>(l: Lang, outcome: &CodeOutcome<T>) -> Vec<(Channel, String)> {
    match outcome {
        CodeOutcome::Done(_) => Vec::new(),
        CodeOutcome::WrongCode { channel, tries_left } => vec![(*channel, l.wrong_code(*tries_left))],
        CodeOutcome::NoCode { channel } => vec![(*channel, l.code_gone().to_owned())],
    }
}

/// `POST /sign/{holder}/sign-out`.
pub(crate) async fn sign_out(
    State(web): State<Web>,
    Path(holder): Path<String>,
    request: Request<Body>,
) -> Response {
    let (visit, body) = Visit::new(web, request);
    let (seat, _) = match Seat::with_any_form(&visit, body, &holder).await {
        Ok(both) => both,
        Err(answer) => return answer,
    };
    if let Err(error) = visit.web.app.end_signer_session(&seat.session).await {
        return visit.trouble(error);
    }
    let mut answer = visit.news(StatusCode::OK, News::SignedOut);
    let gone = cookie::forget(seat.signing.holder, visit.is_https(), &seat.embedding());
    answer.headers_mut().extend(gone.map(|gone| (SET_COOKIE, gone)));
    answer
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
