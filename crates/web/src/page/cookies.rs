//! Cookies of every page: how they are read, and what those we set have in common.

use super::headers::Embedding;
use axum::http::header::{COOKIE, HeaderMap, HeaderValue, SET_COOKIE};
use cookie::{Cookie, SameSite};
use std::time::Duration;

/// The value of the cookie of that name.
pub(crate) fn read_cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(Cookie::split_parse)
        .filter_map(Result::ok)
        .find(|cookie| cookie.name() == name)
        .and_then(|cookie| cookie.value_raw())
}

/// The name, over https with the prefix by which browsers take the cookie from this host alone, and only for the
/// whole of it.
pub(crate) fn host_bound_name(name: &str, https: bool) -> String {
    format!("{}{name}", if https { "__Host-" } else { "" })
}

/// How browsers reach the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Connection {
    Https,
    /// Without encryption, on the browser's own machine: browsers trust it as they do https.
    Loopback,
    Http,
}

impl Connection {
    /// By the service's own address.
    pub(crate) fn of(base_url: &str) -> Self {
        let Some(rest) = base_url.strip_prefix("http://") else {
            return Self::Https;
        };
        let host = rest.split([':', '/']).next().unwrap_or_default();
        match host {
            "localhost" | "127.0.0.1" => Self::Loopback,
            _ => Self::Http,
        }
    }

    pub(crate) fn is_https(self) -> bool {
        self == Self::Https
    }
}

/// A cookie that no script can read and no other site can have sent along with a form. Without an age it ends with
/// the browser; an age of nothing removes it.
pub(crate) fn new_cookie<'c>(
    name: String,
    value: &'c str,
    path: &'c str,
    age: Option<Duration>,
    https: bool,
) -> Cookie<'c> {
    let mut cookie = Cookie::new(name, value);
    cookie.set_path(path);
    cookie.set_http_only(true);
    cookie.set_same_site(SameSite::Lax);
    cookie.set_secure(https);
    cookie.set_max_age(age.and_then(|age| cookie::time::Duration::try_from(age).ok()));
    cookie
}

/// Sets the cookie, whose value must be of plain characters.
pub(crate) fn set_cookie(headers: &mut HeaderMap, cookie: &Cookie<'_>) {
    if let Ok(line) = HeaderValue::try_from(cookie.to_string()) {
        headers.append(SET_COOKIE, line);
    }
}

/// Sets a cookie of the signers' pages. Inside a page of another site the cookie is this site's within that one alone. Without
/// an age it ends with the browser.
pub(crate) fn set_embeddable(
    headers: &mut HeaderMap,
    name: &str,
    value: &str,
    age: Option<Duration>,
    connection: Connection,
    embedding: &Embedding,
) {
    let https = connection.is_https();
    let mut cookie = new_cookie(host_bound_name(name, https), value, "/", age, https);
    if connection != Connection::Http && embedding.is_allowed() {
        // Browsers demand it with the other two.
        cookie.set_secure(true);
        cookie.set_same_site(SameSite::None);
        cookie.set_partitioned(true);
    }
    set_cookie(headers, &cookie);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_found_by_its_whole_name_in_any_header() {
        let mut headers = HeaderMap::new();
        for sent in ["x=1; token; ab=2=3", "=9;y=\"4\"; a=5; a=6"] {
            headers.append(COOKIE, sent.parse().unwrap());
        }
        for (name, value) in [
            ("x", Some("1")),
            ("token", None),
            ("ab", Some("2=3")),
            ("a", Some("5")),
            ("y", Some("\"4\"")),
            ("b", None),
        ] {
            assert_eq!(read_cookie(&headers, name), value, "{name}");
        }
    }
}
