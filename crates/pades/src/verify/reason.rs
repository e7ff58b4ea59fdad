//! Why a signature is not simply valid.

use jiff::Timestamp;
use pdf::Damage;
use pki::authority::PathError;
use pki::cms::CmsError;
use pki::time::TimeStampTokenError;

/// A fault of a signature, or a remark on it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The signature's dictionary is not as it must be.
    Malformed(Malformed),
    /// The format of the signature is not supported.
    UnsupportedFormat,
    /// It does not cover exactly the document around its own bytes.
    ByteRange,
    /// Another signature claims the same bytes.
    SharedRange,
    /// The bytes it covers are not a whole document that contains it.
    NotARevision,
    /// The revision it covers cannot be read.
    DamagedRevision(Damage),
    /// The document was added to, and a part of the signed revision cannot be read: the added objects may change what
    /// that part shows.
    UnknownReferences(Damage),
    /// The document was changed afterwards in a harmful way.
    Changed(Change),
    /// The cryptographic envelope is wrong, or not over these bytes.
    Cms(CmsError),
    /// The timestamp is wrong, or not over these bytes.
    Timestamp(TimeStampTokenError),
    /// A timestamp that the signature carries proves nothing.
    SignatureTimestamp(TimeStampTokenError),
    /// The signer's certificate leads to no trusted root.
    Untrusted(PathError),
    /// A certificate was not valid at the relevant time.
    Expired,
    /// The authority of a timestamp in the signature is not trusted, and why.
    UntrustedTime(Box<Reason>),
    /// A certificate was revoked, since when.
    Revoked(Timestamp),
    /// Nothing says whether a certificate was revoked at the relevant time: a remark, not a fault.
    RevocationUnknown,
    /// The same of a certificate of another authority, which may have revoked it: see [`super::Policy::other_roots`].
    ForeignRevocationUnknown,
}

/// What is wrong with a signature's dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Malformed {
    /// It is missing, of the wrong type, or says two things under one key.
    Dictionary,
    /// It is inside an object stream.
    Compressed,
    /// Its byte range is missing or not four numbers from zero.
    ByteRange,
    /// Its contents are missing or not plain hexadecimal digits.
    Contents,
}

/// A change after the signature that is not on the list of harmless ones.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// Later cross-references do not build on the signed revision.
    History,
    /// The document's root, or an entry of it.
    Catalog,
    /// The form, beyond new signature fields.
    Form,
    /// A form field that is not a signature's, or one already signed.
    Field(String),
    /// A field that a signature locked.
    LockedField(String),
    /// The document was certified against any change.
    Certified,
    /// A page, beyond new signature fields on it.
    Page(u32),
    /// Something drawn over the page in a signature field that did not exist before.
    VisibleField(String),
    /// A signature field whose appearance may be drawn outside its rectangle.
    Unbounded(String),
    /// Validation data was taken out of the document's security store, or exchanged.
    ValidationData,
    /// Another object.
    Object(u32),
    /// An object was removed.
    Removed(u32),
    /// An object that was referred to but did not exist now does.
    CameToLife(u32),
    /// An object's place was moved back into the signed bytes.
    Moved(u32),
    /// An object has a second version that no cross-reference lists.
    Hidden(u32),
    /// Bytes were added that belong to no object.
    LooseBytes,
    /// The later part of the file cannot be read.
    Unreadable(Damage),
}

/// The weight of a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// All checks passed.
    Valid,
    /// No check failed, but one could not be made, such as that of the signer's identity.
    Indeterminate,
    /// A check failed.
    Invalid,
}

impl Reason {
    /// A stable name, for machines.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Malformed(_) => "malformed",
            Self::UnsupportedFormat => "unsupported_format",
            Self::ByteRange => "byte_range",
            Self::SharedRange => "shared_range",
            Self::NotARevision => "not_a_revision",
            Self::DamagedRevision(_) => "damaged_revision",
            Self::UnknownReferences(_) => "unknown_references",
            Self::Changed(_) => "changed",
            Self::Cms(CmsError::DigestMismatch) => "digest_mismatch",
            Self::Cms(_) => "cms",
            Self::Timestamp(_) => "timestamp",
            Self::SignatureTimestamp(_) => "signature_timestamp",
            Self::Untrusted(_) => "untrusted",
            Self::Expired => "expired",
            Self::UntrustedTime(_) => "untrusted_time",
            Self::Revoked(_) => "revoked",
            Self::RevocationUnknown => "revocation_unknown",
            Self::ForeignRevocationUnknown => "foreign_revocation_unknown",
        }
    }

    /// Whether no certificate of the issuer leads to a trusted root.
    pub(super) fn is_unknown_issuer(&self) -> bool {
        match self {
            Self::Untrusted(error) => *error == PathError::NoIssuer,
            Self::UntrustedTime(reason) => reason.is_unknown_issuer(),
            _ => false,
        }
    }

    /// Whether it is only that an issuer is not known, or that nothing says whether another authority has revoked a
    /// certificate.
    pub(super) fn is_lack_of_trust(&self) -> bool {
        match self {
            Self::ForeignRevocationUnknown => true,
            Self::UntrustedTime(reason) => reason.is_lack_of_trust(),
            other => other.is_unknown_issuer(),
        }
    }

    /// The verdict that follows from the reason.
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::RevocationUnknown => Verdict::Valid,
            Self::UnsupportedFormat
            | Self::UnknownReferences(_)
            | Self::SignatureTimestamp(_)
            | Self::UntrustedTime(_)
            | Self::Untrusted(_)
            | Self::ForeignRevocationUnknown
            | Self::Expired
            | Self::Cms(CmsError::UnsupportedAlgorithm(_) | CmsError::SignerCertificateMissing) => {
                Verdict::Indeterminate
            }
            _ => Verdict::Invalid,
        }
    }
}
