//! The outcome, as data.

use jiff::Timestamp;
use pdf::inspect::Refused;
use pki::cms::{Anchor, Certificate};

use super::reason::{Reason, Verdict};
use crate::sign::Permission;

/// What was found in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The file as a whole.
    pub verdict: FileVerdict,
    /// Its signatures, in the order of its form.
    pub signatures: Vec<SignatureReport>,
    /// The objects in its security store, of any signed revision, that are no certificate or revocation list.
    pub unread_evidence: Vec<u32>,
}

/// The verdict on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileVerdict {
    /// It cannot be read well enough to be believed.
    Unreadable(Refused),
    /// It carries no signature.
    Unsigned,
    /// It carries timestamps that hold and no signature: nobody signed it.
    OnlyTimestamps,
    /// Every signature is valid, and one at least is a person's or a service's.
    Valid,
    /// No signature is invalid, but something about one cannot be known.
    Indeterminate,
    /// A signature is invalid.
    Invalid,
}

/// What a signature is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignatureKind {
    /// Somebody approves the document.
    Approval,
    /// Somebody certifies it and says what may still be done to it.
    Certification(Permission),
    /// An authority attests when it existed.
    Timestamp,
}

/// What was found about one signature.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SignatureReport {
    /// The name of its field.
    pub field: String,
    /// What it is for.
    pub kind: SignatureKind,
    /// Whether it holds.
    pub verdict: Verdict,
    /// What is held against it, the worst first.
    pub reasons: Vec<Reason>,
    /// The subject of the signer's certificate.
    pub signer: Option<String>,
    /// The signer's certificate.
    pub certificate: Option<Certificate>,
    /// The level of a signature that holds.
    pub level: Option<Level>,
    /// The time the signer claims.
    pub claimed_time: Option<Timestamp>,
    /// The time at which it is proved to have existed.
    pub proved_time: Option<Timestamp>,
    /// The head of a history kept elsewhere that the signature carries.
    pub anchor: Option<Anchor>,
    /// Whether it covers the file to its last byte.
    pub covers_all: bool,
}

/// A language for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Español.
    Spanish,
    /// English.
    English,
}

impl Report {
    pub(super) fn new(signatures: Vec<SignatureReport>, unread_evidence: Vec<u32>) -> Self {
        let worst = signatures.iter().map(|signature| signature.verdict).max();
        let only_timestamps = signatures
            .iter()
            .all(|signature| signature.kind == SignatureKind::Timestamp);
        let verdict = match worst {
            None => FileVerdict::Unsigned,
            Some(Verdict::Invalid) => FileVerdict::Invalid,
            Some(_) if only_timestamps => FileVerdict::OnlyTimestamps,
            Some(Verdict::Valid) => FileVerdict::Valid,
            Some(Verdict::Indeterminate) => FileVerdict::Indeterminate,
        };
        Self {
            verdict,
            signatures,
            unread_evidence,
        }
    }
}

/// A level of `PAdES`; each one holds what the one before it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Level {
    /// A signature.
    B,
    /// With proof of when it existed.
    T,
    /// With what shows that no certificate was revoked, in the file itself.
    Lt,
    /// With a timestamp over all of that.
    Lta,
}

impl Level {
    /// The name of the level.
    pub const fn name(self) -> &'static str {
        match self {
            Self::B => "B-B",
            Self::T => "B-T",
            Self::Lt => "B-LT",
            Self::Lta => "B-LTA",
        }
    }
}
