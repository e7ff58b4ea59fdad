//! The panel's cookies: the session, the known device, and the step between password and code. Over https
//! their names bind them to this host.

use crate::page::cookie;
use axum::http::header::{HeaderMap, HeaderValue, SET_COOKIE};
use axum::response::Response;

const SESSION: &str = "firmeza_panel";
const DEVICE: &str = "firmeza_device";
const HALFWAY: &str = "firmeza_halfway";
/// Seconds for which a browser is known.
const KNOWN: u64 = 180 * 24 * 3600;
/// Seconds between password and code.
const CODE: u64 = 600;

pub(crate) fn session(headers: &HeaderMap, https: bool) -> Option<&str> {
    cookie(headers, &name(SESSION, https))
}

pub(crate) fn device(headers: &HeaderMap, https: bool) -> Option<&str> {
    cookie(headers, &name(DEVICE, https))
}

pub(crate) fn halfway(headers: &HeaderMap, https: bool) -> Option<&str> {
    cookie(headers, &name(HALFWAY, https))
}

/// Sets the session cookie, which ends with the browser.
pub(crate) fn keep_session(answer: &mut Response, token: &str, https: bool) {
    put(answer, SESSION, token, None, https);
}

pub(crate) fn keep_device(answer: &mut Response, token: &str, https: bool) {
    put(answer, DEVICE, token, Some(KNOWN), https);
}

pub(crate) fn keep_halfway(answer: &mut Response, token: &str, https: bool) {
    put(answer, HALFWAY, token, Some(CODE), https);
}

pub(crate) fn forget_session(answer: &mut Response, https: bool) {
    put(answer, SESSION, "", Some(0), https);
}

pub(crate) fn forget_halfway(answer: &mut Response, https: bool) {
    put(answer, HALFWAY, "", Some(0), https);
}

fn name(stem: &str, https: bool) -> String {
    if https {
        format!("__Host-{stem}")
    } else {
        stem.to_owned()
    }
}

fn put(answer: &mut Response, stem: &str, value: &str, age: Option<u64>, https: bool) {
    let (name, manner) = (name(stem, https), if https { "/; Secure" } else { "/panel" });
    let age = age.map_or_else(String::new, |age| format!("; Max-Age={age}"));
    let cookie = format!("{name}={value}; Path={manner}; HttpOnly; SameSite=Lax{age}");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        answer.headers_mut().append(SET_COOKIE, cookie);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_https_a_cookie_is_bound_to_its_host() {
        let mut answer = Response::new(axum::body::Body::empty());
        keep_session(&mut answer, "t", true);
        forget_halfway(&mut answer, false);
        let set: Vec<_> = answer.headers().get_all(SET_COOKIE).iter().collect();
        assert_eq!(
            set[0],
            "__Host-firmeza_panel=t; Path=/; Secure; HttpOnly; SameSite=Lax"
        );
        assert_eq!(
            set[1],
            "firmeza_halfway=; Path=/panel; HttpOnly; SameSite=Lax; Max-Age=0"
        );
    }
}
