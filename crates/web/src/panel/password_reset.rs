//! Choosing a password by email: asking for the link, and following it.

use super::anonymous::AnonymousRequest;
use super::csrf_form::AnonymousForm;
use super::layout::PanelLayout;
use super::message_page::PanelMessage;
use crate::page::see_other;
use app::panel::Chosen;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// The page that asks where to send the link.
#[derive(Debug, Template)]
#[template(path = "panel/forgotten.html")]
pub(crate) struct ForgottenPage {
    pub(crate) f: PanelLayout,
    /// Whether the link was just requested.
    pub(crate) sent: bool,
}

/// The page of the link.
#[derive(Debug, Template)]
#[template(path = "panel/reset.html")]
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
pub(crate) async fn ask(request: AnonymousRequest, AnonymousForm(form): AnonymousForm) -> Response {
    let asked = request
        .web
        .app
        .forgotten_password(form.get("email"), request.address);
    match asked.await {
        Ok(()) => see_other("/panel/forgotten?done=sent"),
        Err(error) => request.error_page(error),
    }
}

/// `GET /panel/reset?t=…`.
pub(crate) async fn link(request: AnonymousRequest) -> Response {
    let token = request.query("t").unwrap_or_default();
    match request.web.app.password_link(&token).await {
        Ok(Some(owner)) => show(&request, token, owner.email, None),
        Ok(None) => request.message_page(StatusCode::NOT_FOUND, PanelMessage::DeadLink),
        Err(error) => request.error_page(error),
    }
}

/// `POST /panel/reset`.
pub(crate) async fn choose(request: AnonymousRequest, AnonymousForm(form): AnonymousForm) -> Response {
    let app = &request.web.app;
    let token = form.get("t").to_owned();
    let owner = match app.password_link(&token).await {
        Ok(Some(owner)) => owner,
        Ok(None) => return request.message_page(StatusCode::NOT_FOUND, PanelMessage::DeadLink),
        Err(error) => return request.error_page(error),
    };
    let email = owner.email.clone();
    let password = match app.check_new_password(form.get("new"), owner).await {
        Err(error) => return request.error_page(error),
        Ok(Ok(password)) => password,
        Ok(Err(weak)) => {
            let error = request.l.weak_password(weak);
            return show(&request, token, email, Some(error));
        }
    };
    match app.choose_password(&token, password, request.visitor()).await {
        Ok(Chosen::Done) => see_other("/panel/sign-in?done=password"),
        Ok(Chosen::AccountExists) => request.message_page(StatusCode::CONFLICT, PanelMessage::AccountExists),
        Ok(Chosen::DeadLink) => request.message_page(StatusCode::NOT_FOUND, PanelMessage::DeadLink),
        Err(error) => request.error_page(error),
    }
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
