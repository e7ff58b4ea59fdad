//! The page on which a signer proves the contact.

use super::form_state::FormState;
use super::session::SignerSession;
use super::view::{ActView, FormTarget};
use crate::page::layout::PageLayout;
use crate::page::request::PageRequest;
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
