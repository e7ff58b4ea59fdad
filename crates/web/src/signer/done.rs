//! The page after signing: the signed folio, the copies, and the return link.

use super::view::{FormTarget, Step};
use crate::page::Lang;
use crate::page::layout::PageLayout;
use crate::page::message_page::ReturnLink;
use askama::Template;
use domain::Document;

/// The page of a signer who has signed.
#[derive(Debug, Template)]
#[template(path = "signer/done.html")]
pub(crate) struct DonePage {
    pub(crate) f: PageLayout,
    pub(crate) form_target: FormTarget,
    pub(crate) name: String,
    /// Whether the signer has just signed.
    pub(crate) just_now: bool,
    pub(crate) signed_at: Option<String>,
    /// How many others still have to sign.
    pub(crate) missing: usize,
    /// Why the folio ended without all signatures, if it did.
    pub(crate) ended: Option<&'static str>,
    pub(crate) copies: Vec<FileLink>,
    /// The evidence, a file a part.
    pub(crate) evidence: Vec<FileLink>,
    pub(crate) back: ReturnLink,
    /// Seconds after which the browser returns by itself, if it does.
    pub(crate) returns_after: Option<u32>,
}

/// Seconds that a signer has to read the page before the browser returns by itself.
pub(crate) const RETURN_SECONDS: u32 = 15;

/// A file to keep.
#[derive(Debug, Clone)]
pub(crate) struct FileLink {
    pub(crate) name: String,
    pub(crate) address: String,
    /// Where its signatures can be verified.
    pub(crate) verify: Option<String>,
}

/// The documents to keep.
pub(crate) fn copies(path: &str, documents: &[Document]) -> Vec<FileLink> {
    let copy = |document: &Document| FileLink {
        name: document.name.as_str().to_owned(),
        address: format!("{path}/documents/{}", document.id),
        verify: Some(format!("/verify/{}", document.id)),
    };
    documents.iter().map(copy).collect()
}

/// The evidence to keep: the file at that address, and the parts that follow it.
pub(crate) fn evidence(l: Lang, address: &str, parts: usize) -> Vec<FileLink> {
    let separator = if address.contains('?') { '&' } else { '?' };
    let part = |part: usize| FileLink {
        name: l.evidence_part(part, parts),
        address: if part > 1 {
            format!("{address}{separator}part={part}")
        } else {
            address.to_owned()
        },
        verify: None,
    };
    (1..=parts).map(part).collect()
}
