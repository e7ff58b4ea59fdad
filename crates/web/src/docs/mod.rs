//! `/docs` and `/docs/en`: the guide for integrators, from the chapters in the repository. `/openapi.json`: the same for
//! machines. Both are part of the program and ask nothing of the network.

mod chapters;
mod error_list;
mod guide;
mod markdown;
mod texts;
mod try_it;

use crate::Web;
use crate::page::{Embedding, PanelLang, headers};
use axum::Router;
use axum::body::Bytes;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use axum::response::IntoResponse;
use axum::routing::get;
use guide::Guide;
use serde_json::Value;
use std::sync::{Arc, LazyLock};

/// The guide is rendered when its first page is asked for: a start does not wait for it.
type LazyGuide = LazyLock<Guide, Box<dyn FnOnce() -> Guide + Send>>;

/// The chapters, the search indexes and the description, for an installation at that address.
pub(crate) fn routes(base_url: &str, description: Value) -> Router<Web> {
    let json = Bytes::from(description.to_string());
    let base_url = base_url.to_owned();
    let guide: Arc<LazyGuide> = Arc::new(LazyLock::new(Box::new(move || {
        Guide::render(&base_url, &description)
    })));
    let mut router = Router::new().route(
        "/openapi.json",
        get(move || async move { respond("application/json", json) }),
    );
    for lang in PanelLang::ALL {
        for index in 0..chapters::ALL.len() {
            let guide = guide.clone();
            let page = move || async move { respond("text/html; charset=utf-8", guide.page(lang, index)) };
            router = router.route(&chapters::address(lang, index), get(page));
        }
        let guide = guide.clone();
        let index = move || async move { respond("application/json", guide.search_index(lang)) };
        router = router.route(chapters::search_address(lang), get(index));
    }
    router
}

fn respond(kind: &'static str, body: Bytes) -> impl IntoResponse {
    let mut headers = headers(&Embedding::default());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    (headers, body)
}
