//! Rejecting: the reason first, then a page that asks for confirmation and the code, as signing does.

use super::auth::ProvenSignerForm;
use super::choose_page::choose_page;
use super::codes::{code_error, typed_codes};
use super::form_state::FormState;
use super::session::SignerSession;
use super::view::{ActView, FormTarget, RejectView};
use crate::page::layout::PageLayout;
use crate::page::request::PageRequest;
use crate::page::{FormFields, PageResult};
use app::signing::open::SigningFolio;
use app::{CodeOutcome, CodePurpose};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use domain::{Channel, FieldError, FolioId, Observation};

/// The page that asks for confirmation and the code.
#[derive(Debug, Template)]
#[template(path = "signer/reject.html")]
pub(crate) struct RejectPage {
    pub(crate) f: PageLayout,
    pub(crate) form_target: FormTarget,
    /// The folio, where there are several.
    pub(crate) folio: Option<String>,
    pub(crate) name: String,
    pub(crate) reason: String,
    pub(crate) confirm_error: Option<&'static str>,
    pub(crate) act: ActView,
}

/// `POST /sign/{party}/reject`: with a reason the code is sent; with the code and the confirmation it is done.
pub(crate) async fn reject(
    ProvenSignerForm {
        request,
        signer_session,
        form,
    }: ProvenSignerForm,
) -> PageResult {
    let Some(own) = folio_of(&signer_session, &form) else {
        return Ok(signer_session.redirect_to_step(&request, ""));
    };
    let folio = own.folio.id;
    let reason = match reason(&request, &form) {
        Ok(reason) => reason,
        Err(view) => {
            let form_state = FormState {
                reject: Some((folio, view)),
                ..FormState::default()
            };
            return Ok(choose_page(&request, &signer_session, form_state).await);
        }
    };
    if form.get("step") != "code" || !form.get("again").is_empty() {
        return ask_for_code(
            &request,
            signer_session,
            folio,
            &reason,
            !form.get("again").is_empty(),
        )
        .await;
    }
    let confirm_error = (form.get("confirm") != "1").then(|| request.l().reject_unconfirmed());
    let codes = match (typed_codes(&request, &signer_session, &form), confirm_error) {
        (Ok(codes), None) => codes,
        (codes, confirm_error) => {
            let errors = codes.err().unwrap_or_default();
            return Ok(page(
                &request,
                &signer_session,
                folio,
                &reason,
                confirm_error,
                errors,
            ));
        }
    };
    let app = request.web.app.clone();
    let rejected = app.reject_folio(
        &signer_session.session,
        folio,
        reason.clone(),
        codes,
        request.client(),
    );
    match rejected.await {
        Ok(CodeOutcome::Done(())) => {
            let signer_session = signer_session.renewed_after_act(&request).await?;
            Ok(signer_session.redirect_to_step(&request, "rejected"))
        }
        Ok(refused) => {
            let signer_session = signer_session.reloaded(&request).await?;
            let errors = code_error(request.l(), &refused);
            Ok(page(&request, &signer_session, folio, &reason, None, errors))
        }
        Err(app::Error::Refused(_)) => Ok(signer_session.redirect_to_step(&request, "")),
        Err(error) => Err(request.error_page(error).into()),
    }
}

/// The folio to reject: the only one, or one of a bulk signature by its identifier.
fn folio_of<'s>(signer_session: &'s SignerSession, form: &FormFields) -> Option<&'s SigningFolio> {
    match signer_session.signing.folios.as_slice() {
        [own] => Some(own),
        many => {
            let id: FolioId = form.get("folio").parse().ok()?;
            many.iter().find(|own| own.folio.id == id)
        }
    }
}

fn reason(request: &PageRequest, form: &FormFields) -> Result<Observation, RejectView> {
    // Forms end their lines with two characters; people count them as one.
    let typed = form.get("reason").trim().replace("\r\n", "\n");
    Observation::new(typed.clone()).map_err(|problem| RejectView {
        open: true,
        typed: typed.chars().take(domain::limits::OBSERVATION_MAX).collect(),
        error: Some(match problem {
            FieldError::TooLong { .. } => request.l().reason_long(),
            FieldError::Characters => request.l().reason_characters(),
            _ => request.l().reason_short(),
        }),
    })
}

/// Sends the code, unless the session has a valid one, and asks for it.
async fn ask_for_code(
    request: &PageRequest,
    signer_session: SignerSession,
    folio: FolioId,
    reason: &Observation,
    force: bool,
) -> PageResult {
    let now = request.web.app.clock.now();
    let is_good =
        |code: &app::signing::open::CodeStatus| !code.lost && code.sent.is_some_and(|sent| sent.is_live(now));
    if force || !signer_session.signing.codes.iter().all(is_good) {
        let app = &request.web.app;
        let sending = app.send_codes(&signer_session.session, CodePurpose::Reject, request.client());
        match sending.await {
            // Too soon after the last code: the page says how long to wait.
            Ok(()) | Err(app::Error::TooOften { .. }) => {}
            Err(app::Error::Refused(_) | app::Error::Locked { .. }) => {
                return Ok(signer_session.redirect_to_step(request, ""));
            }
            Err(error) => return Err(request.error_page(error).into()),
        }
    }
    let signer_session = signer_session.reloaded(request).await?;
    Ok(page(request, &signer_session, folio, reason, None, Vec::new()))
}

fn page(
    request: &PageRequest,
    signer_session: &SignerSession,
    folio: FolioId,
    reason: &Observation,
    confirm_error: Option<&'static str>,
    code_errors: Vec<(Channel, String)>,
) -> Response {
    let signing = &signer_session.signing;
    let Some(own) = signing.folios.iter().find(|own| own.folio.id == folio) else {
        return signer_session.redirect_to_step(request, "");
    };
    let form_state = FormState {
        code_errors,
        ..FormState::default()
    };
    let status = if form_state.is_wrong() || confirm_error.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    let page = RejectPage {
        f: request.frame(Some(&signing.company)),
        form_target: signer_session.form_target(),
        folio: (signing.folios.len() > 1).then(|| folio.to_string()),
        name: own.folio.name.to_string(),
        reason: reason.to_string(),
        confirm_error,
        act: form_state.act(request, signing),
    };
    signer_session.render_page(request, status, &page)
}
