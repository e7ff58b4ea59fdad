//! A request to an API operation: its key, its parameters, its body.

use super::answer::Answer;
use super::body::Incoming;
use super::errors::{self, Cause, Failure};
use super::fields::Fault;
use super::operation::Operation;
use crate::Web;
use app::{Access, Answered, ApiKey, Caller, Once, Ticket};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use domain::{Problem, limits};
use std::borrow::Cow;
use std::net::IpAddr;

/// A request to an operation.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) operation: Operation,
    pub(crate) parts: Parts,
    pub(crate) body: Incoming,
    address: IpAddr,
    access: Option<Access>,
}

impl Call {
    pub(crate) fn new(web: &Web, operation: Operation, request: Request) -> Self {
        let address = web.settings.trusted_proxies.of(&request);
        let (parts, body) = request.into_parts();
        let body = Incoming::new(body, web.settings.body_grace);
        Self {
            operation,
            parts,
            body,
            address,
            access: None,
        }
    }

    /// Takes the API key from the header, and counts the request against the key's rate limit.
    pub(crate) fn open(&mut self, web: &Web) -> Result<(), Failure> {
        let key = presented(&self.parts.headers)?;
        let lookup = key.lookup();
        let create = self.operation == Operation::CreateFolio;
        web.limiter
            .take(&lookup.hash, create, web.app.clock.now())
            .map_err(Failure::TooOften)?;
        self.access = Some(Access::presented(&key, self.address));
        Ok(())
    }

    /// The key as the client sent it. The act's own transaction looks it up.
    pub(crate) fn access(&self) -> Result<Access, Failure> {
        self.access.clone().ok_or(Failure::Cause(Cause::NoKey))
    }

    /// The one value of a query parameter.
    pub(crate) fn query(&self, name: &str) -> Result<Cow<'_, str>, Problem> {
        let query = self.parts.uri.query().unwrap_or_default();
        let mut values = query.split('&').filter_map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (key == name).then_some(value)
        });
        let value = values.next().ok_or(Problem::Missing)?;
        if values.next().is_some() {
            return Err(Problem::Repeated);
        }
        percent_encoding::percent_decode_str(value)
            .decode_utf8()
            .map_err(|_| Problem::Characters)
    }

    /// What the client says the body is.
    pub(crate) fn content_type(&self) -> &str {
        self.parts
            .headers
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    /// The `Idempotency-Key` header with the request's fingerprint; `None` without the header or a
    /// fingerprint.
    pub(crate) fn ticket(
        &self,
        fingerprint: impl FnOnce() -> Option<[u8; 32]>,
    ) -> Result<Option<Ticket>, Failure> {
        let mut values = self.parts.headers.get_all("idempotency-key").iter();
        let Some((value, fingerprint)) = values.next().and_then(|value| Some((value, fingerprint()?))) else {
            return Ok(None);
        };
        let key =
            value.to_str().ok().map(str::trim).filter(|key| {
                !key.is_empty() && key.len() <= limits::IDEMPOTENCY_KEY && values.next().is_none()
            });
        let fault = || Fault::new("Idempotency-Key", Problem::NotJson);
        let key = key.ok_or_else(|| Failure::Faults(Cause::Malformed, vec![fault()]))?;
        Ok(Some(Ticket {
            key: key.to_owned(),
            fingerprint,
        }))
    }

    /// Drains an unread body.
    pub(crate) fn linger(&mut self) -> bool {
        self.body.linger()
    }
}

/// `x-api-key: Bearer KEY`, to the letter.
fn presented(headers: &HeaderMap) -> Result<ApiKey, Failure> {
    let mut values = headers.get_all("x-api-key").iter();
    let value = values
        .next()
        .filter(|value| !value.as_bytes().trim_ascii().is_empty());
    let value = value.ok_or(Failure::Cause(Cause::NoKey))?;
    let key = value
        .to_str()
        .ok()
        .and_then(|text| text.strip_prefix("Bearer "))
        .and_then(ApiKey::parse);
    key.filter(|_| values.next().is_none())
        .ok_or(Failure::Cause(Cause::Denied))
}

/// Pairs an idempotency key with the function that renders the response to be stored under it.
pub(crate) fn once<T: 'static>(
    operation: Operation,
    ticket: Option<Ticket>,
    render: impl FnOnce(&T) -> Answer + Send + 'static,
) -> Option<Once<T>> {
    let render = move |outcome: &Result<T, app::Error>| {
        let answer = match outcome {
            Ok(done) => render(done),
            Err(error) => errors::act(operation, error, None),
        };
        is_worth_keeping(&answer).then(|| answer.to_keep()).flatten()
    };
    ticket.map(|ticket| Once {
        ticket,
        render: Box::new(render),
    })
}

/// Whether a repeated request may be sent this response: no rate limit and no failure of the service.
fn is_worth_keeping(answer: &Answer) -> bool {
    let status = answer.status.as_u16();
    status < 500 && status != 429
}

/// The response to an act, rendered now or stored by an earlier request.
pub(crate) fn answered<T>(answered: Answered<T>, render: impl FnOnce(&T) -> Answer) -> Answer {
    match answered {
        Answered::Now(done) => render(&done),
        Answered::Before(kept) => Answer::kept(kept),
    }
}

impl Web {
    /// Authenticates the key: before the body is read, and before errors in the request are reported.
    pub(crate) async fn caller(&self, access: Result<Access, Failure>) -> Result<Caller, Failure> {
        Ok(self.app.admit(access?).await?)
    }

    /// Stores a response under the idempotency key. Returns the response that was stored first.
    pub(crate) async fn keep(
        &self,
        caller: &Caller,
        ticket: Option<Ticket>,
        answer: Answer,
    ) -> Result<Answer, Failure> {
        let Some(ticket) = ticket.filter(|_| is_worth_keeping(&answer)) else {
            return Ok(answer);
        };
        let Some(kept) = answer.to_keep() else {
            return Ok(answer);
        };
        let first = self.app.keep(caller.company, ticket, kept.clone()).await?;
        Ok(if first == kept {
            answer
        } else {
            Answer::kept(first)
        })
    }

    /// The response to a request that fails before its act.
    pub(crate) async fn refuse(
        &self,
        operation: Operation,
        caller: &Caller,
        ticket: Option<Ticket>,
        failure: Failure,
    ) -> Result<Answer, Failure> {
        if ticket.is_none() {
            return Err(failure);
        }
        self.keep(caller, ticket, errors::answer(operation, &failure, None))
            .await
    }
}
