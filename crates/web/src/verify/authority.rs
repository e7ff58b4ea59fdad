//! The public files of the installation's certificate authority: the root certificate and the revocation
//! lists.

use crate::Web;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use domain::Causes;

pub(crate) fn routes() -> Router<Web> {
    Router::new()
        .route("/authority/root.crt", get(root))
        .route("/authority/root.crl", get(root_list))
        .route("/authority/{list}", get(issuer_list))
}

async fn root(State(web): State<Web>) -> Response {
    let certificate = web.app.notary.root().as_der().to_vec();
    ([(header::CONTENT_TYPE, "application/pkix-cert")], certificate).into_response()
}

async fn root_list(State(web): State<Web>) -> Response {
    list(&web, 0)
}

/// `issuer.crl` is the first issuer's list, `issuer-2.crl` that of the one after a rotation, and so on.
async fn issuer_list(State(web): State<Web>, Path(name): Path<String>) -> Response {
    let generation = name
        .strip_prefix("issuer")
        .and_then(|rest| rest.strip_suffix(".crl"));
    let generation = generation.and_then(|rest| match rest.strip_prefix('-') {
        None => rest.is_empty().then_some(1),
        Some(digits) => digits.parse().ok().filter(|later: &usize| *later > 1),
    });
    match generation {
        Some(generation) => list(&web, generation),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The list is signed for each request: it costs one signature, and is never out of date.
fn list(web: &Web, index: usize) -> Response {
    match web.app.notary.revocation_lists(web.app.clock.now()) {
        Ok(lists) => match lists.into_iter().nth(index) {
            Some(list) => ([(header::CONTENT_TYPE, "application/pkix-crl")], list).into_response(),
            None => StatusCode::NOT_FOUND.into_response(),
        },
        Err(error) => {
            tracing::error!(error = %Causes(&error), "the list of revoked certificates could not be made");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
