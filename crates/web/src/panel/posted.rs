//! Extractors of the panel's forms. A form from another site, or without the session's CSRF token, is
//! refused.

use super::desk::Mark;
use super::guest::Guest;
use super::news::News;
use crate::Web;
use crate::page::{Form, is_from_here};
use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::Response;

/// Bytes of a form: long texts, many boxes, no files.
const FORM: usize = 64 << 10;

/// A form of a signed-in user. It comes after the role in a handler's signature; without one, every form is
/// refused.
#[derive(Debug)]
pub(crate) struct Posted(pub(crate) Form);

/// A form without a session.
#[derive(Debug)]
pub(crate) struct GuestForm(pub(crate) Form);

impl FromRequest<Web> for Posted {
    type Rejection = Response;

    async fn from_request(request: Request, web: &Web) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        let guest = Guest::new(&parts, web);
        let mark = parts.extensions.get::<Mark>().map(|mark| mark.0.clone());
        let refused = || guest.news(StatusCode::FORBIDDEN, News::ForeignForm);
        if !is_from_here(web, &parts.headers, false) {
            return Err(refused());
        }
        let form = read(web, body, &guest).await?;
        if mark.is_none_or(|mark| mark != form.get("csrf")) {
            return Err(refused());
        }
        Ok(Self(form))
    }
}

impl FromRequest<Web> for GuestForm {
    type Rejection = Response;

    async fn from_request(request: Request, web: &Web) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        let guest = Guest::new(&parts, web);
        if !is_from_here(web, &parts.headers, false) {
            return Err(guest.news(StatusCode::FORBIDDEN, News::ForeignForm));
        }
        read(web, body, &guest).await.map(Self)
    }
}

async fn read(web: &Web, body: Body, guest: &Guest) -> Result<Form, Response> {
    let form = Form::read(web, body, FORM).await;
    form.ok_or_else(|| guest.news(StatusCode::BAD_REQUEST, News::ForeignForm))
}
