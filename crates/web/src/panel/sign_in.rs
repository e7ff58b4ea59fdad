//! Signing in and out.

use super::HOME;
use super::cookie;
use super::desk::Enrol;
use super::frame::Frame;
use super::guest::Guest;
use super::posted::{GuestForm, Posted};
use crate::page::see_other;
use app::Error;
use app::panel::{Entered, SignIn};
use askama::Template;
use axum::http::StatusCode;
use axum::http::header::{HeaderMap, HeaderValue, RETRY_AFTER};
use axum::response::Response;

/// Characters of an address to go on to.
const NEXT: usize = 500;

/// The page that asks for address and password.
#[derive(Debug, Template)]
#[template(path = "panel/sign_in.html")]
pub(crate) struct SignInPage {
    pub(crate) f: Frame,
    pub(crate) email: String,
    pub(crate) next: String,
    pub(crate) error: Option<String>,
}

/// The page that asks for the code.
#[derive(Debug, Template)]
#[template(path = "panel/code.html")]
pub(crate) struct CodePage {
    pub(crate) f: Frame,
    pub(crate) next: String,
    pub(crate) error: Option<String>,
}

/// `GET /panel/sign-in`.
pub(crate) async fn page(guest: Guest) -> Response {
    let l = guest.l;
    let notice = match guest.query("done").as_deref() {
        Some("out") => Some(l.signed_out()),
        Some("password") => Some(l.password_chosen()),
        Some("late") => Some(l.code_took_too_long()),
        _ => None,
    };
    let page = SignInPage {
        f: guest.frame().saying(notice),
        email: String::new(),
        next: onwards(&guest.query("next").unwrap_or_default()),
        error: None,
    };
    super::frame::answer(StatusCode::OK, &page)
}

/// `POST /panel/sign-in`.
pub(crate) async fn enter(guest: Guest, GuestForm(form): GuestForm) -> Response {
    let (email, next) = (form.get("email"), onwards(form.get("next")));
    let tried = guest
        .web
        .app
        .sign_in(email, form.get("password").to_owned(), guest.visitor());
    let wrong = |error: String| SignInPage {
        f: guest.frame(),
        email: email.chars().take(domain::limits::EMAIL).collect(),
        next: next.clone(),
        error: Some(error),
    };
    match tried.await {
        Ok(SignIn::Entered(entered)) => let_in(&guest, &entered, &next),
        Ok(SignIn::CodeWanted(halfway)) => {
            let mut answer = see_other(&with_next("/panel/sign-in/code", &next));
            cookie::keep_halfway(&mut answer, &halfway, guest.is_https());
            answer
        }
        Ok(SignIn::Wrong | SignIn::Late) => {
            let page = wrong(guest.l.wrong_password().to_owned());
            super::frame::answer(StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
        Err(Error::TooOften { retry_after }) => {
            let wait = guest.l.wait(retry_after);
            let page = wrong(format!("{} {wait}", guest.l.too_often_lead()));
            wait_a_while(
                super::frame::answer(StatusCode::TOO_MANY_REQUESTS, &page),
                retry_after,
            )
        }
        Err(error) => guest.trouble(error),
    }
}

/// `GET /panel/sign-in/code`.
pub(crate) async fn code_page(guest: Guest, headers: HeaderMap) -> Response {
    if cookie::halfway(&headers, guest.is_https()).is_none() {
        return see_other("/panel/sign-in");
    }
    let page = CodePage {
        f: guest.frame(),
        next: onwards(&guest.query("next").unwrap_or_default()),
        error: None,
    };
    super::frame::answer(StatusCode::OK, &page)
}

/// `POST /panel/sign-in/code`.
pub(crate) async fn enter_code(guest: Guest, headers: HeaderMap, GuestForm(form): GuestForm) -> Response {
    let halfway = cookie::halfway(&headers, guest.is_https()).unwrap_or_default();
    let next = onwards(form.get("next"));
    let wrong = |error: String| CodePage {
        f: guest.frame(),
        next: next.clone(),
        error: Some(error),
    };
    let tried = guest
        .web
        .app
        .finish_sign_in(halfway, form.get("code"), guest.visitor());
    match tried.await {
        Ok(SignIn::Entered(entered)) => {
            let mut answer = let_in(&guest, &entered, &next);
            cookie::forget_halfway(&mut answer, guest.is_https());
            answer
        }
        Ok(SignIn::Wrong | SignIn::CodeWanted(_)) => {
            let page = wrong(guest.l.wrong_code_panel().to_owned());
            super::frame::answer(StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
        Ok(SignIn::Late) => see_other("/panel/sign-in?done=late"),
        Err(Error::TooOften { retry_after }) => {
            let wait = guest.l.wait(retry_after);
            let page = wrong(format!("{} {wait}", guest.l.too_often_lead()));
            wait_a_while(
                super::frame::answer(StatusCode::TOO_MANY_REQUESTS, &page),
                retry_after,
            )
        }
        Err(error) => guest.trouble(error),
    }
}

/// `POST /panel/sign-out`.
pub(crate) async fn leave(Enrol(desk): Enrol, _: Posted) -> Response {
    if let Err(error) = desk.web.app.sign_out(&desk.signed, desk.hand()).await {
        return desk.trouble(error);
    }
    let mut answer = see_other("/panel/sign-in?done=out");
    cookie::forget_session(&mut answer, desk.is_https());
    answer
}

fn let_in(guest: &Guest, entered: &Entered, next: &str) -> Response {
    let mut answer = see_other(if next.is_empty() { HOME } else { next });
    cookie::keep_session(&mut answer, &entered.token, guest.is_https());
    cookie::keep_device(&mut answer, &entered.device, guest.is_https());
    answer
}

fn wait_a_while(mut answer: Response, span: std::time::Duration) -> Response {
    let seconds = HeaderValue::from(span.as_secs().max(1));
    answer.headers_mut().insert(RETRY_AFTER, seconds);
    answer
}

fn with_next(path: &str, next: &str) -> String {
    if next.is_empty() {
        return path.to_owned();
    }
    let next: String = form_urlencoded::byte_serialize(next.as_bytes()).collect();
    format!("{path}?next={next}")
}

/// The address to go to after signing in: a page of the panel, or an empty text.
fn onwards(next: &str) -> String {
    let plain = |c: char| c.is_ascii_graphic() && c != '\\';
    let ours = next == "/panel" || next.starts_with("/panel/") && !next.starts_with("/panel/sign-");
    let fits =
        ours && next.len() <= NEXT && next.chars().all(plain) && !next.contains("//") && !next.contains("..");
    if fits { next.to_owned() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::onwards;

    #[test]
    fn nobody_is_led_out_of_the_panel() {
        for good in ["/panel/folios?q=a&state=signed", "/panel"] {
            assert_eq!(onwards(good), good);
        }
        for bad in [
            "https://evil.example",
            "//evil.example",
            "/panel//evil.example",
            "/panel/../sign",
            "/panel\\evil",
            "/panelled",
            "/panel/sign-out",
            "/panel/a b",
        ] {
            assert_eq!(onwards(bad), "", "{bad}");
        }
    }
}
