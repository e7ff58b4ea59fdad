//! One document on a page of its own, some pages at a time.

use super::frame::Frame;
use super::view::{Desk, DocumentView};
use askama::Template;

/// The page of one document.
#[derive(Debug, Template)]
#[template(path = "signer/document.html")]
pub(crate) struct DocumentPage {
    pub(crate) f: Frame,
    pub(crate) desk: Desk,
    pub(crate) document: DocumentView,
}

/// Its pages alone, for a script to insert.
#[derive(Debug, Template)]
#[template(path = "signer/fragment.html")]
pub(crate) struct Fragment {
    pub(crate) f: Frame,
    pub(crate) document: DocumentView,
}
