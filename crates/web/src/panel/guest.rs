//! A request to the panel without a session.

use super::HOME;
use super::cookie;
use super::desk::Read;
use super::frame::{Frame, Place};
use super::news::{self, News};
use crate::Web;
use crate::page::{Lang, see_other};
use crate::request_id::RequestId;
use app::Error;
use app::panel::Visitor;
use axum::body::Body;
use axum::extract::{FromRequestParts, State};
use axum::http::header::{HeaderValue, RETRY_AFTER, USER_AGENT};
use axum::http::request::Parts;
use axum::http::{Request, StatusCode, Uri};
use axum::response::Response;
use std::convert::Infallible;
use std::net::IpAddr;

/// A request that may come from anyone.
#[derive(Debug)]
pub(crate) struct Guest {
    pub(crate) web: Web,
    pub(crate) l: Lang,
    pub(crate) address: IpAddr,
    uri: Uri,
    agent: String,
    device: Option<String>,
    id: RequestId,
}

impl FromRequestParts<Web> for Guest {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Infallible> {
        Ok(Self::new(parts, web))
    }
}

/// `GET /panel`.
pub(crate) async fn home(_: Read) -> Response {
    see_other(HOME)
}

/// Any other address under `/panel`.
pub(crate) async fn not_found(State(web): State<Web>, request: Request<Body>) -> Response {
    let (parts, _) = request.into_parts();
    Guest::new(&parts, &web).news(StatusCode::NOT_FOUND, News::NotFound)
}

impl Guest {
    pub(crate) fn new(parts: &Parts, web: &Web) -> Self {
        let agent = parts
            .headers
            .get(USER_AGENT)
            .and_then(|value| value.to_str().ok());
        let https = web.settings.base_url.starts_with("https:");
        Self {
            l: Lang::of(&parts.headers),
            address: web.settings.trusted_proxies.of_parts(parts),
            uri: parts.uri.clone(),
            agent: agent.unwrap_or_default().to_owned(),
            device: cookie::device(&parts.headers, https).map(str::to_owned),
            id: RequestId::of_parts(parts),
            web: web.clone(),
        }
    }

    /// Whether browsers reach the service by https.
    pub(crate) fn is_https(&self) -> bool {
        self.web.settings.base_url.starts_with("https:")
    }

    pub(crate) fn visitor(&self) -> Visitor {
        Visitor {
            address: self.address,
            agent: self.agent.clone(),
            device: self.device.clone(),
        }
    }

    /// A value of the address's query.
    pub(crate) fn query(&self, name: &str) -> Option<String> {
        let query = self.uri.query().unwrap_or_default();
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.into_owned())
    }

    pub(crate) fn frame(&self) -> Frame {
        let zone = self.web.settings.timezone.clone();
        Frame {
            zone,
            ..Frame::new(self.l, Place::Nowhere, self.web.app.clock.now())
        }
    }

    /// A page that says one thing.
    pub(crate) fn news(&self, status: StatusCode, news: News) -> Response {
        news::answer(self.frame(), status, news)
    }

    pub(crate) fn trouble(&self, error: Error) -> Response {
        self.trouble_in(self.frame(), error)
    }

    /// The page for a failed act.
    pub(super) fn trouble_in(&self, frame: Frame, error: Error) -> Response {
        match error {
            Error::NotFound | Error::Foreign | Error::Denied => {
                news::answer(frame, StatusCode::NOT_FOUND, News::NotFound)
            }
            Error::TooOften { retry_after } => {
                let news = News::TooOften(self.l.wait(retry_after));
                let seconds = HeaderValue::from(retry_after.as_secs().max(1));
                later(news::answer(frame, StatusCode::TOO_MANY_REQUESTS, news), seconds)
            }
            Error::Overloaded => {
                let answer = news::answer(frame, StatusCode::SERVICE_UNAVAILABLE, News::Overloaded);
                later(answer, HeaderValue::from_static("2"))
            }
            Error::Refused(_)
            | Error::Locked { .. }
            | Error::SessionOver
            | Error::Unproven
            | Error::Unfit(_)
            | Error::KeyReused => news::answer(frame, StatusCode::CONFLICT, News::Refused),
            Error::BrokenHistory => {
                news::answer(frame, StatusCode::INTERNAL_SERVER_ERROR, News::BrokenHistory)
            }
            // No act of the panel signs.
            error @ (Error::DocumentUnavailable | Error::DocumentsBeingChecked { .. }) => {
                self.trouble_in(frame, Error::Internal(error.into()))
            }
            Error::Internal(source) => {
                let request = self.id.as_str();
                tracing::error!(
                    error = &*source as &dyn std::error::Error,
                    request,
                    "a page of the panel failed"
                );
                let news = News::Internal(request.to_owned());
                news::answer(frame, StatusCode::INTERNAL_SERVER_ERROR, news)
            }
        }
    }
}

fn later(mut answer: Response, seconds: HeaderValue) -> Response {
    answer.headers_mut().insert(RETRY_AFTER, seconds);
    answer
}
