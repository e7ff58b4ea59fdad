//! Extractors of the panel's forms. A form from another site, or without the session's CSRF token, is
//! refused.

use super::anonymous::AnonymousRequest;
use super::auth::CsrfToken;
use super::message_page::PanelMessage;
use crate::Web;
use crate::page::{FormFields, is_same_origin};
use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::Response;

/// Bytes of a form: long texts, many boxes, no files.
const MAX_FORM_BYTES: usize = 64 << 10;

/// A form of a signed-in user. It comes after the role in a handler's signature; without one, every form is
/// refused.
#[derive(Debug)]
pub(crate) struct CsrfForm(pub(crate) FormFields);

/// A form without a session.
#[derive(Debug)]
pub(crate) struct AnonymousForm(pub(crate) FormFields);

impl FromRequest<Web> for CsrfForm {
    type Rejection = Response;

    async fn from_request(request: Request, web: &Web) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        let request = AnonymousRequest::new(&parts, web);
        let csrf_token = parts
            .extensions
            .get::<CsrfToken>()
            .map(|csrf_token| csrf_token.0.clone());
        let refused = || request.message_page(StatusCode::FORBIDDEN, PanelMessage::ForeignForm);
        if !is_same_origin(web, &parts.headers, false) {
            return Err(refused());
        }
        let form = read(web, body, &request).await?;
        if csrf_token.is_none_or(|csrf_token| csrf_token != form.get("csrf")) {
            return Err(refused());
        }
        Ok(Self(form))
    }
}

impl FromRequest<Web> for AnonymousForm {
    type Rejection = Response;

    async fn from_request(request: Request, web: &Web) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        let request = AnonymousRequest::new(&parts, web);
        if !is_same_origin(web, &parts.headers, false) {
            return Err(request.message_page(StatusCode::FORBIDDEN, PanelMessage::ForeignForm));
        }
        read(web, body, &request).await.map(Self)
    }
}

async fn read(web: &Web, body: Body, request: &AnonymousRequest) -> Result<FormFields, Response> {
    let form = FormFields::read(web, body, MAX_FORM_BYTES).await;
    form.ok_or_else(|| request.message_page(StatusCode::BAD_REQUEST, PanelMessage::ForeignForm))
}
