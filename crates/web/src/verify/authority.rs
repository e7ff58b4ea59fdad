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
        .route("/authority/{list}", get(list))
}

async fn root(State(web): State<Web>) -> Response {
    let certificate = web.app.notary.root().as_der().to_vec();
    ([(header::CONTENT_TYPE, "application/pkix-cert")], certificate).into_response()
}

/// `root.crl` is the root's list, `issuer.crl` the first issuer's, `issuer-2.crl` that of the one after a rotation, and so on.
/// The list is signed for each request: it costs a signature for each issuer, and is never out of date.
async fn list(State(web): State<Web>, Path(name): Path<String>) -> Response {
    match web.app.notary.revocation_list(&name, web.app.clock.now()) {
        Ok(Some(list)) => ([(header::CONTENT_TYPE, "application/pkix-crl")], list).into_response(),
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(error) => {
            tracing::error!(error = %Causes(&error), "the list of revoked certificates could not be made");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
