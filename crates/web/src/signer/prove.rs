//! Proving the contact: a code is sent there and typed here. It is required before a corrected contact sees
//! the folio, and before the evidence.

use super::auth::UnprovenSignerForm;
use super::codes::{code_error, typed_codes};
use super::form_state::FormState;
use super::session::SignerSession;
use super::view::{ActView, FormTarget};
use crate::page::PageResult;
use crate::page::layout::PageLayout;
use crate::page::request::PageRequest;
use app::{CodeOutcome, CodePurpose};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use domain::Channel;

/// The page that asks for the code. It says nothing of the folio.
#[derive(Debug, Template)]
#[template(path = "signer/prove.html")]
pub(crate) struct ProvePage {
    pub(crate) f: PageLayout,
    pub(crate) form_target: FormTarget,
    pub(crate) act: ActView,
}

/// The page, with the errors of the code fields.
pub(crate) fn proof_page(
    request: &PageRequest,
    signer_session: &SignerSession,
    code_errors: Vec<(Channel, String)>,
) -> Response {
    let form_state = FormState {
        code_errors,
        ..FormState::default()
    };
    let status = if form_state.is_wrong() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    let page = ProvePage {
        f: request.frame(Some(&signer_session.signing.company)),
        form_target: signer_session.form_target(),
        act: form_state.act(request, &signer_session.signing),
    };
    signer_session.render_page(request, status, &page)
}

/// `POST /sign/{party}/proof-code`: sends the code.
pub(crate) async fn code(
    UnprovenSignerForm {
        request,
        signer_session,
        ..
    }: UnprovenSignerForm,
) -> PageResult {
    let app = &request.web.app;
    let sending = app.send_codes(&signer_session.session, CodePurpose::Prove, Some(request.address));
    match sending.await {
        // Too soon after the last code, or too many today: the page says how long to wait.
        Ok(()) | Err(app::Error::TooOften { .. } | app::Error::Locked { .. }) => {
            Ok(signer_session.redirect_to_step(&request, "proof"))
        }
        Err(error) => Err(request.error_page(error).into()),
    }
}

/// `POST /sign/{party}/proof`: compares the code.
pub(crate) async fn prove(
    UnprovenSignerForm {
        request,
        signer_session,
        form,
    }: UnprovenSignerForm,
) -> PageResult {
    let codes = typed_codes(&request, &signer_session, &form)
        .map_err(|code_errors| proof_page(&request, &signer_session, code_errors))?;
    let app = &request.web.app;
    let proved = app.prove_contact(&signer_session.session, codes, Some(request.address));
    let proved = proved.await.map_err(|error| request.error_page(error))?;
    if let CodeOutcome::Done(()) = proved {
        return Ok(signer_session.redirect_to_step(&request, ""));
    }
    let signer_session = signer_session.reloaded(&request).await?;
    Ok(proof_page(
        &request,
        &signer_session,
        code_error(request.l, &proved),
    ))
}
