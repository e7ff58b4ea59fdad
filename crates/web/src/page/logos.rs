//! `/logos/{sha256}`: companies' logos, by the hash that pages name them with. A picture and nothing else.

use crate::Web;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, X_CONTENT_TYPE_OPTIONS,
};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use domain::Causes;

const RESOURCE: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

pub(crate) fn routes() -> Router<Web> {
    Router::new().route("/logos/{digest}", get(serve))
}

async fn serve(State(web): State<Web>, Path(digest): Path<String>) -> Response {
    let Some(digest) = decode_digest(&digest) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let logo = match web.app.logo(digest).await {
        Ok(logo) => logo,
        Err(app::Error::NotFound) => return StatusCode::NOT_FOUND.into_response(),
        Err(error) => {
            tracing::warn!(error = %Causes(&error), "a logo cannot be read");
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
    };
    // One of the two types that uploads accept.
    let kind = match logo.kind.as_str() {
        "image/jpeg" => "image/jpeg",
        _ => "image/png",
    };
    let headers = [
        (CONTENT_TYPE, kind),
        (CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"),
        (RESOURCE, "same-origin"),
    ];
    (headers, logo.bytes).into_response()
}

fn decode_digest(text: &str) -> Option<[u8; 32]> {
    let digest = data_encoding::HEXLOWER.decode(text.as_bytes());
    digest.ok()?.try_into().ok()
}
