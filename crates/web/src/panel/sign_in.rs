//! Signing in and out.

use super::anonymous::AnonymousRequest;
use super::auth::RequireSignedIn;
use super::cookies;
use super::csrf_form::{AnonymousForm, CsrfForm};
use super::layout::PanelLayout;
use super::{HOME, is_panel_path};
use crate::page::{PageResult, see_other};
use app::Error;
use app::panel::{Entered, SignIn};
use askama::Template;
use axum::http::StatusCode;
use axum::http::header::{HeaderMap, HeaderValue, RETRY_AFTER};
use axum::response::Response;

/// The page that asks for address and password.
#[derive(Debug, Template)]
#[template(path = "panel/sign_in.html")]
pub(crate) struct SignInPage {
    pub(crate) f: PanelLayout,
    pub(crate) email: String,
    pub(crate) next: String,
    pub(crate) error: Option<String>,
    /// The company whose people signed in here before by its identity provider, or were sent here.
    pub(crate) company: Option<CompanyButton>,
    /// Whether there is no other way for the person.
    pub(crate) sent_here: bool,
}

/// The way to a company's own sign-in.
#[derive(Debug)]
pub(crate) struct CompanyButton {
    pub(crate) name: String,
    pub(crate) address: String,
}

/// The company that the address or the browser names, if people sign in by its identity provider.
async fn company_button(
    request: &AnonymousRequest,
    headers: &HeaderMap,
    next: &str,
) -> Result<Option<CompanyButton>, Error> {
    let named = request.query("company");
    let named = named
        .as_deref()
        .or_else(|| cookies::company(headers, request.is_https()));
    let Some(id) = named.and_then(|named| named.parse().ok()) else {
        return Ok(None);
    };
    let found = request.web.app.sign_in_company(id).await?;
    Ok(found.map(|company| CompanyButton {
        name: company.name,
        address: with_next(&format!("/panel/sign-in/with/{}", company.provider), next),
    }))
}

/// The page that asks for the code.
#[derive(Debug, Template)]
#[template(path = "panel/code.html")]
pub(crate) struct CodePage {
    pub(crate) f: PanelLayout,
    pub(crate) next: String,
    pub(crate) error: Option<String>,
}

/// `GET /panel/sign-in`.
pub(crate) async fn page(request: AnonymousRequest, headers: HeaderMap) -> PageResult {
    let l = request.l;
    let notice = match request.query("done").as_deref() {
        Some("out") => Some(l.signed_out()),
        Some("password") => Some(l.password_chosen()),
        Some("late") => Some(l.code_took_too_long()),
        _ => None,
    };
    let next = safe_next(&request.query("next").unwrap_or_default());
    let company = company_button(&request, &headers, &next).await;
    let page = SignInPage {
        f: request.frame().with_notice(notice),
        email: String::new(),
        company: company.map_err(|error| request.error_page(error))?,
        sent_here: request.query("only").is_some(),
        next,
        error: None,
    };
    Ok(super::layout::render_page(StatusCode::OK, &page))
}

/// `POST /panel/sign-in`.
pub(crate) async fn enter(request: AnonymousRequest, AnonymousForm(form): AnonymousForm) -> PageResult {
    let (email, next) = (form.get("email"), safe_next(form.get("next")));
    let tried = request
        .web
        .app
        .sign_in(email, form.get("password").to_owned(), request.visitor());
    let wrong = |error: String| SignInPage {
        f: request.frame(),
        email: email.chars().take(domain::limits::EMAIL).collect(),
        next: next.clone(),
        error: Some(error),
        company: None,
        sent_here: false,
    };
    match tried.await {
        Ok(SignIn::ByProvider(provider)) => Ok(see_other(&with_company(provider, &next))),
        Ok(SignIn::Entered(entered)) => Ok(signed_in_response(&request, &entered, &next)),
        Ok(SignIn::CodeWanted(halfway)) => {
            let mut response = see_other(&with_next("/panel/sign-in/code", &next));
            cookies::set_halfway(&mut response, &halfway, request.is_https());
            Ok(response)
        }
        Ok(SignIn::Wrong | SignIn::Expired) => {
            let page = wrong(request.l.wrong_password().to_owned());
            Ok(super::layout::render_page(
                StatusCode::UNPROCESSABLE_ENTITY,
                &page,
            ))
        }
        Err(Error::TooOften { retry_after }) => {
            let wait = request.l.wait(retry_after);
            let page = wrong(format!("{} {wait}", request.l.too_often_lead()));
            Ok(with_retry_after(
                super::layout::render_page(StatusCode::TOO_MANY_REQUESTS, &page),
                retry_after,
            ))
        }
        Err(error) => Err(request.error_page(error).into()),
    }
}

