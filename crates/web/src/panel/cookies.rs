//! The panel's cookies: the session, the known device, and the step between password and code. Over https
//! their names bind them to this host.

use crate::page::cookie;
use axum::http::header::{HeaderMap, HeaderValue, SET_COOKIE};
use axum::response::Response;

const SESSION: &str = "firmeza_panel";
const DEVICE: &str = "firmeza_device";
const HALFWAY: &str = "firmeza_halfway";
/// Seconds for which a browser is known.
const DEVICE_TTL_SECONDS: u64 = 180 * 24 * 3600;
/// Seconds between password and code.
const HALFWAY_TTL_SECONDS: u64 = 600;

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
pub(crate) fn set_session(response: &mut Response, token: &str, https: bool) {
    set_cookie(response, SESSION, token, None, https);
}

pub(crate) fn set_device(response: &mut Response, token: &str, https: bool) {
    set_cookie(response, DEVICE, token, Some(DEVICE_TTL_SECONDS), https);
}

pub(crate) fn set_halfway(response: &mut Response, token: &str, https: bool) {
    set_cookie(response, HALFWAY, token, Some(HALFWAY_TTL_SECONDS), https);
}

pub(crate) fn remove_session(response: &mut Response, https: bool) {
    set_cookie(response, SESSION, "", Some(0), https);
}

pub(crate) fn remove_halfway(response: &mut Response, https: bool) {
    set_cookie(response, HALFWAY, "", Some(0), https);
}

fn name(stem: &str, https: bool) -> String {
    if https {
        format!("__Host-{stem}")
    } else {
        stem.to_owned()
    }
}

fn set_cookie(response: &mut Response, stem: &str, value: &str, age: Option<u64>, https: bool) {
    let (name, path_attributes) = (name(stem, https), if https { "/; Secure" } else { "/panel" });
    let age = age.map_or_else(String::new, |age| format!("; Max-Age={age}"));
    let cookie = format!("{name}={value}; Path={path_attributes}; HttpOnly; SameSite=Lax{age}");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_https_a_cookie_is_bound_to_its_host() {
        let mut response = Response::new(axum::body::Body::empty());
        set_session(&mut response, "t", true);
        remove_halfway(&mut response, false);
        let set: Vec<_> = response.headers().get_all(SET_COOKIE).iter().collect();
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
