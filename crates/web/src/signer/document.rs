//! One document on a page of its own, some pages at a time.

use super::view::FormTarget;
use crate::page::document_view::DocumentView;
use crate::page::layout::PageLayout;
use askama::Template;

/// The page of one document.
#[derive(Debug, Template)]
#[template(path = "signer/document.html")]
pub(crate) struct DocumentPage {
    pub(crate) f: PageLayout,
    pub(crate) form_target: FormTarget,
    pub(crate) document: DocumentView,
}
