//! A request to the panel by a signed-in user. A handler that takes [`Read`], [`Supervise`] or
//! [`Administer`] requires that role. A user who lacks the second factor that the company demands is
//! redirected to set it up, except by handlers that take [`Enrol`].

use super::cookie;
use super::frame::{Frame, Place};
use super::guest::Guest;
use super::news::News;
use crate::Web;
use crate::page::{Lang, see_other};
use app::Error;
use app::panel::{Hand, PasswordOwner, Role, Signed, User};
use askama::Template;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use jiff::tz::TimeZone;
use std::net::IpAddr;
use std::time::Duration;

/// A request of a signed-in user.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) web: Web,
    pub(crate) l: Lang,
    pub(crate) address: IpAddr,
    pub(crate) signed: Signed,
    /// The company's zone.
    pub(crate) zone: TimeZone,
    guest: Guest,
}

/// Requires a session; also of a user who has yet to set up a second factor.
#[derive(Debug)]
pub(crate) struct Enrol(pub(crate) Desk);

/// Requires a signed-in user of any role.
#[derive(Debug)]
pub(crate) struct Read(pub(crate) Desk);

/// Requires a supervisor or an administrator.
#[derive(Debug)]
pub(crate) struct Supervise(pub(crate) Desk);

/// Requires an administrator.
#[derive(Debug)]
pub(crate) struct Administer(pub(crate) Desk);

/// Where a second factor is set up.
pub(crate) const SECOND_FACTOR: &str = "/panel/account/second-factor";

/// The CSRF token of the session, stored in the request's extensions for [`super::posted::Posted`].
#[derive(Debug, Clone)]
pub(crate) struct Mark(pub(crate) String);

macro_rules! roles {
    ($($extractor:ident: $role:ident;)*) => {
        $(impl FromRequestParts<Web> for $extractor {
            type Rejection = Response;

            async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Response> {
                let desk = Desk::of(parts, web).await?;
                if desk.signed.lacks_second_factor {
                    return Err(see_other(SECOND_FACTOR));
                }
                if desk.user().role < Role::$role {
                    return Err(desk.news(StatusCode::FORBIDDEN, News::NotAllowed));
                }
                Ok(Self(desk))
            }
        })*
    };
}

roles! {
    Read: Reader;
    Supervise: Supervisor;
    Administer: Administrator;
}

impl FromRequestParts<Web> for Enrol {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Response> {
        Desk::of(parts, web).await.map(Self)
    }
}

impl Desk {
    /// The request of a signed-in user; for anyone else, the redirect to the sign-in page.
    async fn of(parts: &mut Parts, web: &Web) -> Result<Self, Response> {
        let guest = Guest::new(parts, web);
        let token = cookie::session(&parts.headers, guest.is_https()).map(str::to_owned);
        let signed = match token {
            Some(token) => web.app.panel_session(&token).await,
            None => Ok(None),
        };
        let signed = match signed {
            Ok(Some(signed)) => signed,
            Ok(None) => return Err(ask_to_sign_in(parts)),
            Err(error) => return Err(guest.trouble(error)),
        };
        parts.extensions.insert(Mark(signed.csrf.clone()));
        let zone = signed.company.timezone.as_deref();
        let zone = zone.and_then(|name| TimeZone::get(name).ok());
        Ok(Self {
            zone: zone.unwrap_or_else(|| web.settings.timezone.clone()),
            web: web.clone(),
            l: guest.l,
            address: guest.address,
            signed,
            guest,
        })
    }

    pub(crate) const fn user(&self) -> &User {
        &self.signed.user
    }

    /// Personal data that a password must not contain.
    pub(crate) fn password_owner(&self) -> PasswordOwner {
        PasswordOwner {
            email: self.user().email.clone(),
            name: self.user().name.clone(),
            company: self.signed.company.name.clone(),
        }
    }

    /// The user and address that the audit log records.
    pub(crate) fn hand(&self) -> Hand {
        Hand {
            user: self.signed.user.clone(),
            address: self.address,
        }
    }

    /// Whether browsers reach the service by https.
    pub(crate) fn is_https(&self) -> bool {
        self.guest.is_https()
    }

    /// A value of the address's query.
    pub(crate) fn query(&self, name: &str) -> Option<String> {
        self.guest.query(name)
    }

    /// The `done` parameter: the act that redirected to this page.
    pub(crate) fn done(&self) -> Option<String> {
        self.query("done")
    }

    /// The layout of a page in that section.
    pub(crate) fn frame(&self, here: Place) -> Frame {
        let administers = self.user().role == Role::Administrator;
        Frame {
            unlisted_proxy: self.web.proxies.last().filter(|_| administers),
            zone: self.zone.clone(),
            ..Frame::new(self.l, here, self.web.app.clock.now()).with(&self.signed)
        }
    }

    /// A page.
    #[allow(clippy::unused_self, reason = "reads as a sentence in handlers")]
    pub(crate) fn page(&self, page: &impl Template) -> Response {
        super::frame::answer(StatusCode::OK, page)
    }

    /// A page with errors next to its fields (422).
    #[allow(clippy::unused_self, reason = "reads as a sentence in handlers")]
    pub(crate) fn wrong(&self, page: &impl Template) -> Response {
        super::frame::answer(StatusCode::UNPROCESSABLE_ENTITY, page)
    }

    /// A redirect to a page; `?done=` in its address names the act.
    #[allow(clippy::unused_self, reason = "reads as a sentence in handlers")]
    pub(crate) fn go(&self, path: &str) -> Response {
        see_other(path)
    }

    /// The message for too many attempts, with the time to wait.
    pub(crate) fn too_often(&self, retry_after: Duration) -> String {
        format!("{} {}", self.l.too_often_lead(), self.l.wait(retry_after))
    }

    /// A message page.
    pub(crate) fn news(&self, status: StatusCode, news: News) -> Response {
        super::news::answer(self.frame(Place::Nowhere), status, news)
    }

    /// The page for a failed act. A user whose session has ended is redirected to sign in.
    pub(crate) fn trouble(&self, error: Error) -> Response {
        if matches!(error, Error::Denied) {
            return see_other("/panel/sign-in");
        }
        self.guest.trouble_in(self.frame(Place::Nowhere), error)
    }
}

/// Redirects to the sign-in page, and afterwards to the address of a `GET`. The content of a form is lost.
fn ask_to_sign_in(parts: &Parts) -> Response {
    let path = parts.uri.path_and_query().map_or("", |path| path.as_str());
    if parts.method != Method::GET || path == "/panel" {
        return see_other("/panel/sign-in");
    }
    let next: String = form_urlencoded::byte_serialize(path.as_bytes()).collect();
    see_other(&format!("/panel/sign-in?next={next}"))
}
