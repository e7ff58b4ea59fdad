//! The page that asks a signer for the type and number of the identity document: a folio's link names no signer.

use crate::page::layout::PageLayout;
use askama::Template;
use domain::DocumentType;

/// The page that asks.
#[derive(Debug, Template)]
#[template(path = "signer/identify.html")]
pub(crate) struct IdentifyPage {
    pub(crate) f: PageLayout,
    /// The link's token.
    pub(crate) token: String,
    pub(crate) chosen: DocumentType,
    pub(crate) typed: String,
    pub(crate) error: Option<String>,
}

const TYPES: [DocumentType; 4] = [
    DocumentType::CitizenCard,
    DocumentType::ForeignerCard,
    DocumentType::TaxNumber,
    DocumentType::MinorCard,
];
