//! The result for a signature as JSON. Members are only ever added.

use data_encoding::HEXLOWER;
use pki::cms::Certificate;
use serde::Serialize;

use super::Language;
use super::conclusion::SubIndication;
use super::reason::{Reason, Verdict};
use super::report::{FileVerdict, Level, SignatureKind, SignatureReport};

/// A signature of a PDF.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct SignatureJson {
    /// The name of its field.
    pub field: String,
    /// `approval`, `certification` or `timestamp`.
    pub kind: &'static str,
    /// `valid`, `unknown_issuer`, `invalid` or `indeterminate`.
    pub verdict: &'static str,
    /// `TOTAL-PASSED`, `TOTAL-FAILED` or `INDETERMINATE` (ETSI EN 319 102-1).
    pub indication: &'static str,
    /// Why it did not pass, such as `HASH_FAILURE` or `NO_CERTIFICATE_CHAIN_FOUND` (the same standard).
    pub sub_indication: Option<&'static str>,
    /// `B-B`, `B-T`, `B-LT` or `B-LTA`.
    pub level: Option<&'static str>,
    /// Who signed.
    pub signer: Option<SignerJson>,
    /// The time the signer claims, in UTC.
    pub claimed_at: Option<String>,
    /// When it is proved to have existed, in UTC.
    pub proved_at: Option<String>,
    /// The last event of the folio's history when it was signed, as the signature itself says.
    pub anchor: Option<AnchorJson>,
    /// Whether it covers the file to its last byte.
    pub covers_whole_file: bool,
    /// The reasons of the verdict, the worst first.
    pub reasons: Vec<ReasonJson>,
}

/// The head of a folio's history.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct AnchorJson {
    /// The number of its last event.
    pub event: u64,
    /// That event's hash.
    pub hash: String,
}

/// Who signed, by the certificate.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct SignerJson {
    /// The common name.
    pub name: Option<String>,
    /// The identity document, as certificates write it.
    pub document: Option<String>,
    /// The subject.
    pub subject: String,
    /// The issuer.
    pub issuer: String,
    /// The certificate's hash.
    pub certificate_sha256: String,
}

/// A reason against a signature.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct ReasonJson {
    /// Its name, which does not change.
    pub name: &'static str,
    /// The sub-indication it leads to.
    pub sub_indication: &'static str,
    /// The reason as a sentence.
    pub message: String,
}

impl SignatureJson {
    /// A signature: `trusted` as the trusted roots vouch for it, `own` as the roots in the file itself do. Both are the same
    /// where no root in the file was asked.
    pub fn new(trusted: &SignatureReport, own: &SignatureReport, language: Language) -> Self {
        let holds = own.verdict == Verdict::Valid || own.lacks_only_trust();
        let (indication, sub_indication) = trusted.conclusion();
        let reason = |reason: &Reason| ReasonJson {
            name: reason.name(),
            sub_indication: reason.sub_indication().name(),
            message: reason.text(language),
        };
        Self {
            field: own.field.clone(),
            kind: match own.kind {
                SignatureKind::Certification(_) => "certification",
                SignatureKind::Timestamp => "timestamp",
                SignatureKind::Approval => "approval",
            },
            verdict: match own.verdict {
                _ if trusted.lacks_only_issuer() && holds => UNKNOWN_ISSUER,
                Verdict::Valid => "valid",
                Verdict::Indeterminate => "indeterminate",
                Verdict::Invalid => "invalid",
            },
            indication: indication.name(),
            sub_indication: sub_indication.map(SubIndication::name),
            level: own.level.map(Level::name),
            signer: own.certificate.as_ref().map(SignerJson::new),
            claimed_at: own.claimed_time.map(|at| at.to_string()),
            proved_at: own.proved_time.map(|at| at.to_string()),
            anchor: own.anchor.map(|anchor| AnchorJson {
                event: anchor.number,
                hash: HEXLOWER.encode(&anchor.hash),
            }),
            covers_whole_file: own.covers_all,
            reasons: own.reasons.iter().map(reason).collect(),
        }
    }
}

impl SignerJson {
    fn new(certificate: &Certificate) -> Self {
        Self {
            name: certificate.common_name(),
            document: certificate.subject_serial_number(),
            subject: certificate.subject(),
            issuer: certificate.issuer(),
            certificate_sha256: HEXLOWER.encode(certificate.sha256()),
        }
    }
}

/// The verdict in JSON on a file or a signature that is intact, but for which no known root vouches.
pub const UNKNOWN_ISSUER: &str = "unknown_issuer";

impl FileVerdict {
    /// The verdict in JSON.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            Self::Indeterminate => "indeterminate",
            Self::Unsigned => "unsigned",
            Self::OnlyTimestamps => "only_timestamps",
            Self::Unreadable(_) => "unreadable",
        }
    }
}
