//! Choosing a password by email: asking for the link, and following it.

use super::anonymous::AnonymousRequest;
use super::csrf_form::AnonymousForm;
use super::layout::PanelLayout;
use super::message_page::PanelMessage;
use crate::page::{PageError, PageResult, see_other};
use app::panel::{Chosen, PasswordOwner};
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
    let owner = link_owner(&request, &token).await?;
    Ok(show(&request, token, owner.email, None))
}

/// The user who may choose a password by this link.
async fn link_owner(request: &AnonymousRequest, token: &str) -> Result<PasswordOwner, PageError> {
    let owner = request.web.app.password_link(token).await;
    let owner = owner.map_err(|error| request.error_page(error))?;
    let dead = || request.message_page(StatusCode::NOT_FOUND, PanelMessage::DeadLink);
    Ok(owner.ok_or_else(dead)?)
}

/// `POST /panel/reset`.
pub(crate) async fn choose(request: AnonymousRequest, AnonymousForm(form): AnonymousForm) -> PageResult {
    let app = &request.web.app;
    let token = form.get("t").to_owned();
    let owner = link_owner(&request, &token).await?;
    let email = owner.email.clone();
    let judged = app.check_new_password(form.get("new"), owner).await;
    let password = match judged.map_err(|error| request.error_page(error))? {
        Ok(password) => password,
        Err(weak) => {
            let error = request.l.weak_password(weak);
            return Ok(show(&request, token, email, Some(error)));
        }
    };
    let chosen = app.choose_password(&token, password, request.visitor()).await;
    Ok(match chosen.map_err(|error| request.error_page(error))? {
        Chosen::Done => see_other("/panel/sign-in?done=password"),
        Chosen::AccountExists => request.message_page(StatusCode::CONFLICT, PanelMessage::AccountExists),
        Chosen::DeadLink => request.message_page(StatusCode::NOT_FOUND, PanelMessage::DeadLink),
    })
}

fn show(request: &AnonymousRequest, token: String, email: String, error: Option<&'static str>) -> Response {
    let page = ResetPage {
        f: request.frame(),
        token,
        email,
        error,
    };
    let status = if error.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    super::layout::render_page(status, &page)
}
