//! A request to the panel without a session.

use super::cookies;
use super::layout::{PanelLayout, Section};
use super::message_page::{self, PanelMessage};
use crate::Web;
use crate::http::request_id::RequestId;
use crate::page::PanelLang;
use app::Error;
use app::panel::Visitor;
use axum::body::Body;
use axum::extract::{FromRequestParts, State};
use axum::http::header::{HeaderValue, RETRY_AFTER, USER_AGENT};
use axum::http::request::Parts;
use axum::http::{Method, Request, StatusCode, Uri};
use axum::response::Response;
use domain::Causes;
use std::convert::Infallible;
use std::net::IpAddr;

/// A request that may come from anyone.
#[derive(Debug)]
pub(crate) struct AnonymousRequest {
    pub(crate) web: Web,
    pub(crate) l: PanelLang,
    pub(crate) address: IpAddr,
    uri: Uri,
    /// The page that the language switch returns to.
    back: String,
    agent: String,
    device: Option<String>,
    id: RequestId,
}

impl FromRequestParts<Web> for AnonymousRequest {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Infallible> {
        Ok(Self::new(parts, web))
    }
}

/// Any other address under `/panel`.
pub(crate) async fn not_found(State(web): State<Web>, request: Request<Body>) -> Response {
    let (parts, _) = request.into_parts();
    AnonymousRequest::new(&parts, &web).message_page(StatusCode::NOT_FOUND, PanelMessage::NotFound)
}

impl AnonymousRequest {
    pub(crate) fn new(parts: &Parts, web: &Web) -> Self {
        let agent = parts
            .headers
            .get(USER_AGENT)
            .and_then(|value| value.to_str().ok());
        let https = web.settings.base_url.starts_with("https:");
        Self {
            l: cookies::language(&parts.headers, https)
                .and_then(PanelLang::from_code)
                .unwrap_or_else(|| PanelLang::of(&parts.headers)),
            back: if parts.method == Method::GET {
                parts.uri.path_and_query().map_or("", |path| path.as_str())
            } else {
                super::page_of(parts.uri.path())
            }
            .to_owned(),
            address: web.settings.trusted_proxies.of_parts(parts),
            uri: parts.uri.clone(),
            agent: agent.unwrap_or_default().to_owned(),
            device: cookies::device(&parts.headers, https).map(str::to_owned),
            id: RequestId::of_parts(parts),
            web: web.clone(),
        }
    }

    /// Whether browsers reach the service by https.
    pub(crate) fn is_https(&self) -> bool {
        self.web.settings.base_url.starts_with("https:")
    }

    /// The page that the language switch returns to.
    pub(super) fn back(&self) -> &str {
        &self.back
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

    pub(crate) fn frame(&self) -> PanelLayout {
        let zone = self.web.settings.timezone.clone();
        PanelLayout {
            zone,
            back: self.back.clone(),
            ..PanelLayout::new(self.l, Section::Nowhere, self.web.app.clock.now())
        }
    }

    /// A page that says one thing.
    pub(crate) fn message_page(&self, status: StatusCode, message: PanelMessage) -> Response {
        message_page::message_response(self.frame(), status, message)
    }

    pub(crate) fn error_page(&self, error: Error) -> Response {
        self.error_page_in(self.frame(), error)
    }

    /// The page for a failed act.
    pub(super) fn error_page_in(&self, frame: PanelLayout, error: Error) -> Response {
        match error {
            Error::NotFound | Error::Foreign | Error::Denied => {
                message_page::message_response(frame, StatusCode::NOT_FOUND, PanelMessage::NotFound)
            }
            Error::TooOften { retry_after } => {
                let message = PanelMessage::TooOften(self.l.wait(retry_after));
                let seconds = HeaderValue::from(retry_after.as_secs().max(1));
                with_retry_after(
                    message_page::message_response(frame, StatusCode::TOO_MANY_REQUESTS, message),
                    seconds,
                )
            }
            Error::Overloaded => retry_page(frame, PanelMessage::Overloaded),
            Error::Unavailable(source) => {
                self.log_failure(&*source);
                retry_page(frame, PanelMessage::Overloaded)
            }
            Error::Unconfirmed(source) => {
                self.log_failure(&*source);
                retry_page(frame, PanelMessage::Unconfirmed)
            }
            Error::Refused(_)
            | Error::Locked { .. }
            | Error::SessionOver
            | Error::Unproven
            | Error::Unread(_)
            | Error::NotAccepted
            | Error::PictureMissing
            | Error::Unfit(_)
            | Error::KeyReused => {
                message_page::message_response(frame, StatusCode::CONFLICT, PanelMessage::Refused)
            }
            Error::BrokenHistory => message_page::message_response(
                frame,
                StatusCode::INTERNAL_SERVER_ERROR,
                PanelMessage::BrokenHistory,
            ),
            // No act of the panel signs.
            error @ (Error::DocumentUnavailable | Error::DocumentsBeingChecked { .. }) => {
                self.error_page_in(frame, Error::Internal(error.into()))
            }
            Error::Internal(source) => {
                self.log_failure(&*source);
                let message = PanelMessage::Internal(self.id.as_str().to_owned());
                message_page::message_response(frame, StatusCode::INTERNAL_SERVER_ERROR, message)
            }
        }
    }

    fn log_failure(&self, error: &(dyn std::error::Error + 'static)) {
        tracing::error!(error = %Causes(error), request = self.id.as_str(), "a page of the panel failed");
    }
}

/// A page that is worth trying again in a moment.
fn retry_page(frame: PanelLayout, message: PanelMessage) -> Response {
    let response = message_page::message_response(frame, StatusCode::SERVICE_UNAVAILABLE, message);
    with_retry_after(response, HeaderValue::from_static("2"))
}

fn with_retry_after(mut response: Response, seconds: HeaderValue) -> Response {
    response.headers_mut().insert(RETRY_AFTER, seconds);
    response
}
