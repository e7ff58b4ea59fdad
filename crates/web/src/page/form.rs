//! Forms, the check of their origin, and redirects.

use super::headers::{Embedding, OPENER_POLICY, headers};
use crate::Web;
use axum::body::{Body, to_bytes};
use axum::http::StatusCode;
use axum::http::header::{HOST, HeaderMap, HeaderName, HeaderValue, LOCATION, ORIGIN};
use axum::response::Response;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// Fields that are looked at.
const MAX_FIELDS: usize = 256;

/// The page of a signer's form, by the form's address. The identification form belongs to a folio's link: without the link there
/// is only the page that says so.
pub(crate) fn signer_page_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("/sign", |(page, _)| page)
}

/// The fields of a form, in their order.
#[derive(Debug, Default)]
pub(crate) struct FormFields(Vec<(String, String)>);

impl FormFields {
    /// Reads a form of so many bytes; nothing when it is larger, or does not come in time.
    pub(crate) async fn read(web: &Web, body: Body, max_bytes: usize) -> Option<Self> {
        let read = tokio::time::timeout(web.settings.body_grace, to_bytes(body, max_bytes)).await;
        let bytes = read.ok()?.ok()?;
        let fields = form_urlencoded::parse(&bytes).into_owned().take(MAX_FIELDS);
        Some(Self(fields.collect()))
    }

    /// The fields of another kind of form.
    pub(crate) const fn of(fields: Vec<(String, String)>) -> Self {
        Self(fields)
    }

    /// A field, or an empty text; the last value of a repeated field.
    pub(crate) fn get(&self, name: &str) -> &str {
        let found = self.0.iter().rev().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value.as_str())
    }

    /// Whether a box is ticked.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// Every value of a field that may come several times.
    pub(crate) fn all<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f str> {
        let named = move |field: &&(String, String)| field.0 == name;
        self.0.iter().filter(named).map(|(_, value)| value.as_str())
    }
}

/// Whether a form was sent from this service's own pages. Browsers say so in `Sec-Fetch-Site` or `Origin`. A
/// page that hides the referrer sends `Origin: null`; a browser without `Sec-Fetch-Site` is then left to the
/// CSRF token.
pub(crate) fn is_same_origin(web: &Web, sent: &HeaderMap, allow_null_origin: bool) -> bool {
    let text = |name: HeaderName| sent.get(name).and_then(|value| value.to_str().ok());
    if sent.contains_key(FETCH_SITE) {
        let mut sites = sent.get_all(FETCH_SITE).iter();
        return sites.all(|site| site == "same-origin");
    }
    match text(ORIGIN) {
        None => true,
        Some("null") => allow_null_origin,
        Some(origin) => {
            let host = origin.split_once("://").map(|(_, host)| host);
            host.is_some() && host == text(HOST) || web.settings.base_url == origin
        }
    }
}

/// A redirect to a page of this service (303).
pub(crate) fn see_other(path: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    *response.headers_mut() = headers(&Embedding::default());
    // A redirect shows nothing, and its policy would cut a tab off from the site that opened it.
    response.headers_mut().remove(OPENER_POLICY);
    if let Ok(path) = HeaderValue::from_str(path) {
        response.headers_mut().insert(LOCATION, path);
    }
    response
}
