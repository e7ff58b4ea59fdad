//! `x-request-id`: taken from the client where it is harmless, made up where it is not, and given back.

use app::SystemRandom;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use domain::{KeyId, Random};

/// The header's name.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("x-request-id");
const LONGEST: usize = 128;

/// The request's identifier.
pub(crate) fn of(headers: &HeaderMap) -> HeaderValue {
    match headers.get(HEADER) {
        Some(sent) if is_harmless(sent) => sent.clone(),
        _ => made_up(),
    }
}

fn is_harmless(value: &HeaderValue) -> bool {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:/=+".contains(byte);
    (1..=LONGEST).contains(&value.len()) && value.as_bytes().iter().all(allowed)
}

fn made_up() -> HeaderValue {
    let random: &mut dyn Random = &mut SystemRandom;
    let text = KeyId::random(random).to_string();
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static("unknown"))
}
