//! The signers' pages: read, accept, code, done; and message pages where there is nothing to sign.
//!
//! A file per page. The extractors of [`auth`] in a handler's signature require the signer's session, and for a form the
//! CSRF token. Templates take plain data, so that `samples` can show every page without a database.

mod acts;
mod auth;
mod bulk;
mod choose_page;
mod codes;
mod cookies;
mod document;
mod done;
mod evidence;
mod files;
mod folio;
mod form_state;
mod identify;
mod language;
mod open;
mod picture;
mod proof_page;
mod prove;
mod reject;
pub mod samples;
mod search;
mod sentences;
mod session;
mod texts;
pub(crate) mod view;

pub(crate) use open::not_found;

use crate::Web;
use axum::Router;
use axum::routing::{get, post};

pub(crate) fn routes() -> Router<Web> {
    Router::new()
        .route("/sign", get(open::link))
        .route("/sign/identify", post(open::identify))
        .route("/language", post(language::choose))
        .route("/sign/bulk", get(open::bulk))
        .route("/sign/{party}", get(open::page))
        .route("/sign/{party}/code", post(acts::code))
        .route("/sign/{party}/sign", post(acts::sign))
        .route("/sign/{party}/reject", post(reject::reject))
        .route("/sign/{party}/proof-code", post(prove::code))
        .route("/sign/{party}/proof", post(prove::prove))
        .route("/sign/{party}/sign-out", post(acts::sign_out))
        .route("/sign/{party}/alive", post(acts::alive))
        .route("/sign/{party}/resume", get(open::resume))
        .route("/sign/{party}/evidence.json", get(evidence::json))
        .route("/sign/{party}/evidence.pdf", get(evidence::pdf))
        .route("/sign/{party}/shown", get(acts::shown))
        .route("/sign/{party}/search", get(search::search))
        .route("/sign/{party}/documents/{document}", get(files::file))
        .route("/sign/{party}/documents/{document}/view", get(files::view))
        .route(
            "/sign/{party}/documents/{document}/pages/{file}",
            get(files::page),
        )
}
