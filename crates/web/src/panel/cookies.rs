//! The panel's cookies: the session, the known device, and the step between password and code.

use crate::page::{host_bound_name, new_cookie, read_cookie, set_cookie};
use axum::http::header::HeaderMap;
use axum::response::Response;
use std::time::Duration;

const SESSION: &str = "firmeza_panel";
const DEVICE: &str = "firmeza_device";
const HALFWAY: &str = "firmeza_halfway";
const FLOW: &str = "firmeza_provider";
const COMPANY: &str = "firmeza_company";
const LANGUAGE: &str = "firmeza_panel_language";
/// For how long a browser is known.
const DEVICE_TTL: Duration = Duration::from_hours(180 * 24);
/// For how long a browser remembers the language.
const LANGUAGE_TTL: Duration = Duration::from_hours(365 * 24);
/// The time between password and code, and at an identity provider.
const HALFWAY_TTL: Duration = Duration::from_mins(10);

pub(crate) fn session(headers: &HeaderMap, https: bool) -> Option<&str> {
    read_cookie(headers, &host_bound_name(SESSION, https))
}

pub(crate) fn device(headers: &HeaderMap, https: bool) -> Option<&str> {
    read_cookie(headers, &host_bound_name(DEVICE, https))
}

pub(crate) fn halfway(headers: &HeaderMap, https: bool) -> Option<&str> {
    read_cookie(headers, &host_bound_name(HALFWAY, https))
}

/// Sets the session cookie, which ends with the browser.
pub(crate) fn set_session(response: &mut Response, token: &str, https: bool) {
    set(response, SESSION, token, None, https);
}

pub(crate) fn set_device(response: &mut Response, token: &str, https: bool) {
    set(response, DEVICE, token, Some(DEVICE_TTL), https);
}

pub(crate) fn set_halfway(response: &mut Response, token: &str, https: bool) {
    set(response, HALFWAY, token, Some(HALFWAY_TTL), https);
}

/// The sign-in by an identity provider that is on its way.
pub(crate) fn flow(headers: &HeaderMap, https: bool) -> Option<&str> {
    read_cookie(headers, &host_bound_name(FLOW, https))
}

/// The identity provider by which this browser signed in last.
pub(crate) fn company(headers: &HeaderMap, https: bool) -> Option<&str> {
    read_cookie(headers, &host_bound_name(COMPANY, https))
}

pub(crate) fn language(headers: &HeaderMap, https: bool) -> Option<&str> {
    read_cookie(headers, &host_bound_name(LANGUAGE, https))
}

pub(crate) fn set_flow(response: &mut Response, flow: &str, https: bool) {
    set(response, FLOW, flow, Some(HALFWAY_TTL), https);
}

pub(crate) fn remove_flow(response: &mut Response, https: bool) {
    set(response, FLOW, "", Some(Duration::ZERO), https);
}

pub(crate) fn set_company(response: &mut Response, provider: &str, https: bool) {
    set(response, COMPANY, provider, Some(DEVICE_TTL), https);
}

pub(crate) fn set_language(response: &mut Response, code: &str, https: bool) {
    set(response, LANGUAGE, code, Some(LANGUAGE_TTL), https);
}

pub(crate) fn remove_session(response: &mut Response, https: bool) {
    set(response, SESSION, "", Some(Duration::ZERO), https);
}

pub(crate) fn remove_halfway(response: &mut Response, https: bool) {
    set(response, HALFWAY, "", Some(Duration::ZERO), https);
}

fn set(response: &mut Response, name: &str, value: &str, age: Option<Duration>, https: bool) {
    // A name that is bound to the host is for the whole of it.
    let path = if https { "/" } else { "/panel" };
    let cookie = new_cookie(host_bound_name(name, https), value, path, age, https);
    set_cookie(response.headers_mut(), &cookie);
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header::SET_COOKIE;

    #[test]
    fn on_https_a_cookie_is_bound_to_its_host() {
        let mut response = Response::new(axum::body::Body::empty());
        set_session(&mut response, "t", true);
        remove_halfway(&mut response, false);
        let set: Vec<_> = response.headers().get_all(SET_COOKIE).iter().collect();
        assert_eq!(
            set[0],
            "__Host-firmeza_panel=t; HttpOnly; SameSite=Lax; Secure; Path=/"
        );
        assert_eq!(
            set[1],
            "firmeza_halfway=; HttpOnly; SameSite=Lax; Path=/panel; Max-Age=0"
        );
    }
}
