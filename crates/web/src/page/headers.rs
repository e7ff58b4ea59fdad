//! The security headers of pages.

use crate::assets::STYLE;
use askama::Template;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

/// Which sites may embed the pages, and the hash of the company's style.
#[derive(Debug, Clone, Default)]
pub(crate) struct Embedding {
    origins: String,
    style: Option<String>,
}

impl Embedding {
    /// Origins separated by blanks; malformed ones are dropped.
    pub(crate) fn of(origins: &str) -> Self {
        let plain = |origin: &&str| {
            let allowed = |c: char| c.is_ascii_alphanumeric() || ":/.-*".contains(c);
            (origin.starts_with("https://") || origin.starts_with("http://")) && origin.chars().all(allowed)
        };
        let kept: Vec<&str> = origins.split_ascii_whitespace().filter(plain).collect();
        Self {
            origins: kept.join(" "),
            style: None,
        }
    }

    /// The same for a page with one more style in it, by the hash that names it.
    #[must_use]
    pub(crate) fn styled(self, style: Option<String>) -> Self {
        Self { style, ..self }
    }

    pub(crate) fn is_allowed(&self) -> bool {
        !self.origins.is_empty()
    }
}

const PERMISSIONS: HeaderName = HeaderName::from_static("permissions-policy");
pub(crate) const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The headers of everything that people are sent.
pub(crate) fn headers(embedding: &Embedding) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let ancestors = if embedding.is_allowed() {
        embedding.origins.as_str()
    } else {
        headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
        "'none'"
    };
    let policy = format!(
        "default-src 'none'; img-src 'self' data:; style-src 'self' {}{}{}; script-src 'self'; connect-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-ancestors {ancestors}",
        STYLE.source,
        if embedding.style.is_some() { " " } else { "" },
        embedding.style.as_deref().unwrap_or_default(),
    );
    // The origins are checked, and the rest is constant.
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    for (name, value) in [
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (
            PERMISSIONS,
            "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        ),
        // A site that may embed the page may also open it in a tab, and is told there what happens.
        (
            OPENER_POLICY,
            if embedding.is_allowed() {
                "unsafe-none"
            } else {
                "same-origin"
            },
        ),
        (RESOURCE, "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
}

/// Renders a page with its headers.
pub(crate) fn render_page(status: StatusCode, page: &impl Template, embedding: &Embedding) -> Response {
    let mut headers = headers(embedding);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    // The template is checked when the program is built, and it writes to memory.
    (status, headers, page.render().unwrap_or_default()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_origins_may_embed() {
        let policy = |origins| {
            let headers = headers(&Embedding::of(origins));
            headers[CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned()
        };
        assert!(policy("").ends_with("frame-ancestors 'none'"));
        assert!(
            policy("javascript: https://a.co;script-src https://b.co")
                .ends_with("frame-ancestors https://b.co")
        );
        assert!(headers(&Embedding::default()).contains_key(X_FRAME_OPTIONS));
    }
}
