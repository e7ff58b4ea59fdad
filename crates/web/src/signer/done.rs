//! The page after signing: the signed folio, the copies, and the return link.

use super::session::SignerSession;
use super::view::{FormTarget, Step};
use crate::page::Lang;
use crate::page::layout::PageLayout;
use crate::page::message_page::ReturnLink;
use crate::page::request::PageRequest;
use askama::Template;
use domain::mask::masked;
use domain::{Channel, Document};

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
    /// Whether the service writes to the signers by itself.
    pub(crate) writes: bool,
    /// Where the receipt went, if one was sent just now.
    pub(crate) receipt: Option<String>,
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

/// Where the receipt went, as it is told to its reader.
pub(crate) fn receipt_sent(request: &PageRequest, signer_session: &SignerSession) -> String {
    let email = signer_session.signing.person.contact.email.as_str();
    request.l().receipt_sent(&masked(Channel::Email, email))
}

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
