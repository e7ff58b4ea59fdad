//! The style sheets and scripts of the pages, compiled into the program. Their addresses contain their hash,
//! so that browsers may cache them for good.

use crate::Web;
use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, X_CONTENT_TYPE_OPTIONS};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use data_encoding::BASE64;
use domain::event::hex;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The style sheet of every page. Pages that must be seen at once carry it in themselves.
pub(crate) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "firmeza",
        "css",
        "text/css; charset=utf-8",
        include_str!("firmeza.css"),
    )
});
/// What the panel adds to it.
pub(crate) static PANEL_STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "panel",
        "css",
        "text/css; charset=utf-8",
        include_str!("panel.css"),
    )
});
/// The panel's copy buttons, drafts and keys. Its pages work without it.
pub(crate) static PANEL_SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "panel",
        "js",
        "text/javascript; charset=utf-8",
        concat!(include_str!("copy.js"), include_str!("panel.js")),
    )
});
/// What makes the signer's pages comfortable. They work without it.
pub(crate) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "signer",
        "js",
        "text/javascript; charset=utf-8",
        concat!(include_str!("copy.js"), include_str!("signer.js")),
    )
});
/// The reader of the documents on the signer's pages. Links lead to every page without it.
pub(crate) static READER_SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "reader",
        "js",
        "text/javascript; charset=utf-8",
        include_str!("reader.js"),
    )
});
/// What the guide for integrators adds to the style.
pub(crate) static DOCS_STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("docs", "css", "text/css; charset=utf-8", include_str!("docs.css")));
/// The guide's search, tabs, copy buttons and test forms. Its pages can be read without it.
pub(crate) static DOCS_SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(
        "docs",
        "js",
        "text/javascript; charset=utf-8",
        include_str!("docs.js"),
    )
});
/// What integrators load to open signing pages from theirs. Its address has no hash: it stands in their pages.
const EMBED_SCRIPT: &str = include_str!("firmeza-embed.js");

/// A file that is part of the program.
#[derive(Debug)]
pub(crate) struct Asset {
    file: String,
    /// Its type.
    pub(crate) kind: &'static str,
    /// Where it is served.
    pub(crate) address: String,
    /// As a content security policy names it.
    pub(crate) source: String,
    /// What it holds.
    pub(crate) text: String,
}

impl Asset {
    fn new(stem: &str, extension: &str, kind: &'static str, source: &str) -> Self {
        let text = if extension == "js" {
            without_comments(source)
        } else {
            source.to_owned()
        };
        let hash: [u8; 32] = Sha256::digest(text.as_bytes()).into();
        let file = format!("{stem}.{}.{extension}", &hex(&hash)[..16]);
        Self {
            address: format!("/assets/{file}"),
            source: format!("'sha256-{}'", BASE64.encode(&hash)),
            file,
            kind,
            text,
        }
    }
}

/// A script as browsers get it: its comments, which stand on lines of their own, are for those who read the code.
fn without_comments(script: &str) -> String {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    script.split_inclusive('\n').filter(is_code).collect()
}

pub(crate) fn routes() -> Router<Web> {
    Router::new()
        .route("/assets/{file}", get(serve))
        .route("/firmeza-embed.js", get(serve_embed_script))
}

/// All of them.
pub(crate) fn all() -> [&'static Asset; 7] {
    [
        &STYLE,
        &PANEL_STYLE,
        &PANEL_SCRIPT,
        &SCRIPT,
        &READER_SCRIPT,
        &DOCS_STYLE,
        &DOCS_SCRIPT,
    ]
}

async fn serve(Path(file): Path<String>) -> Response {
    let Some(asset) = all().into_iter().find(|asset| asset.file == file) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [
        (CONTENT_TYPE, asset.kind),
        (CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, asset.text.as_str()).into_response()
}

async fn serve_embed_script() -> Response {
    let headers = [
        (CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (CACHE_CONTROL, "public, max-age=3600"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CROSS_ORIGIN_RESOURCE_POLICY, "cross-origin"),
    ];
    (headers, EMBED_SCRIPT).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_served_without_their_comments() {
        for asset in all() {
            let comments = asset
                .text
                .lines()
                .filter(|line| line.trim_start().starts_with("//"));
            assert_eq!(comments.count(), 0, "{}", asset.address);
        }
        assert_eq!(without_comments("a;\n  // Why.\nb; // c\n"), "a;\nb; // c\n");
    }
}
