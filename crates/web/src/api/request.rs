//! A request to an API operation: its API key, its parameters, its body.

use super::errors::{ApiError, Cause};
use super::invalid_field::InvalidField;
use super::operation::Operation;
use super::response::ApiResponse;
use crate::Web;
use crate::http::body::RequestBody;
use crate::http::request_id::RequestId;
use app::{Access, ApiKey, IdempotencyKey, RequestRecord};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use domain::{FieldError, limits};
use std::borrow::Cow;
use std::net::IpAddr;
use std::time::Duration;
use store::KeyHash;

/// A request to an operation.
#[derive(Debug)]
pub(crate) struct ApiRequest {
    pub(crate) operation: Operation,
    pub(crate) parts: Parts,
    pub(crate) body: RequestBody,
    address: IpAddr,
    /// The key of the header, if it is well formed; known or not.
    key: Option<KeyHash>,
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
            key: None,
        }
    }

    /// Takes the API key from the header, and counts the request against the key's rate limit. The key is looked up
    /// later.
    pub(crate) fn access(&mut self, web: &Web) -> Result<Access, ApiError> {
        let key = api_key_of(&self.parts.headers)?;
        let lookup = key.lookup();
        self.key = Some(lookup);
        let create = self.operation == Operation::CreateFolio;
        web.api_limits
            .try_acquire(&lookup.hash, create, web.app.clock.now())
            .map_err(ApiError::TooOften)?;
        Ok(Access::with_key(&key, self.address, self.operation.permission()))
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

    /// Logs the request for the integrators of the company whose key it has.
    pub(crate) fn log(&self, web: &Web, id: &RequestId, response: &ApiResponse, took: Duration) {
        let Some(key) = self.key else { return };
        web.app.request_log.record(RequestRecord {
            key,
            at: web.app.clock.now(),
            operation: self.operation.name(),
            status: response.status.as_u16(),
            message: response.error_message(),
            request_id: id.as_str().to_owned(),
            took,
            address: self.address,
        });
    }
}

/// Whether the request has a header with an API key, live or not.
pub(crate) fn has_api_key(headers: &HeaderMap) -> bool {
    let value = headers.get("x-api-key");
    value.is_some_and(|value| !value.as_bytes().trim_ascii().is_empty())
}

/// `x-api-key: Bearer KEY`, to the letter.
pub(crate) fn api_key_of(headers: &HeaderMap) -> Result<ApiKey, ApiError> {
    if !has_api_key(headers) {
        return Err(Cause::NoKey.into());
    }
    let mut values = headers.get_all("x-api-key").iter();
    let value = values.next().ok_or(Cause::NoKey)?;
    let key = value
        .to_str()
        .ok()
        .and_then(|text| text.strip_prefix("Bearer "))
        .and_then(ApiKey::parse);
    key.filter(|_| values.next().is_none())
        .ok_or(ApiError::Cause(Cause::Denied))
}

impl Web {
    /// The error of a malformed query. A key that is not live is denied before.
    pub(crate) async fn malformed_query(&self, access: Access) -> ApiError {
        match self.app.authenticate(access).await {
            Ok(_) => Cause::Malformed.into(),
            Err(error) => error.into(),
        }
    }
}
