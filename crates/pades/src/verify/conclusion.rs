//! The outcome in the words of ETSI EN 319 102-1: an indication and a sub-indication for each signature.

use pki::authority::PathError;
use pki::cms::CmsError;
use pki::time::TimeStampTokenError;

use super::reason::{Reason, Verdict};
use super::report::SignatureReport;

/// The indication of ETSI EN 319 102-1, section 5.1.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Indication {
    /// Every check passed.
    TotalPassed,
    /// A check failed.
    TotalFailed,
    /// The checks do not allow a conclusion.
    Indeterminate,
}

impl Indication {
    /// The name in the standard.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TotalPassed => "TOTAL-PASSED",
            Self::TotalFailed => "TOTAL-FAILED",
            Self::Indeterminate => "INDETERMINATE",
        }
    }
}

/// Why a signature did not pass, by the names of ETSI EN 319 102-1, tables 5 and 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SubIndication {
    FormatFailure,
    HashFailure,
    SigCryptoFailure,
    SigConstraintsFailure,
    ChainConstraintsFailure,
    CertificateChainGeneralFailure,
    CryptoConstraintsFailure,
    NoSigningCertificateFound,
    NoCertificateChainFound,
    RevokedNoPoe,
    OutOfBoundsNoPoe,
    TimestampOrderFailure,
    NoPoe,
    TryLater,
}

impl SubIndication {
    /// The name in the standard.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FormatFailure => "FORMAT_FAILURE",
            Self::HashFailure => "HASH_FAILURE",
            Self::SigCryptoFailure => "SIG_CRYPTO_FAILURE",
            Self::SigConstraintsFailure => "SIG_CONSTRAINTS_FAILURE",
            Self::ChainConstraintsFailure => "CHAIN_CONSTRAINTS_FAILURE",
            Self::CertificateChainGeneralFailure => "CERTIFICATE_CHAIN_GENERAL_FAILURE",
            Self::CryptoConstraintsFailure => "CRYPTO_CONSTRAINTS_FAILURE",
            Self::NoSigningCertificateFound => "NO_SIGNING_CERTIFICATE_FOUND",
            Self::NoCertificateChainFound => "NO_CERTIFICATE_CHAIN_FOUND",
            Self::RevokedNoPoe => "REVOKED_NO_POE",
            Self::OutOfBoundsNoPoe => "OUT_OF_BOUNDS_NO_POE",
            Self::TimestampOrderFailure => "TIMESTAMP_ORDER_FAILURE",
            Self::NoPoe => "NO_POE",
            Self::TryLater => "TRY_LATER",
        }
    }

    /// The indication that goes with it.
    pub const fn indication(self) -> Indication {
        match self {
            Self::FormatFailure | Self::HashFailure | Self::SigCryptoFailure => Indication::TotalFailed,
            _ => Indication::Indeterminate,
        }
    }
}

impl SignatureReport {
    /// The indication, and the sub-indication of a signature that did not pass.
    pub fn conclusion(&self) -> (Indication, Option<SubIndication>) {
        // The worst comes first. Among equals, the signature itself is judged before its timestamps.
        let worst = self.reasons.first().map(Reason::verdict);
        let equals = self
            .reasons
            .iter()
            .filter(|reason| Some(reason.verdict()) == worst);
        let reason = equals.min_by_key(|reason| reason.sub_indication() == SubIndication::NoPoe);
        match reason {
            Some(reason) if reason.verdict() != Verdict::Valid => {
                let sub = reason.sub_indication();
                (sub.indication(), Some(sub))
            }
            _ => (Indication::TotalPassed, None),
        }
    }
}

impl Reason {
    /// The sub-indication that the reason leads to.
    pub fn sub_indication(&self) -> SubIndication {
        use SubIndication as Sub;
        match self {
            Self::Cms(CmsError::DigestMismatch) | Self::Timestamp(TimeStampTokenError::Imprint) => {
                Sub::HashFailure
            }
            Self::Cms(CmsError::BadSignature)
            | Self::Timestamp(TimeStampTokenError::Cms(CmsError::BadSignature)) => Sub::SigCryptoFailure,
            Self::Cms(
                CmsError::UnsupportedAlgorithm(_) | CmsError::WeakAlgorithm(_) | CmsError::WeakKey(_),
            )
            | Self::Untrusted(PathError::WeakKey | PathError::WeakAlgorithm) => Sub::CryptoConstraintsFailure,
            Self::Cms(CmsError::SignerCertificateMissing) => Sub::NoSigningCertificateFound,
            Self::UnsupportedFormat
            | Self::UnknownReferences(_)
            | Self::Untrusted(PathError::NotForDocuments) => Sub::SigConstraintsFailure,
            Self::SignatureTimestamp(TimeStampTokenError::Order)
            | Self::Timestamp(TimeStampTokenError::Order) => Sub::TimestampOrderFailure,
            Self::SignatureTimestamp(_) | Self::UntrustedTime(_) => Sub::NoPoe,
            Self::Untrusted(PathError::NoIssuer) => Sub::NoCertificateChainFound,
            Self::Untrusted(PathError::NameConstraints | PathError::CriticalExtension) => {
                Sub::ChainConstraintsFailure
            }
            Self::Untrusted(_) => Sub::CertificateChainGeneralFailure,
            Self::Expired => Sub::OutOfBoundsNoPoe,
            // No proof exists that a signature was made after the revocation.
            Self::Revoked(_) => Sub::RevokedNoPoe,
            Self::RevocationUnknown | Self::ForeignRevocationUnknown => Sub::TryLater,
            _ => Sub::FormatFailure,
        }
    }
}
