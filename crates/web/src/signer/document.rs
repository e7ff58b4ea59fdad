//! One document on a page of its own, a lot of pages at a time: where a list has no room for it.

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

/// Its pages alone, to be put into a page that is there.
#[derive(Debug, Template)]
#[template(path = "signer/fragment.html")]
pub(crate) struct Fragment {
    pub(crate) f: Frame,
    pub(crate) document: DocumentView,
}
