//! A request to an API operation: its key, its parameters, its body.

use super::errors::{self, ApiError, Cause};
use super::invalid_field::InvalidField;
use super::operation::Operation;
use super::response::ApiResponse;
use crate::Web;
use crate::http::body::RequestBody;
use app::{Access, ApiKey, Caller, IdempotencyKey, Idempotent, IdempotentResult};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use domain::{FieldError, limits};
use std::borrow::Cow;
use std::net::IpAddr;

/// A request to an operation.
#[derive(Debug)]
pub(crate) struct ApiRequest {
    pub(crate) operation: Operation,
    pub(crate) parts: Parts,
    pub(crate) body: RequestBody,
    address: IpAddr,
    access: Option<Access>,
}

impl ApiRequest {
    pub(crate) fn new(web: &Web, operation: Operation, request: Request) -> Self {
        let address = web.settings.trusted_proxies.of(&request);
        let (parts, body) = request.into_parts();
        let body = RequestBody::new(body, web.settings.body_grace);
        Self {
            operation,
            parts,
            body,
            address,
            access: None,
        }
    }

    /// Takes the API key from the header, and counts the request against the key's rate limit.
    pub(crate) fn authenticate_key(&mut self, web: &Web) -> Result<(), ApiError> {
        let key = api_key_of(&self.parts.headers)?;
        let lookup = key.lookup();
        let create = self.operation == Operation::CreateFolio;
        web.api_limits
            .try_acquire(&lookup.hash, create, web.app.clock.now())
            .map_err(ApiError::TooOften)?;
        self.access = Some(Access::with_key(&key, self.address));
        Ok(())
    }

    /// The key as the client sent it. The act's own transaction looks it up.
    pub(crate) fn access(&self) -> Result<Access, ApiError> {
        self.access.clone().ok_or(ApiError::Cause(Cause::NoKey))
    }

    /// The one value of a query parameter.
    pub(crate) fn query(&self, name: &str) -> Result<Cow<'_, str>, FieldError> {
        let query = self.parts.uri.query().unwrap_or_default();
        let mut values = query.split('&').filter_map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (key == name).then_some(value)
        });
        let value = values.next().ok_or(FieldError::Missing)?;
        if values.next().is_some() {
            return Err(FieldError::Repeated);
        }
        percent_encoding::percent_decode_str(value)
            .decode_utf8()
            .map_err(|_| FieldError::Characters)
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
    pub(crate) fn idempotency_key(
        &self,
        fingerprint: impl FnOnce() -> Option<[u8; 32]>,
    ) -> Result<Option<IdempotencyKey>, ApiError> {
        let mut values = self.parts.headers.get_all("idempotency-key").iter();
        let Some((value, fingerprint)) = values.next().and_then(|value| Some((value, fingerprint()?))) else {
            return Ok(None);
        };
        let key =
            value.to_str().ok().map(str::trim).filter(|key| {
                !key.is_empty() && key.len() <= limits::IDEMPOTENCY_KEY && values.next().is_none()
            });
        let invalid_field = || InvalidField::new("Idempotency-Key", FieldError::NotJson);
        let key = key.ok_or_else(|| ApiError::Fields(Cause::Malformed, vec![invalid_field()]))?;
        Ok(Some(IdempotencyKey {
            key: key.to_owned(),
            fingerprint,
        }))
    }

    /// Drains an unread body.
    pub(crate) fn drain_in_background(&mut self) -> bool {
        self.body.drain_in_background()
    }
}

/// `x-api-key: Bearer KEY`, to the letter.
fn api_key_of(headers: &HeaderMap) -> Result<ApiKey, ApiError> {
    let mut values = headers.get_all("x-api-key").iter();
    let value = values
        .next()
        .filter(|value| !value.as_bytes().trim_ascii().is_empty());
    let value = value.ok_or(ApiError::Cause(Cause::NoKey))?;
    let key = value
        .to_str()
        .ok()
        .and_then(|text| text.strip_prefix("Bearer "))
        .and_then(ApiKey::parse);
    key.filter(|_| values.next().is_none())
        .ok_or(ApiError::Cause(Cause::Denied))
}

/// Pairs an idempotency key with the function that renders the response to be stored under it.
pub(crate) fn idempotent<T: 'static>(
    operation: Operation,
    idempotency_key: Option<IdempotencyKey>,
    render: impl FnOnce(&T) -> ApiResponse + Send + 'static,
) -> Option<Idempotent<T>> {
    let render = move |outcome: &Result<T, app::Error>| {
        let response = match outcome {
            Ok(done) => render(done),
            Err(error) => errors::act_error_response(operation, error, None),
        };
        is_replayable(&response).then(|| response.to_stored()).flatten()
    };
    idempotency_key.map(|idempotency_key| Idempotent {
        idempotency_key,
        render: Box::new(render),
    })
}

/// Whether a repeated request may be sent this response: no rate limit and no error of the service.
fn is_replayable(response: &ApiResponse) -> bool {
    let status = response.status.as_u16();
    status < 500 && status != 429
}

/// The response to an act, rendered now or stored by an earlier request.
pub(crate) fn response_of<T>(
    outcome: IdempotentResult<T>,
    render: impl FnOnce(&T) -> ApiResponse,
) -> ApiResponse {
    match outcome {
        IdempotentResult::Fresh(done) => render(&done),
        IdempotentResult::Replayed(kept) => ApiResponse::replayed(kept),
    }
}

impl Web {
    /// Authenticates the key: before the body is read, and before errors in the request are reported.
    pub(crate) async fn caller(&self, access: Result<Access, ApiError>) -> Result<Caller, ApiError> {
        Ok(self.app.authenticate(access?).await?)
    }

    /// Stores a response under the idempotency key. Returns the response that was stored first.
    pub(crate) async fn store_response(
        &self,
        caller: &Caller,
        idempotency_key: Option<IdempotencyKey>,
        response: ApiResponse,
    ) -> Result<ApiResponse, ApiError> {
        let Some(idempotency_key) = idempotency_key.filter(|_| is_replayable(&response)) else {
            return Ok(response);
        };
        let Some(kept) = response.to_stored() else {
            return Ok(response);
        };
        let first = self
            .app
            .store_response(caller.company, idempotency_key, kept.clone())
            .await?;
        Ok(if first == kept {
            response
        } else {
            ApiResponse::replayed(first)
        })
    }

    /// The response to a request that fails before its act.
    pub(crate) async fn refuse(
        &self,
        operation: Operation,
        caller: &Caller,
        idempotency_key: Option<IdempotencyKey>,
        error: ApiError,
    ) -> Result<ApiResponse, ApiError> {
        if idempotency_key.is_none() {
            return Err(error);
        }
        self.store_response(
            caller,
            idempotency_key,
            errors::error_response(operation, &error, None),
        )
        .await
    }
}