/// `GET /panel/sign-in/code`.
pub(crate) async fn code_page(request: AnonymousRequest, headers: HeaderMap) -> Response {
    if cookies::halfway(&headers, request.is_https()).is_none() {
        return see_other("/panel/sign-in");
    }
    let page = CodePage {
        f: request.frame(),
        next: safe_next(&request.query("next").unwrap_or_default()),
        error: None,
    };
    super::layout::render_page(StatusCode::OK, &page)
}

/// `POST /panel/sign-in/code`.
pub(crate) async fn enter_code(
    request: AnonymousRequest,
    headers: HeaderMap,
    AnonymousForm(form): AnonymousForm,
) -> PageResult {
    let halfway = cookies::halfway(&headers, request.is_https()).unwrap_or_default();
    let next = safe_next(form.get("next"));
    let wrong = |error: String| CodePage {
        f: request.frame(),
        next: next.clone(),
        error: Some(error),
    };
    let tried = request
        .web
        .app
        .finish_sign_in(halfway, form.get("code"), request.visitor());
    match tried.await {
        Ok(SignIn::Entered(entered)) => {
            let mut response = signed_in_response(&request, &entered, &next);
            cookies::remove_halfway(&mut response, request.is_https());
            Ok(response)
        }
        Ok(SignIn::Wrong | SignIn::CodeWanted(_) | SignIn::ByProvider(_)) => {
            let page = wrong(request.l.wrong_code_panel().to_owned());
            Ok(super::layout::render_page(
                StatusCode::UNPROCESSABLE_ENTITY,
                &page,
            ))
        }
        Ok(SignIn::Expired) => Ok(see_other("/panel/sign-in?done=late")),
        Err(Error::TooOften { retry_after }) => {
            let wait = request.l.wait(retry_after);
            let page = wrong(format!("{} {wait}", request.l.too_often_lead()));
            Ok(with_retry_after(
                super::layout::render_page(StatusCode::TOO_MANY_REQUESTS, &page),
                retry_after,
            ))
        }
        Err(error) => Err(request.error_page(error).into()),
    }
}

/// `POST /panel/sign-out`.
pub(crate) async fn leave(RequireSignedIn(request): RequireSignedIn, _: CsrfForm) -> PageResult {
    let ended = request.web.app.sign_out(&request.session, request.actor()).await;
    ended.map_err(|error| request.error_page(error))?;
    let mut response = see_other("/panel/sign-in?done=out");
    cookies::remove_session(&mut response, request.is_https());
    Ok(response)
}

pub(super) fn signed_in_response(request: &AnonymousRequest, entered: &Entered, next: &str) -> Response {
    let mut response = see_other(if next.is_empty() { HOME } else { next });
    cookies::set_session(&mut response, &entered.token, request.is_https());
    cookies::set_device(&mut response, &entered.device, request.is_https());
    response
}

fn with_retry_after(mut response: Response, span: std::time::Duration) -> Response {
    let seconds = HeaderValue::from(span.as_secs().max(1));
    response.headers_mut().insert(RETRY_AFTER, seconds);
    response
}

pub(super) fn with_next(path: &str, next: &str) -> String {
    if next.is_empty() {
        return path.to_owned();
    }
    let next: String = form_urlencoded::byte_serialize(next.as_bytes()).collect();
    format!("{path}?next={next}")
}

/// The sign-in page that names a company's own way in. A form cannot lead to another site: the person presses a link.
pub(super) fn with_company(provider: domain::ProviderId, next: &str) -> String {
    let next: String = form_urlencoded::byte_serialize(next.as_bytes()).collect();
    format!("/panel/sign-in?company={provider}&only=yes&next={next}")
}

/// The address to go to after signing in: a page of the panel, or an empty text.
pub(super) fn safe_next(next: &str) -> String {
    if is_panel_path(next) && !next.starts_with("/panel/sign-") {
        next.to_owned()
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::safe_next;

    #[test]
    fn a_redirect_never_leaves_the_panel() {
        for good in ["/panel/folios?q=a&state=signed", "/panel"] {
            assert_eq!(safe_next(good), good);
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
            assert_eq!(safe_next(bad), "", "{bad}");
        }
    }
}
