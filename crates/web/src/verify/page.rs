//! The verification page: the public state of a document, the upload form, and the result.

use crate::page::layout::PageLayout;
use crate::page::request::PageRequest;
use askama::Template;
use domain::event::hex;
use store::PublicDocument;

/// The page.
#[derive(Debug, Template)]
#[template(path = "verify/page.html")]
pub(super) struct VerifyPage {
    pub(super) f: PageLayout,
    /// Where the form goes.
    pub(super) action: String,
    /// How large a file may be.
    pub(super) largest: String,
    /// The public state of the document in the address.
    pub(super) known: Option<KnownView>,
    /// Whether the document in the address is unknown.
    pub(super) unknown: bool,
    /// The error of the form.
    pub(super) error: Option<String>,
    pub(super) outcome: Option<VerificationView>,
}

/// The public state of a document, without personal data.
#[derive(Debug)]
pub(super) struct KnownView {
    pub(super) state: &'static str,
    pub(super) created: String,
    pub(super) changed: Option<String>,
    pub(super) original: String,
    pub(super) current: String,
}

/// The result of a verification.
#[derive(Debug)]
pub(super) struct VerificationView {
    pub(super) name: String,
    /// The drawing beside it.
    pub(super) shape: &'static str,
    pub(super) title: &'static str,
    pub(super) lead: String,
    /// Whether the file is the document in the address.
    pub(super) same: Option<String>,
    pub(super) sha256: String,
    pub(super) signatures: Vec<SignatureView>,
}

/// A signature, explained.
#[derive(Debug)]
pub(super) struct SignatureView {
    pub(super) who: String,
    pub(super) document: Option<String>,
    pub(super) kind: &'static str,
    /// `good`, `bad` or `wait`.
    pub(super) class: &'static str,
    pub(super) verdict: &'static str,
    pub(super) when: Option<String>,
    pub(super) level: Option<String>,
    pub(super) certificate: Option<String>,
    pub(super) issuer: Option<String>,
    pub(super) reasons: Vec<String>,
}

impl KnownView {
    pub(super) fn of(request: &PageRequest, known: &PublicDocument) -> Self {
        let zone = &request.web.settings.timezone;
        Self {
            state: request.l().folio_state(known.state),
            created: request.l().date(known.created_at, zone),
            changed: known.changed_at.map(|at| request.l().date(at, zone)),
            original: hex(&known.original),
            current: hex(&known.current),
        }
    }
}
