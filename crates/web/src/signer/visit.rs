//! A request to a page: client address, language, form.

use super::cookie;
use super::done::Back;
use super::frame::Frame;
use super::look::Look;
use super::notice::{News, NoticePage};
use crate::Web;
use crate::page::{Embedding, Form, Lang, answer, is_from_here};
use crate::request_id::RequestId;
use app::{Error, Holder};
use axum::body::Body;
use axum::http::header::{HeaderValue, RETRY_AFTER};
use axum::http::{Request, StatusCode, request::Parts};
use axum::response::Response;
use domain::VisitorId;
use std::net::IpAddr;
use std::sync::OnceLock;
use std::time::Duration;
use store::CompanyRow;

/// Bytes of a form: a reason of five hundred characters at its longest, and small change.
const FORM: usize = 16 << 10;

/// Which sites may embed a company's pages, and the style they carry.
pub(crate) fn embedding(company: &CompanyRow) -> Embedding {
    Embedding::of(&company.embedding_origins.join(" ")).styled(Look::of(company).source())
}

/// A request.
#[derive(Debug)]
pub(crate) struct Visit {
    pub(crate) web: Web,
    pub(crate) l: Lang,
    pub(crate) address: IpAddr,
    pub(crate) parts: Parts,
    id: RequestId,
    /// Which sites may embed the response, once its company is known.
    shown_by: OnceLock<Embedding>,
}

impl Visit {
    /// The request, and the body apart.
    pub(crate) fn new(web: Web, request: Request<Body>) -> (Self, Body) {
        let address = web.settings.trusted_proxies.of(&request);
        let id = RequestId::of(&request);
        let (parts, body) = request.into_parts();
        let visit = Self {
            l: Lang::of(&parts.headers),
            web,
            address,
            parts,
            id,
            shown_by: OnceLock::new(),
        };
        (visit, body)
    }

