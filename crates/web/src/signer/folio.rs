//! The page of a folio that can be signed: read, accept, enter the code; or reject.

use super::view::{ActView, FormTarget, RejectView, SignerView, Step};
use crate::page::document_view::DocumentView;
use crate::page::layout::PageLayout;
use askama::Template;

/// The page of a folio that can be signed.
#[derive(Debug, Template)]
#[template(path = "signer/folio.html")]
pub(crate) struct SigningPage {
    pub(crate) f: PageLayout,
    pub(crate) form_target: FormTarget,
    pub(crate) name: String,
    pub(crate) message: String,
    /// Until when it can be signed, where it expires.
    pub(crate) until: Option<String>,
    pub(crate) signer: SignerView,
    pub(crate) documents: Vec<DocumentView>,
    pub(crate) act: ActView,
    pub(crate) reject: RejectView,
}

impl SigningPage {
    /// The document page that is visible first, to be preloaded: its document's address, and its number.
    fn first(&self) -> Option<(&str, u32)> {
        self.documents.iter().find_map(|document| {
            let page = document.pages.iter().find(|page| page.first)?;
            Some((document.address.as_str(), page.number))
        })
    }
}
