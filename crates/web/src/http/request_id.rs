//! `x-request-id`: the client's where it is valid, a generated one elsewhere; sent back in the response.

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Request};
use data_encoding::HEXLOWER;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The identifier of a request, put into it by the server.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(pub(crate) HeaderValue);

impl RequestId {
    /// The identifier of a request that came through the server.
    pub(crate) fn of<B>(request: &Request<B>) -> Self {
        request
            .extensions()
            .get()
            .cloned()
            .unwrap_or_else(|| Self(generate()))
    }

    /// The identifier of a request whose body was taken off.
    pub(crate) fn of_parts(parts: &Parts) -> Self {
        parts
            .extensions
            .get()
            .cloned()
            .unwrap_or_else(|| Self(generate()))
    }

    /// As text, for logs and for people to quote.
    pub(crate) fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }
}

/// The header's name.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("x-request-id");
const MAX_BYTES: usize = 128;

/// The identifier to use for a request with these headers.
pub(crate) fn choose(headers: &HeaderMap) -> HeaderValue {
    match headers.get(HEADER) {
        Some(sent) if is_safe(sent) => sent.clone(),
        _ => generate(),
    }
}

fn is_safe(value: &HeaderValue) -> bool {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:/=+".contains(byte);
    (1..=MAX_BYTES).contains(&value.len()) && value.as_bytes().iter().all(allowed)
}

/// A unique identifier that is no secret: a counter hashed with random keys of this process.
pub(super) fn generate() -> HeaderValue {
    static KEYS: LazyLock<[RandomState; 2]> = LazyLock::new(|| [RandomState::new(), RandomState::new()]);
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let [high, low] = KEYS.each_ref().map(|key| key.hash_one(number));
    let number = u128::from(high) << 64 | u128::from(low);
    let digits = HEXLOWER.encode(&number.to_be_bytes());
    HeaderValue::try_from(digits).unwrap_or_else(|_| HeaderValue::from_static("unknown"))
}
