//! Choosing a password by email: asking for the link, and following it.

use super::anonymous::AnonymousRequest;
use super::csrf_form::AnonymousForm;
use super::layout::PanelLayout;
use super::message_page::PanelMessage;
use super::sign_in::with_company;
use crate::page::{PageError, PageResult, see_other};
use app::panel::{Chosen, PasswordLink};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// The page that asks where to send the link.
#[derive(Debug, Template)]
#[template(path = "panel/password_reset.html")]
pub(crate) struct ForgottenPage {
    pub(crate) f: PanelLayout,
    /// Whether the link was just requested.
    pub(crate) sent: bool,
}

/// The page of the link.
#[derive(Debug, Template)]
#[template(path = "panel/choose_password.html")]
pub(crate) struct ResetPage {
    pub(crate) f: PanelLayout,
    pub(crate) token: String,
    pub(crate) email: String,
    pub(crate) error: Option<&'static str>,
    /// Where the person signs in by the company's identity provider instead, if at all.
    pub(crate) provider: Option<String>,
    /// Whether there is no other way.
    pub(crate) provider_only: bool,
}

/// `GET /panel/forgotten`.
pub(crate) async fn page(request: AnonymousRequest) -> Response {
    let page = ForgottenPage {
        f: request.frame(),
        sent: request.query("done").is_some(),
    };
    super::layout::render_page(StatusCode::OK, &page)
}

/// `POST /panel/forgotten`: the response is the same for known and unknown addresses.
pub(crate) async fn ask(request: AnonymousRequest, AnonymousForm(form): AnonymousForm) -> PageResult {
    let asked = request
        .web
        .app
        .request_password_reset(form.get("email"), request.address);
    asked.await.map_err(|error| request.error_page(error))?;
    Ok(see_other("/panel/forgotten?done=sent"))
}

/// `GET /panel/reset?t=…`.
pub(crate) async fn link(request: AnonymousRequest) -> PageResult {
    let token = request.query("t").unwrap_or_default();
    let opened = opened_link(&request, &token).await?;
    Ok(show(&request, token, &opened, None))
}

/// What this link opens.
async fn opened_link(request: &AnonymousRequest, token: &str) -> Result<PasswordLink, PageError> {
    let opened = request.web.app.password_link(token).await;
    let opened = opened.map_err(|error| request.error_page(error))?;
    let dead = || request.message_page(StatusCode::NOT_FOUND, PanelMessage::DeadLink);
    Ok(opened.ok_or_else(dead)?)
}

/// `POST /panel/reset`.
pub(crate) async fn choose(request: AnonymousRequest, AnonymousForm(form): AnonymousForm) -> PageResult {
    let app = &request.web.app;
    let token = form.get("t").to_owned();
    let opened = opened_link(&request, &token).await?;
    let judged = app
        .check_new_password(form.get("new"), opened.owner.clone())
        .await;
    let password = match judged.map_err(|error| request.error_page(error))? {
        Ok(password) => password,
        Err(weak) => {
            let error = request.l.weak_password(weak);
            return Ok(show(&request, token, &opened, Some(error)));
        }
    };
    let chosen = app.choose_password(&token, password, request.visitor()).await;
    Ok(match chosen.map_err(|error| request.error_page(error))? {
        Chosen::Done => see_other("/panel/sign-in?done=password"),
        Chosen::ByProvider(provider) => see_other(&with_company(provider, "")),
        Chosen::AccountExists => request.message_page(StatusCode::CONFLICT, PanelMessage::AccountExists),
        Chosen::DeadLink => request.message_page(StatusCode::NOT_FOUND, PanelMessage::DeadLink),
    })
}

fn show(
    request: &AnonymousRequest,
    token: String,
    opened: &PasswordLink,
    error: Option<&'static str>,
) -> Response {
    let way = |id| {
        let token: String = form_urlencoded::byte_serialize(token.as_bytes()).collect();
        format!("/panel/sign-in/with/{id}?t={token}")
    };
    let page = ResetPage {
        f: request.frame(),
        email: opened.owner.email.clone(),
        error,
        provider: opened.provider.map(way),
        provider_only: opened.provider_only,
        token,
    };
    let status = if error.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    super::layout::render_page(status, &page)
}