    /// A value of the address's query.
    pub(crate) fn query(&self, name: &str) -> Option<String> {
        let query = self.parts.uri.query().unwrap_or_default();
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.into_owned())
    }

    /// The session's cookie for this holder.
    pub(crate) fn cookie(&self, holder: Holder) -> Option<String> {
        cookie::read(&self.parts.headers, holder, self.is_https())
    }

    /// The visitor identifier of the browser, if it has one.
    pub(crate) fn visitor(&self) -> Option<VisitorId> {
        cookie::read_visitor(&self.parts.headers, self.is_https())
    }

    /// Whether the browser reaches the service by https.
    pub(crate) fn is_https(&self) -> bool {
        self.web.settings.base_url.starts_with("https:")
    }

    /// Allows the response to be embedded where the company's pages may be.
    pub(crate) fn embed_for(&self, company: &CompanyRow) {
        // A second call is for the same company.
        let _ = self.shown_by.set(embedding(company));
    }

    /// The same by a holder; an unknown one changes nothing.
    pub(crate) async fn embed_for_holder(&self, holder: Holder) {
        if let Ok(company) = self.web.app.holder_company(holder).await {
            self.embed_for(&company);
        }
    }

    /// Reads the form, if it was sent from one of our pages; otherwise the status of the error.
    pub(crate) async fn form(&self, body: Body) -> Result<Form, StatusCode> {
        if !is_from_here(&self.web, &self.parts.headers, true) {
            return Err(StatusCode::FORBIDDEN);
        }
        let read = Form::read(&self.web, body, FORM).await;
        read.ok_or(StatusCode::BAD_REQUEST)
    }

    pub(crate) fn frame(&self, company: Option<&CompanyRow>) -> Frame {
        let frame = Frame::new(self.l, company.map(|company| company.name.clone()));
        frame.looking(company.map(Look::of).unwrap_or_default())
    }

    /// A message page for an unidentified client.
    pub(crate) fn news(&self, status: StatusCode, news: News) -> Response {
        let again = match news {
            News::Overloaded
            | News::Internal(_)
            | News::TooOften(_)
            | News::DocumentUnavailable
            | News::DocumentsBeingChecked => self.again(),
            _ => None,
        };
        let page = NoticePage {
            f: self.frame(None),
            news,
            name: None,
            back: None,
            again,
        };
        let shown_by = self.shown_by.get().cloned().unwrap_or_default();
        answer(status, &page, &shown_by)
    }

    /// A message page for a signer, with the return link.
    pub(crate) fn known_news(
        &self,
        news: News,
        company: &CompanyRow,
        name: Option<&str>,
        back: &str,
    ) -> NoticePage {
        NoticePage {
            f: self.frame(Some(company)),
            news,
            name: name.map(str::to_owned),
            back: Some(Back::to(back)),
            again: None,
        }
    }

    /// The address to retry: the page itself, or the page of the form.
    fn again(&self) -> Option<String> {
        let path = self.parts.uri.path();
        if self.parts.method == axum::http::Method::POST {
            let (page, _) = path.rsplit_once('/')?;
            return (page != "/sign").then(|| page.to_owned());
        }
        Some(self.parts.uri.path_and_query()?.as_str().to_owned())
    }

    /// The page for a failed act.
    pub(crate) fn trouble(&self, error: Error) -> Response {
        match error {
            Error::NotFound | Error::Foreign | Error::Denied => {
                self.news(StatusCode::NOT_FOUND, News::WrongLink)
            }
            Error::TooOften { retry_after } => self.wait(StatusCode::TOO_MANY_REQUESTS, retry_after),
            Error::Overloaded => {
                let mut answer = self.news(StatusCode::SERVICE_UNAVAILABLE, News::Overloaded);
                answer
                    .headers_mut()
                    .insert(RETRY_AFTER, HeaderValue::from_static("2"));
                answer
            }
            Error::SessionOver | Error::Unproven => self.news(StatusCode::FORBIDDEN, News::SessionOver),
            Error::Refused(_) | Error::Locked { .. } | Error::Unfit(_) | Error::KeyReused => {
                self.news(StatusCode::CONFLICT, News::Gone)
            }
            Error::BrokenHistory => self.news(StatusCode::INTERNAL_SERVER_ERROR, News::BrokenHistory),
            Error::DocumentUnavailable => {
                self.news(StatusCode::SERVICE_UNAVAILABLE, News::DocumentUnavailable)
            }
            Error::DocumentsBeingChecked { retry_after } => {
                let mut answer = self.news(StatusCode::SERVICE_UNAVAILABLE, News::DocumentsBeingChecked);
                let seconds = HeaderValue::from(retry_after.as_secs().max(1));
                answer.headers_mut().insert(RETRY_AFTER, seconds);
                answer
            }
            Error::Internal(source) => {
                let request = self.id.as_str();
                tracing::error!(
                    error = &*source as &dyn std::error::Error,
                    request,
                    "a page failed"
                );
                let news = News::Internal(self.id.as_str().to_owned());
                self.news(StatusCode::INTERNAL_SERVER_ERROR, news)
            }
        }
    }

    /// Counts the request against the limits per minute of the signer or folio, and of the network address.
    pub(crate) fn count(&self, whose: &[u8]) -> Result<(), Box<Response>> {
        let now = self.web.app.clock.now();
        let counted = self.web.signer_limits.take(whose, self.address, now);
        counted.map_err(|span| self.wait(StatusCode::TOO_MANY_REQUESTS, span).into())
    }

    /// Counts a file of evidence.
    pub(crate) fn count_evidence(&self, holder: Holder) -> Result<(), Box<Response>> {
        let now = self.web.app.clock.now();
        let counted = self.web.signer_limits.take_evidence(&holder.to_bytes(), now);
        counted.map_err(|span| self.wait(StatusCode::TOO_MANY_REQUESTS, span).into())
    }

    fn wait(&self, status: StatusCode, span: Duration) -> Response {
        let mut answer = self.news(status, News::TooOften(self.l.wait(span)));
        let seconds = HeaderValue::from(span.as_secs().max(1));
        answer.headers_mut().insert(RETRY_AFTER, seconds);
        answer
    }
}
