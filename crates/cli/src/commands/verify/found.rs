//! What was found, as `--json` prints it. Members are only ever added.

use pades::cms::Certificate;
use serde::Serialize;

/// The whole outcome.
#[derive(Debug, Serialize)]
pub(super) struct Found {
    /// Whether every file is valid.
    pub(super) valid: bool,
    pub(super) files: Vec<File>,
}

/// What was found about a file.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum File {
    Unreadable {
        file: String,
        verdict: &'static str,
        message: String,
    },
    Pdf(Pdf),
}

/// A PDF.
#[derive(Debug, Serialize)]
pub(super) struct Pdf {
    pub(super) file: String,
    pub(super) sha256: String,
    pub(super) size: usize,
    /// `valid`, `invalid`, `indeterminate`, `unsigned` or `unreadable`.
    pub(super) verdict: &'static str,
    pub(super) message: String,
    pub(super) roots: Vec<RootFound>,
    pub(super) signatures: Vec<SignatureFound>,
}

/// A root that was trusted.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RootFound {
    pub(super) subject: String,
    pub(super) sha256: String,
    /// `given` on the command line, or `embedded` in the file itself.
    pub(super) source: &'static str,
}

/// A signature of a PDF.
#[derive(Debug, Serialize)]
pub(super) struct SignatureFound {
    pub(super) field: String,
    /// `approval`, `certification` or `timestamp`.
    pub(super) kind: &'static str,
    /// `valid`, `invalid` or `indeterminate`.
    pub(super) verdict: &'static str,
    /// `B-B`, `B-T`, `B-LT` or `B-LTA`.
    pub(super) level: Option<&'static str>,
    pub(super) signer: Option<SignerFound>,
    /// The time the signer claims, in UTC.
    pub(super) claimed_at: Option<String>,
    /// When it is proved to have existed, in UTC.
    pub(super) proved_at: Option<String>,
    pub(super) covers_whole_file: bool,
    pub(super) reasons: Vec<ReasonFound>,
}

/// Who signed, by the certificate.
#[derive(Debug, Serialize)]
pub(super) struct SignerFound {
    pub(super) name: Option<String>,
    /// The identity document, as certificates write it.
    pub(super) document: Option<String>,
    pub(super) subject: String,
    pub(super) issuer: String,
    pub(super) certificate_sha256: String,
}

/// What is held against a signature.
#[derive(Debug, Serialize)]
pub(super) struct ReasonFound {
    pub(super) name: &'static str,
    pub(super) message: String,
}

impl File {
    pub(super) fn is_valid(&self) -> bool {
        match self {
            Self::Unreadable { .. } => false,
            Self::Pdf(pdf) => pdf.verdict == "valid",
        }
    }
}

impl RootFound {
    pub(super) fn of(certificate: &Certificate, source: &'static str) -> Self {
        Self {
            subject: certificate.subject(),
            sha256: domain::history::hex(certificate.sha256()),
            source,
        }
    }
}

impl SignerFound {
    pub(super) fn of(certificate: &Certificate) -> Self {
        Self {
            name: certificate.common_name(),
            document: certificate.subject_serial_number(),
            subject: certificate.subject(),
            issuer: certificate.issuer(),
            certificate_sha256: domain::history::hex(certificate.sha256()),
        }
    }
}
