//! Who may read the mailbox.

use crate::Web;
use crate::http::client_address::{Peer, is_this_machine};
use crate::page::{new_cookie, read_cookie, set_cookie};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::Response;

const COOKIE: &str = "firmeza_mailbox";

/// The token that grants access from other machines.
#[derive(Clone)]
pub struct MailboxToken(String);

impl std::fmt::Debug for MailboxToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MailboxToken(…)")
    }
}

impl MailboxToken {
    /// The token with that text, which must be fit for an address and a cookie.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, to be shown to the operator.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Compared in constant time.
    fn is(&self, given: &str) -> bool {
        aws_lc_rs::constant_time::verify_slices_are_equal(given.as_bytes(), self.0.as_bytes()).is_ok()
    }
}

/// Granted by the token; or to requests from this machine, where the base address is this machine's. With
/// another base address, requests from a proxy on this machine look local.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MailboxAccess {
    /// Whether the token is in the address.
    pub(crate) is_by_address: bool,
}

impl FromRequestParts<Web> for MailboxAccess {
    type Rejection = (StatusCode, &'static str);

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Self::Rejection> {
        let token = web.settings.mailbox.as_ref();
        let matches_token =
            |given: Option<&str>| given.zip(token).is_some_and(|(given, token)| token.is(given));
        let in_address = in_query(&parts.uri);
        let is_by_address = matches_token(in_address.as_deref());
        let from_this_machine = || is_loopback(&web.settings.base_url) && is_local(parts);
        if is_by_address
            || matches_token(bearer(&parts.headers))
            || matches_token(read_cookie(&parts.headers, COOKIE))
            || from_this_machine()
        {
            Ok(Self { is_by_address })
        } else {
            Err((
                StatusCode::FORBIDDEN,
                "El buzón de pruebas solo se abre desde el mismo equipo, \
                 o con la dirección que el servicio muestra al arrancar.\n",
            ))
        }
    }
}

/// Puts the token into a session cookie.
pub(crate) fn remember(response: &mut Response, token: &MailboxToken, https: bool) {
    let cookie = new_cookie(COOKIE.to_owned(), &token.0, "/mailbox", None, https);
    set_cookie(response.headers_mut(), &cookie);
}

fn in_query(uri: &Uri) -> Option<String> {
    let mut pairs = form_urlencoded::parse(uri.query()?.as_bytes());
    let found = pairs.find(|(name, _)| name == "token");
    found.map(|(_, value)| value.into_owned())
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ")
}

fn is_loopback(base_url: &str) -> bool {
    let base = base_url.parse::<Uri>();
    base.is_ok_and(|base| base.host().is_some_and(is_this_machine))
}

/// Whether connection and host are this machine's, and no proxy forwarded the request.
fn is_local(parts: &Parts) -> bool {
    let peer = parts.extensions.get::<Peer>();
    peer.is_some_and(|peer| peer.0.ip().to_canonical().is_loopback())
        && names_this_machine(&parts.headers)
        && !is_proxied(&parts.headers)
}

fn names_this_machine(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).map(HeaderValue::as_bytes);
    host.and_then(|host| Authority::try_from(host).ok())
        .is_some_and(|host| is_this_machine(host.host()))
}

fn is_proxied(headers: &HeaderMap) -> bool {
    [
        "x-forwarded-for",
        "x-forwarded-host",
        "forwarded",
        "via",
        "x-real-ip",
    ]
    .iter()
    .any(|name| headers.contains_key(*name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_this_machine() {
        let names = |host: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().unwrap());
            names_this_machine(&headers)
        };
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080"] {
            assert!(names(host), "{host}");
        }
        for host in [
            "localhost.evil.com",
            "127.0.0.1.evil.com:80",
            "[2001:db8::1]:80",
            "",
        ] {
            assert!(!names(host), "{host}");
        }
    }

    #[test]
    fn base_addresses_of_this_machine() {
        for base in [
            "http://127.0.0.1:8080",
            "http://localhost",
            "http://[::1]:8080",
            "https://a.localhost",
        ] {
            assert!(is_loopback(base), "{base}");
        }
        for base in [
            "https://firma.example.com",
            "http://0.0.0.0:8080",
            "http://10.0.0.1",
        ] {
            assert!(!is_loopback(base), "{base}");
        }
    }
}
