//! The result of verification, as data.

use jiff::Timestamp;
use pdf::inspect::Refused;
use pki::cms::{Anchor, Certificate};

use super::reason::{Reason, Verdict};
use crate::sign::Permission;

/// The result for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The file as a whole.
    pub verdict: FileVerdict,
    /// Its signatures, in the order of its form.
    pub signatures: Vec<SignatureReport>,
    /// Objects in its security store, of any signed revision, that are no certificate, revocation list
    /// or OCSP response.
    pub unread_validation_data: Vec<u32>,
}

/// The verdict on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileVerdict {
    /// It cannot be read well enough to be verified.
    Unreadable(Refused),
    /// It carries no signature.
    Unsigned,
    /// It carries valid timestamps and no signature of a person or a service.
    OnlyTimestamps,
    /// Every signature is valid, and one at least is a person's or a service's.
    Valid,
    /// No signature is invalid, but something about one cannot be known.
    Indeterminate,
    /// A signature is invalid.
    Invalid,
}

/// The purpose of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignatureKind {
    /// The signer approves the document.
    Approval,
    /// The signer certifies the document and limits later changes.
    Certification(Permission),
    /// An authority proves when the document existed.
    Timestamp,
}

/// The result for one signature.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SignatureReport {
    /// The name of its field.
    pub field: String,
    /// Its purpose.
    pub kind: SignatureKind,
    /// Whether it is valid.
    pub verdict: Verdict,
    /// The reasons of the verdict, the worst first.
    pub reasons: Vec<Reason>,
    /// The subject of the signer's certificate.
    pub signer: Option<String>,
    /// The signer's certificate.
    pub certificate: Option<Certificate>,
    /// The level of a signature that is not invalid.
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

impl Report {
    pub(super) fn new(signatures: Vec<SignatureReport>, unread_validation_data: Vec<u32>) -> Self {
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
            unread_validation_data,
        }
    }

    /// Whether the file is intact, and an unknown issuer is all that keeps it from being valid.
    pub fn lacks_only_issuer(&self) -> bool {
        self.lacks_only(SignatureReport::lacks_only_issuer)
    }

    /// The same, or that nothing says whether another authority has revoked a certificate.
    pub fn lacks_only_trust(&self) -> bool {
        self.lacks_only(SignatureReport::lacks_only_trust)
    }

    fn lacks_only(&self, what: fn(&SignatureReport) -> bool) -> bool {
        let open = |one: &&SignatureReport| one.verdict == Verdict::Indeterminate;
        self.verdict == FileVerdict::Indeterminate && self.signatures.iter().filter(open).all(what)
    }
}

impl SignatureReport {
    /// Whether the signature is intact, and an unknown issuer is all that keeps it from being valid.
    pub fn lacks_only_issuer(&self) -> bool {
        self.lacks_only(Reason::is_unknown_issuer)
    }

    /// The same, or that nothing says whether another authority has revoked a certificate.
    pub fn lacks_only_trust(&self) -> bool {
        self.lacks_only(Reason::is_lack_of_trust)
    }

    fn lacks_only(&self, what: fn(&Reason) -> bool) -> bool {
        let mut open = self
            .reasons
            .iter()
            .filter(|reason| reason.verdict() != Verdict::Valid);
        self.verdict == Verdict::Indeterminate && open.all(what)
    }
}

/// A level of `PAdES`; each one includes the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Level {
    /// A signature.
    B,
    /// With proof of when it existed.
    T,
    /// With proof in the file itself that no certificate was revoked.
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
