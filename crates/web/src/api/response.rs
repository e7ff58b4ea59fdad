//! The response of an API operation.

use axum::body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use store::StoredResponse;

/// Bytes that a response about a folio with two signers usually has.
const TYPICAL_BYTES: usize = 2048;

/// Status, headers and body of a response.
#[derive(Debug)]
pub(crate) struct ApiResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) body: ResponseBody,
}

#[derive(Debug)]
pub(crate) enum ResponseBody {
    Json(Vec<u8>),
    Other(body::Body),
}

#[derive(Serialize)]
struct Envelope<'a, T> {
    success: bool,
    status: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<T>,
}

/// The messages in the body of an error.
#[derive(Deserialize)]
struct ErrorBody {
    message: Option<String>,
    error: Option<ErrorMessage>,
    #[serde(default)]
    errors: Vec<ErrorMessage>,
}

#[derive(Deserialize)]
struct ErrorMessage {
    message: String,
}

impl ApiResponse {
    /// A success with a message and data.
    pub(crate) fn success<T: Serialize>(message: &str, data: T) -> Self {
        Self::ok(&Envelope {
            success: true,
            status: 200,
            message: Some(message),
            data: Some(data),
        })
    }

    /// A success with a list alone.
    pub(crate) fn list<T: Serialize>(data: T) -> Self {
        Self::ok(&Envelope {
            success: true,
            status: 200,
            message: None,
            data: Some(data),
        })
    }

    /// A success with a message alone.
    pub(crate) fn message(message: &str) -> Self {
        Self::ok(&Envelope::<()> {
            success: true,
            status: 200,
            message: Some(message),
            data: None,
        })
    }

    /// An error outside every operation: an unknown path or method.
    pub(crate) fn plain_error(status: StatusCode, message: &str) -> Self {
        let body = Envelope::<()> {
            success: false,
            status: status.as_u16(),
            message: Some(message),
            data: None,
        };
        Self::json(status, &body)
    }

    pub(crate) fn ok(body: &impl Serialize) -> Self {
        Self::json(StatusCode::OK, body)
    }

    /// Any status with a JSON body.
    pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Self {
        // Strings, numbers and maps with string keys only: there is nothing in a response that JSON cannot hold.
        let mut text = Vec::with_capacity(TYPICAL_BYTES);
        let _ = serde_json::to_writer(&mut text, body);
        Self::from_json(status, text)
    }

    const fn from_json(status: StatusCode, json: Vec<u8>) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: ResponseBody::Json(json),
        }
    }

    /// The stored response of an earlier request with the same idempotency key.
    pub(crate) fn replayed(stored: StoredResponse) -> Self {
        let status = StatusCode::from_u16(stored.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let headers = vec![(
            HeaderName::from_static("idempotency-replayed"),
            HeaderValue::from_static("true"),
        )];
        Self {
            status,
            headers,
            body: ResponseBody::Json(stored.body.into_bytes()),
        }
    }

    /// The response as it is stored under an idempotency key; `None` for a body that is not JSON.
    pub(crate) fn to_stored(&self) -> Option<StoredResponse> {
        match &self.body {
            ResponseBody::Json(body) => Some(StoredResponse {
                status: self.status.as_u16(),
                body: String::from_utf8_lossy(body).into_owned(),
            }),
            ResponseBody::Other(_) => None,
        }
    }

    /// What an error tells the client: its message, and what is wrong with each field. Empty for a success.
    pub(crate) fn error_message(&self) -> String {
        let is_error = self.status.is_client_error() || self.status.is_server_error();
        let ResponseBody::Json(body) = &self.body else {
            return String::new();
        };
        let Some(error) = is_error
            .then(|| serde_json::from_slice::<ErrorBody>(body).ok())
            .flatten()
        else {
            return String::new();
        };
        let message = error.message.or(error.error.map(|nested| nested.message));
        let mut message = message.unwrap_or_default();
        let fields: Vec<String> = error
            .errors
            .into_iter()
            .filter(|field| field.message != message)
            .map(|field| field.message)
            .collect();
        for field in fields {
            message.push_str(" · ");
            message.push_str(&field);
        }
        message
    }

    pub(crate) fn into_response(self) -> Response {
        let mut response = Response::new(body::Body::empty());
        *response.status_mut() = self.status;
        // Reserved at once, with four for the headers that are added later: growing step by step costs more.
        response.headers_mut().reserve(self.headers.len() + 4);
        let headers = response.headers_mut();
        match self.body {
            ResponseBody::Json(body) => {
                headers.insert(
                    header::CONTENT_TYPE,
                    HeaderValue::from_static("application/json; charset=utf-8"),
                );
                headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
                *response.body_mut() = body::Body::from(body);
            }
            ResponseBody::Other(body) => *response.body_mut() = body,
        }
        let headers = response.headers_mut();
        headers.extend(self.headers);
        response
    }
}
