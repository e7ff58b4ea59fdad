//! A request to the panel by a signed-in user. A handler that takes [`RequireReader`], [`RequireSupervisor`] or
//! [`RequireAdministrator`] requires that role. A user who lacks the second factor that the company demands is
//! redirected to set it up, except by handlers that take [`RequireSignedIn`].

use super::anonymous::AnonymousRequest;
use super::cookies;
use super::layout::{PanelLayout, Section};
use super::message_page::PanelMessage;
use crate::Web;
use crate::page::{PanelLang, see_other};
use app::Error;
use app::panel::{PanelActor, PanelSession, PasswordOwner, Role, User};
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
pub(crate) struct PanelRequest {
    pub(crate) web: Web,
    pub(crate) l: PanelLang,
    pub(crate) address: IpAddr,
    pub(crate) session: PanelSession,
    /// The company's zone.
    pub(crate) zone: TimeZone,
    anonymous: AnonymousRequest,
}

/// Requires a session; also of a user who has yet to set up a second factor.
#[derive(Debug)]
pub(crate) struct RequireSignedIn(pub(crate) PanelRequest);

/// Requires a signed-in user of any role.
#[derive(Debug)]
pub(crate) struct RequireReader(pub(crate) PanelRequest);

/// Requires a supervisor or an administrator.
#[derive(Debug)]
pub(crate) struct RequireSupervisor(pub(crate) PanelRequest);

/// Requires an administrator.
#[derive(Debug)]
pub(crate) struct RequireAdministrator(pub(crate) PanelRequest);

/// Where a second factor is set up.
pub(crate) const SECOND_FACTOR: &str = "/panel/account/second-factor";

/// The CSRF token of the session, stored in the request's extensions for [`super::csrf_form::CsrfForm`].
#[derive(Debug, Clone)]
pub(crate) struct CsrfToken(pub(crate) String);

macro_rules! roles {
    ($($extractor:ident: $role:ident;)*) => {
        $(impl FromRequestParts<Web> for $extractor {
            type Rejection = Response;

            async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Response> {
                let request = PanelRequest::of(parts, web).await?;
                if request.session.lacks_second_factor {
                    return Err(see_other(SECOND_FACTOR));
                }
                if request.user().role < Role::$role {
                    return Err(request.message_page(StatusCode::FORBIDDEN, PanelMessage::NotAllowed));
                }
                Ok(Self(request))
            }
        })*
    };
}

roles! {
    RequireReader: Reader;
    RequireSupervisor: Supervisor;
    RequireAdministrator: Administrator;
}

impl FromRequestParts<Web> for RequireSignedIn {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Response> {
        PanelRequest::of(parts, web).await.map(Self)
    }
}

impl PanelRequest {
    /// The request of a signed-in user; for anyone else, the redirect to the sign-in page.
    async fn of(parts: &mut Parts, web: &Web) -> Result<Self, Response> {
        let anonymous = AnonymousRequest::new(parts, web);
        let token = cookies::session(&parts.headers, anonymous.is_https()).map(str::to_owned);
        let signed = match token {
            Some(token) => web.app.panel_session(&token).await,
            None => Ok(None),
        };
        let signed = signed.map_err(|error| anonymous.error_page(error))?;
        let signed = signed.ok_or_else(|| ask_to_sign_in(parts))?;
        parts.extensions.insert(CsrfToken(signed.csrf.clone()));
        let mut anonymous = anonymous;
        let own = signed.user.language.map(|language| language.code());
        anonymous.l = own.and_then(PanelLang::from_code).unwrap_or(anonymous.l);
        let zone = signed.company.timezone.as_deref();
        let zone = zone.and_then(|name| TimeZone::get(name).ok());
        Ok(Self {
            zone: zone.unwrap_or_else(|| web.settings.timezone.clone()),
            web: web.clone(),
            l: anonymous.l,
            address: anonymous.address,
            session: signed,
            anonymous,
        })
    }

    pub(crate) const fn user(&self) -> &User {
        &self.session.user
    }

    /// Personal data that a password must not contain.
    pub(crate) fn password_owner(&self) -> PasswordOwner {
        PasswordOwner {
            email: self.user().email.clone(),
            name: self.user().name.clone(),
            company: self.session.company.name.clone(),
        }
    }

    /// The user and address that the audit log records.
    pub(crate) fn actor(&self) -> PanelActor {
        PanelActor {
            user: self.session.user.clone(),
            address: self.address,
        }
    }

    /// Whether browsers reach the service by https.
    pub(crate) fn is_https(&self) -> bool {
        self.anonymous.is_https()
    }

    /// A value of the address's query.
    pub(crate) fn query(&self, name: &str) -> Option<String> {
        self.anonymous.query(name)
    }

    /// The `done` parameter: the act that redirected to this page.
    pub(crate) fn done(&self) -> Option<String> {
        self.query("done")
    }

    /// The layout of a page in that section.
    pub(crate) fn frame(&self, here: Section) -> PanelLayout {
        let administers = self.user().role == Role::Administrator;
        PanelLayout {
            unlisted_proxy: self.web.proxies.last().filter(|_| administers),
            own_timestamps: here == Section::Company && self.web.app.notary.stamps_time_itself(),
            zone: self.zone.clone(),
            back: self.anonymous.back().to_owned(),
            ..PanelLayout::new(self.l, here, self.web.app.clock.now()).with(&self.session)
        }
    }

    /// A page.
    #[allow(clippy::unused_self, reason = "reads as a sentence in handlers")]
    pub(crate) fn page(&self, page: &impl Template) -> Response {
        super::layout::render_page(StatusCode::OK, page)
    }

    /// A page with errors next to its fields (422).
    #[allow(clippy::unused_self, reason = "reads as a sentence in handlers")]
    pub(crate) fn page_with_errors(&self, page: &impl Template) -> Response {
        super::layout::render_page(StatusCode::UNPROCESSABLE_ENTITY, page)
    }

    /// A redirect to a page; `?done=` in its address names the act.
    #[allow(clippy::unused_self, reason = "reads as a sentence in handlers")]
    pub(crate) fn redirect(&self, path: &str) -> Response {
        see_other(path)
    }

    /// The message for too many attempts, with the time to wait.
    pub(crate) fn too_often(&self, retry_after: Duration) -> String {
        format!("{} {}", self.l.too_often_lead(), self.l.wait(retry_after))
    }

    /// A message page.
    pub(crate) fn message_page(&self, status: StatusCode, message: PanelMessage) -> Response {
        super::message_page::message_response(self.frame(Section::Nowhere), status, message)
    }

    /// The page for a failed act. A user whose session has ended is redirected to sign in.
    pub(crate) fn error_page(&self, error: Error) -> Response {
        if matches!(error, Error::Denied) {
            return see_other("/panel/sign-in");
        }
        self.anonymous.error_page_in(self.frame(Section::Nowhere), error)
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
