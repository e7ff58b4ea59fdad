//! Proving the contact: a code is sent there and typed here. It is required before a corrected contact sees
//! the folio, and before the evidence.

use super::codes::{code_error, typed_codes};
use super::form_state::FormState;
use super::session::SignerSession;
use super::view::{ActView, FormTarget};
use crate::Web;
use crate::page::FormFields;
use crate::page::layout::PageLayout;
use crate::page::request::PageRequest;
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

impl SignerSession {
    /// By the browser's session. Where the contact has to be proved first, the error is the page that asks
    /// for the code.
    pub(crate) async fn by_session(request: &PageRequest, party: &str) -> Result<Self, Response> {
        let signer_session = Self::by_unproven_session(request, party).await?;
        if signer_session.signing.is_closed() {
            return Err(proof_page(request, &signer_session, Vec::new()));
        }
        Ok(signer_session)
    }

    /// The same with a form.
    pub(crate) async fn with_form(
        request: &PageRequest,
        body: Body,
        party: &str,
    ) -> Result<(Self, FormFields), Response> {
        let (signer_session, form) = Self::with_form_unproven(request, body, party).await?;
        if signer_session.signing.is_closed() {
            return Err(proof_page(request, &signer_session, Vec::new()));
        }
        Ok((signer_session, form))
    }
}

/// `POST /sign/{party}/proof-code`: sends the code.
pub(crate) async fn code(
    State(web): State<Web>,
    Path(party): Path<String>,
    request: Request<Body>,
) -> Response {
    let (request, body) = PageRequest::new(web, request);
    let (signer_session, _) = match SignerSession::with_form_unproven(&request, body, &party).await {
        Ok(both) => both,
        Err(response) => return response,
    };
    let app = &request.web.app;
    let sending = app.send_codes(&signer_session.session, CodePurpose::Prove, Some(request.address));
    match sending.await {
        // Too soon after the last code, or too many today: the page says how long to wait.
        Ok(()) | Err(app::Error::TooOften { .. } | app::Error::Locked { .. }) => {
            signer_session.redirect_to_step(&request, "proof")
        }
        Err(error) => request.error_page(error),
    }
}

/// `POST /sign/{party}/proof`: compares the code.
pub(crate) async fn prove(
    State(web): State<Web>,
    Path(party): Path<String>,
    request: Request<Body>,
) -> Response {
    let (request, body) = PageRequest::new(web, request);
    let (signer_session, form) = match SignerSession::with_form_unproven(&request, body, &party).await {
        Ok(both) => both,
        Err(response) => return response,
    };
    let codes = match typed_codes(&request, &signer_session, &form) {
        Ok(codes) => codes,
        Err(code_errors) => return proof_page(&request, &signer_session, code_errors),
    };
    let app = request.web.app.clone();
    match app
        .prove_contact(&signer_session.session, codes, Some(request.address))
        .await
    {
        Ok(CodeOutcome::Done(())) => signer_session.redirect_to_step(&request, ""),
        Ok(refused) => match signer_session.reloaded(&request).await {
            Ok(signer_session) => proof_page(&request, &signer_session, code_error(request.l, &refused)),
            Err(response) => response,
        },
        Err(error) => request.error_page(error),
    }
}
