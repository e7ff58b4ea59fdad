//! The page after signing: the signed folio, the copies, and the return link.

use super::session::SignerSession;
use super::view::{FormTarget, Step};
use crate::page::Lang;
use crate::page::layout::PageLayout;
use crate::page::message_page::ReturnLink;
use crate::page::request::PageRequest;
use askama::Template;
use domain::mask::masked;
use domain::{Channel, Document, FolioState};

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
    /// The evidence: of each part a file for people and one for programs.
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

/// Why a folio that the reader has signed ended without all signatures, if it did.
pub(crate) const fn ended_after_signature(l: Lang, state: FolioState) -> Option<&'static str> {
    match state {
        FolioState::Cancelled => Some(l.signed_cancelled()),
        FolioState::RejectedBySigner => Some(l.signed_rejected_other()),
        _ => None,
    }
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

/// The evidence to keep, part by part; of a bulk signature, that of one folio. A signer who checks it without the service needs
/// both files: the report names them in its command.
pub(crate) fn evidence(l: Lang, path: &str, folio: Option<&str>, parts: usize) -> Vec<FileLink> {
    let of_part = |part: usize| {
        let query = match (folio, part) {
            (None, 1) => String::new(),
            (None, _) => format!("?part={part}"),
            (Some(folio), 1) => format!("?folio={folio}"),
            (Some(folio), _) => format!("?folio={folio}&part={part}"),
        };
        let files = [
            ("evidence.pdf", l.evidence()),
            ("evidence.json", l.evidence_json()),
        ];
        files.map(|(file, name)| FileLink {
            name: l.evidence_part(name, part, parts),
            address: format!("{path}/{file}{query}"),
            verify: None,
        })
    };
    (1..=parts).flat_map(of_part).collect()
}
