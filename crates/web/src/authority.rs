//! What readers of signed documents may ask of the installation's own authority: the certificate to trust, and the
//! lists of revoked certificates.

use crate::Web;
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

pub(crate) fn routes() -> Router<Web> {
    Router::new()
        .route("/authority/root.crt", get(root))
        .route("/authority/root.crl", get(root_list))
        .route("/authority/issuer.crl", get(issuer_list))
}

async fn root(State(web): State<Web>) -> Response {
    let certificate = web.app.notary.root().as_der().to_vec();
    ([(header::CONTENT_TYPE, "application/pkix-cert")], certificate).into_response()
}

async fn root_list(State(web): State<Web>) -> Response {
    list(&web, |[root, _]| root)
}

async fn issuer_list(State(web): State<Web>) -> Response {
    list(&web, |[_, issuer]| issuer)
}

/// A list is signed anew for whoever asks: two signatures, and never out of date.
fn list(web: &Web, which: impl FnOnce([Vec<u8>; 2]) -> Vec<u8>) -> Response {
    match web.app.notary.revocation_lists(web.app.clock.now()) {
        Ok(lists) => ([(header::CONTENT_TYPE, "application/pkix-crl")], which(lists)).into_response(),
        Err(error) => {
            tracing::error!(%error, "the list of revoked certificates could not be made");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
