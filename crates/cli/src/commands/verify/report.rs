//! The report that `--json` prints. Members are only ever added.

use pades::verify::SignatureJson;
use pki::cms::Certificate;
use serde::Serialize;

/// The whole outcome.
#[derive(Debug, Serialize)]
pub(super) struct VerifyReport {
    /// Whether every file is valid.
    pub(super) valid: bool,
    pub(super) files: Vec<File>,
}

/// The result for a file.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum File {
    Unreadable {
        file: String,
        verdict: &'static str,
        message: String,
    },
    Pdf(Pdf),
    Evidence(Box<Bundle>),
}

/// A PDF.
#[derive(Debug, Serialize)]
pub(super) struct Pdf {
    pub(super) file: String,
    pub(super) sha256: String,
    pub(super) size: usize,
    /// `valid`, `unknown_issuer`, `invalid`, `indeterminate`, `unsigned`, `only_timestamps` or `unreadable`.
    pub(super) verdict: &'static str,
    pub(super) message: String,
    pub(super) roots: Vec<RootFound>,
    pub(super) signatures: Vec<SignatureJson>,
    /// Contradictions to the bundles given alongside.
    pub(super) faults: Vec<FaultFound>,
    /// The bundles given alongside that name this very file.
    pub(super) evidence: Vec<Named>,
}

/// Where a bundle names a PDF.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Named {
    /// The bundle's file.
    pub(super) file: String,
    /// Whether the bundle is valid.
    pub(super) valid: bool,
    /// Whether the bundle is intact, be its issuer known or not.
    pub(super) intact: bool,
    pub(super) document: String,
    pub(super) name: String,
    /// `original`, `current` or `earlier`.
    pub(super) version: &'static str,
}

/// An evidence bundle.
#[derive(Debug, Serialize)]
pub(super) struct Bundle {
    pub(super) file: String,
    pub(super) sha256: String,
    /// `valid`, `unknown_issuer`, `invalid` or `unreadable`.
    pub(super) verdict: &'static str,
    pub(super) message: String,
    pub(super) roots: Vec<RootFound>,
    pub(super) folio: Option<FolioFound>,
    /// When it was sealed, as the seal's timestamp proves, in UTC.
    pub(super) sealed_at: Option<String>,
    pub(super) sealed_by: Option<String>,
    /// Events in the file, and events in all.
    pub(super) events: usize,
    pub(super) history_length: i64,
    /// Whether the file holds the whole history: events outside the file are not checked.
    pub(super) whole: bool,
    pub(super) documents: Vec<DocumentFound>,
    pub(super) signers: Vec<BundleSigner>,
    /// Personal values that the file does not have.
    pub(super) withheld: Vec<WithheldFound>,
    pub(super) faults: Vec<FaultFound>,
}

/// A personal value that is not in a bundle.
#[derive(Debug, Serialize)]
pub(super) struct WithheldFound {
    /// The event it belongs to.
    pub(super) event: i64,
    /// The place of its digest in the event's text, a JSON pointer.
    pub(super) field: String,
    /// Whether it was erased, and not only left out of this copy.
    pub(super) erased: bool,
}

/// The folio that a bundle is about.
#[derive(Debug, Serialize)]
pub(super) struct FolioFound {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) state: String,
    pub(super) company: String,
    pub(super) made_at: String,
    pub(super) made_by: String,
}

/// A signer, according to a bundle.
#[derive(Debug, Serialize)]
pub(super) struct BundleSigner {
    pub(super) name: String,
    pub(super) document: String,
    pub(super) state: String,
    pub(super) acted_at: Option<String>,
    pub(super) address: Option<String>,
}

/// A document that a bundle names.
#[derive(Debug, Serialize)]
pub(super) struct DocumentFound {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) original_sha256: String,
    pub(super) current_sha256: String,
    /// Every version that an act made.
    pub(super) earlier_sha256: Vec<String>,
    /// The files given alongside that are a version of it.
    pub(super) files: Vec<String>,
}

/// An error of a bundle, or of a PDF next to one.
#[derive(Debug, Serialize)]
pub(super) struct FaultFound {
    pub(super) name: &'static str,
    pub(super) message: String,
}

/// A root that was trusted.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RootFound {
    pub(super) subject: String,
    pub(super) sha256: String,
    /// `given` on the command line, from a `trusted_list`, of the authority whose certificate the installation `bought`,
    /// from an `evidence` bundle given alongside, or `embedded` in the file itself, which is then not trusted.
    pub(super) source: &'static str,
}

/// What a file means for the exit code, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    Valid,
    /// Intact, but no known root vouches for it.
    UnknownIssuer,
    NotValid,
}

impl Outcome {
    fn of(verdict: &str) -> Self {
        match verdict {
            "valid" => Self::Valid,
            "unknown_issuer" => Self::UnknownIssuer,
            _ => Self::NotValid,
        }
    }
}

impl File {
    pub(super) fn outcome(&self) -> Outcome {
        match self {
            Self::Unreadable { .. } => Outcome::NotValid,
            // What was sent carries no signature yet: evidence vouches for it.
            Self::Pdf(pdf) if pdf.verdict == "unsigned" => {
                let vouched = pdf.evidence.iter().map(|named| match named {
                    named if named.valid => Outcome::Valid,
                    named if named.intact => Outcome::UnknownIssuer,
                    _ => Outcome::NotValid,
                });
                vouched.min().unwrap_or(Outcome::NotValid)
            }
            Self::Pdf(pdf) => Outcome::of(pdf.verdict),
            Self::Evidence(bundle) => Outcome::of(bundle.verdict),
        }
    }
}

impl Bundle {
    /// Whether seal and contents hold, be the issuer known or not.
    pub(super) fn is_intact(&self) -> bool {
        Outcome::of(self.verdict) != Outcome::NotValid
    }

    /// Where it names the file with that hash.
    pub(super) fn names(&self, sha256: &str) -> Option<Named> {
        self.documents.iter().find_map(|document| {
            let version = if document.current_sha256 == sha256 {
                "current"
            } else if document.original_sha256 == sha256 {
                "original"
            } else if document.earlier_sha256.iter().any(|known| known == sha256) {
                "earlier"
            } else {
                return None;
            };
            Some(Named {
                file: self.file.clone(),
                valid: self.verdict == "valid",
                intact: self.is_intact(),
                document: document.id.clone(),
                name: document.name.clone(),
                version,
            })
        })
    }
}

impl RootFound {
    pub(super) fn of(certificate: &Certificate, source: &'static str) -> Self {
        Self {
            subject: certificate.subject(),
            sha256: domain::event::hex(certificate.sha256()),
            source,
        }
    }
}
