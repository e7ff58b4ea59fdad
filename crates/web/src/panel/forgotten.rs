//! Choosing a password by email: asking for the link, and following it.

use super::frame::Frame;
use super::guest::Guest;
use super::news::News;
use super::posted::GuestForm;
use crate::page::see_other;
use app::panel::Chosen;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

/// The page that asks where to send the link.
#[derive(Debug, Template)]
#[template(path = "panel/forgotten.html")]
pub(crate) struct ForgottenPage {
    pub(crate) f: Frame,
    /// Whether the link was just requested.
    pub(crate) sent: bool,
}

/// The page of the link.
#[derive(Debug, Template)]
#[template(path = "panel/reset.html")]
pub(crate) struct ResetPage {
    pub(crate) f: Frame,
    pub(crate) token: String,
    pub(crate) email: String,
    pub(crate) error: Option<&'static str>,
}

/// `GET /panel/forgotten`.
pub(crate) async fn page(guest: Guest) -> Response {
    let page = ForgottenPage {
        f: guest.frame(),
        sent: guest.query("done").is_some(),
    };
    super::frame::answer(StatusCode::OK, &page)
}

/// `POST /panel/forgotten`: the response is the same for known and unknown addresses.
pub(crate) async fn ask(guest: Guest, GuestForm(form): GuestForm) -> Response {
    let asked = guest.web.app.forgotten_password(form.get("email"), guest.address);
    match asked.await {
        Ok(()) => see_other("/panel/forgotten?done=sent"),
        Err(error) => guest.trouble(error),
    }
}

/// `GET /panel/reset?t=…`.
pub(crate) async fn link(guest: Guest) -> Response {
    let token = guest.query("t").unwrap_or_default();
    match guest.web.app.password_link(&token).await {
        Ok(Some(owner)) => show(&guest, token, owner.email, None),
        Ok(None) => guest.news(StatusCode::NOT_FOUND, News::DeadLink),
        Err(error) => guest.trouble(error),
    }
}

/// `POST /panel/reset`.
pub(crate) async fn choose(guest: Guest, GuestForm(form): GuestForm) -> Response {
    let app = &guest.web.app;
    let token = form.get("t").to_owned();
    let owner = match app.password_link(&token).await {
        Ok(Some(owner)) => owner,
        Ok(None) => return guest.news(StatusCode::NOT_FOUND, News::DeadLink),
        Err(error) => return guest.trouble(error),
    };
    let email = owner.email.clone();
    let password = match app.judge_new_password(form.get("new"), owner).await {
        Err(error) => return guest.trouble(error),
        Ok(Ok(password)) => password,
        Ok(Err(weak)) => {
            let error = guest.l.weak_password(weak);
            return show(&guest, token, email, Some(error));
        }
    };
    match app.choose_password(&token, password, guest.visitor()).await {
        Ok(Chosen::Done) => see_other("/panel/sign-in?done=password"),
        Ok(Chosen::AccountExists) => guest.news(StatusCode::CONFLICT, News::AccountExists),
        Ok(Chosen::DeadLink) => guest.news(StatusCode::NOT_FOUND, News::DeadLink),
        Err(error) => guest.trouble(error),
    }
}

fn show(guest: &Guest, token: String, email: String, error: Option<&'static str>) -> Response {
    let page = ResetPage {
        f: guest.frame(),
        token,
        email,
        error,
    };
    let status = if error.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    super::frame::answer(status, &page)
}
