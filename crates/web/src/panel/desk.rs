//! Somebody at the panel: the request, who sent it, and what pages show around themselves. A handler that takes
//! [`Read`], [`Supervise`] or [`Administer`] says by it who may call it. A person who lacks the second factor that the
//! company demands is led to set it up, from wherever [`Enrol`] is not taken.

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

/// A person who is signed in, with a request.
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

/// A person who is signed in, also one who has yet to set up the second factor that the company demands.
#[derive(Debug)]
pub(crate) struct Enrol(pub(crate) Desk);

/// Whoever is signed in.
#[derive(Debug)]
pub(crate) struct Read(pub(crate) Desk);

/// A supervisor or an administrator.
#[derive(Debug)]
pub(crate) struct Supervise(pub(crate) Desk);

/// An administrator.
#[derive(Debug)]
pub(crate) struct Administer(pub(crate) Desk);

/// Where a second factor is set up.
pub(crate) const SECOND_FACTOR: &str = "/panel/account/second-factor";

/// What forms of the session must carry; left in the request for [`super::posted::Posted`].
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
    /// The person, if signed in; otherwise the answer.
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

    /// What others know of the person, by which a password is judged.
    pub(crate) fn password_owner(&self) -> PasswordOwner {
        PasswordOwner {
            email: self.user().email.clone(),
            name: self.user().name.clone(),
            company: self.signed.company.name.clone(),
        }
    }

    /// Whose hand acts, for the acts that are written down.
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

    /// What was done a moment ago, by a word that the page before put into the address.
    pub(crate) fn done(&self) -> Option<String> {
        self.query("done")
    }

    /// What a page of that place has around it.
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

    /// A page again, with what is wrong next to its field.
    #[allow(clippy::unused_self, reason = "reads as a sentence in handlers")]
    pub(crate) fn wrong(&self, page: &impl Template) -> Response {
        super::frame::answer(StatusCode::UNPROCESSABLE_ENTITY, page)
    }

    /// On to a page, by `GET`; what was done stands in its address as `?done=`.
    #[allow(clippy::unused_self, reason = "reads as a sentence in handlers")]
    pub(crate) fn go(&self, path: &str) -> Response {
        see_other(path)
    }

    /// That there were too many tries, and how long to wait.
    pub(crate) fn too_often(&self, retry_after: Duration) -> String {
        format!("{} {}", self.l.too_often_lead(), self.l.wait(retry_after))
    }

    /// A page that says one thing.
    pub(crate) fn news(&self, status: StatusCode, news: News) -> Response {
        super::news::answer(self.frame(Place::Nowhere), status, news)
    }

    /// What an act that was not done comes to, where the page has nothing better to say. Whose session ended meanwhile
    /// signs in again.
    pub(crate) fn trouble(&self, error: Error) -> Response {
        if matches!(error, Error::Denied) {
            return see_other("/panel/sign-in");
        }
        self.guest.trouble_in(self.frame(Place::Nowhere), error)
    }
}

/// To the sign-in page, and back to where a link led; a form is lost, and leads to the beginning.
fn ask_to_sign_in(parts: &Parts) -> Response {
    let path = parts.uri.path_and_query().map_or("", |path| path.as_str());
    if parts.method != Method::GET || path == "/panel" {
        return see_other("/panel/sign-in");
    }
    let next: String = form_urlencoded::byte_serialize(path.as_bytes()).collect();
    see_other(&format!("/panel/sign-in?next={next}"))
}
