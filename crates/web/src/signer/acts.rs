//! The signer's acts: request the code, sign, sign out. Each redirects to a page.

use super::auth::{ProvenSigner, ProvenSignerForm, UnprovenSignerForm};
use super::choose_page::choose_page;
use super::codes::{code_error, typed_codes};
use super::cookies;
use super::form_state::FormState;
use super::language;
use super::picture::{PictureForm, picture_of};
use super::session::SignerSession;
use crate::page::message_page::SignerMessage;
use crate::page::request::PageRequest;
use crate::page::{PageResult, headers};
use app::CodePurpose;
use app::signing::consent::Consent;
use app::signing::sign::{Attempt, Signed};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::Channel;

/// `POST /sign/{party}/code`: sends the code, or goes on with the one that was sent.
pub(crate) async fn code(
    ProvenSignerForm {
        request,
        signer_session,
        form,
    }: ProvenSignerForm,
) -> PageResult {
    let Some(consent) = Consent::named(form.get("consent")) else {
        return Ok(page_without_consent(&request, &signer_session).await);
    };
    language::remember(&request, &signer_session).await?;
    let next = format!("code&consent={}", consent.name);
    let app = &request.web.app;
    let (session, client) = (&signer_session.session, request.client());
    let done = if form.get("have").is_empty() {
        let purpose = CodePurpose::Sign { consent };
        app.send_codes(session, purpose, client).await
    } else {
        app.accept(session, consent, client).await
    };
    match done {
        // Too soon after the last code, which is still valid: the page says how long to wait.
        Ok(()) | Err(app::Error::TooOften { .. }) => Ok(signer_session.redirect_to_step(&request, &next)),
        Err(app::Error::Unread(documents)) => {
            let names: Vec<&str> = documents.iter().map(domain::FileName::as_str).collect();
            let error = request.l().unread(&names);
            Ok(page_with_consent_error(&request, &signer_session, error).await)
        }
        // The folio changed meanwhile, or codes are locked: the page shows which.
        Err(app::Error::Refused(_) | app::Error::Locked { .. }) => {
            Ok(signer_session.redirect_to_step(&request, ""))
        }
        Err(error) => Err(request.error_page(error).into()),
    }
}

/// `POST /sign/{party}/sign`.
pub(crate) async fn sign(
    ProvenSignerForm {
        request,
        signer_session,
        form,
    }: ProvenSignerForm,
) -> PageResult {
    let Some(consent) = Consent::named(form.get("consent")) else {
        return Ok(page_without_consent(&request, &signer_session).await);
    };
    let policy = signer_session.signing.company.picture;
    let picture = picture_of(request.l(), policy, &form);
    let codes = typed_codes(&request, &signer_session, &form);
    let (codes, picture, picture_form) = match (codes, picture) {
        (Ok(codes), Ok((picture, form))) => (codes, picture, form),
        (codes, picture) => {
            let picture = picture.map_or_else(|wrong| wrong, |(_, form)| form);
            let wrong = (codes.err().unwrap_or_default(), picture);
            return Ok(page_with_code_errors(&request, &signer_session, consent, wrong).await);
        }
    };
    let attempt = Attempt {
        codes,
        picture,
        client: request.client(),
    };
    match request
        .web
        .app
        .sign_folios(&signer_session.session, attempt)
        .await
    {
        Ok(Signed::Done(_)) => {
            let signer_session = signer_session.renewed_after_act(&request).await?;
            Ok(signer_session.redirect_to_step(&request, "done"))
        }
        Ok(refused) => {
            let signer_session = signer_session.reloaded(&request).await?;
            let wrong = (code_error(request.l(), &refused), picture_form);
            Ok(page_with_code_errors(&request, &signer_session, consent, wrong).await)
        }
        // The code was sent for something else, and is still good.
        Err(app::Error::NotAccepted) => Ok(page_without_consent(&request, &signer_session).await),
        // The company began to demand it meanwhile.
        Err(app::Error::PictureMissing) => {
            let signer_session = signer_session.reloaded(&request).await?;
            let error = Some(request.l().picture_missing());
            let wrong = (
                Vec::new(),
                PictureForm {
                    error,
                    ..picture_form
                },
            );
            Ok(page_with_code_errors(&request, &signer_session, consent, wrong).await)
        }
        Err(app::Error::Refused(_)) => Ok(signer_session.redirect_to_step(&request, "")),
        Err(error) => Err(request.error_page(error).into()),
    }
}

/// The page with the error that consent is missing.
async fn page_without_consent(request: &PageRequest, signer_session: &SignerSession) -> Response {
    page_with_consent_error(request, signer_session, request.l().consent_missing().to_owned()).await
}

async fn page_with_consent_error(
    request: &PageRequest,
    signer_session: &SignerSession,
    error: String,
) -> Response {
    let form_state = FormState {
        consent_error: Some(error),
        ..FormState::default()
    };
    choose_page(request, signer_session, form_state).await
}

/// `GET /sign/{party}/shown`: what was shown of each document until now, as what is agreed to says it, a line each.
pub(crate) async fn shown(
    ProvenSigner {
        request,
        signer_session,
    }: ProvenSigner,
) -> PageResult {
    let form_state = FormState::default().with_shown(&request, &signer_session).await?;
    let text = form_state.text(request.l());
    let lines: Vec<&str> = text.lines().filter_map(Consent::shown_in).collect();
    let headers = headers(&signer_session.embedding());
    let response = (headers, lines.join("\n")).into_response();
    Ok(signer_session.with_cookie(&request, response))
}

/// `POST /sign/{party}/alive`: the page is being read. The session goes on, and the body says for how many seconds.
pub(crate) async fn alive(
    UnprovenSignerForm {
        request,
        signer_session,
        ..
    }: UnprovenSignerForm,
) -> Response {
    let left = signer_session
        .session
        .ends_at()
        .since(request.web.app.clock.now());
    let headers = headers(&signer_session.embedding());
    let response = (headers, left.as_secs().to_string()).into_response();
    signer_session.with_cookie(&request, response)
}

/// `POST /sign/{party}/sign-out`.
pub(crate) async fn sign_out(
    UnprovenSignerForm {
        request,
        signer_session,
        ..
    }: UnprovenSignerForm,
) -> PageResult {
    let ended = request.web.app.end_signer_session(&signer_session.session).await;
    ended.map_err(|error| request.error_page(error))?;
    let mut response = request.message_page(StatusCode::OK, SignerMessage::SignedOut);
    cookies::remove(
        response.headers_mut(),
        signer_session.signing.party,
        request.connection(),
        &signer_session.embedding(),
    );
    Ok(response)
}

async fn page_with_code_errors(
    request: &PageRequest,
    signer_session: &SignerSession,
    consent: Consent,
    (code_errors, picture): (Vec<(Channel, String)>, PictureForm),
) -> Response {
    let form_state = FormState {
        accepted: Some(consent),
        code_errors,
        picture,
        ..FormState::default()
    };
    choose_page(request, signer_session, form_state).await
}
