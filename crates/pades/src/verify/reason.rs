//! Why a signature is not simply valid.

use jiff::Timestamp;
use pdf::Damage;
use pki::authority::PathError;
use pki::cms;
use pki::time;

/// What is held against a signature, or must be known about it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The signature's dictionary is not as it must be.
    Malformed(Malformed),
    /// The format of the signature is none that is understood here.
    UnsupportedFormat,
    /// It does not cover exactly the document around its own bytes.
    ByteRange,
    /// Another signature claims the same bytes.
    SharedRange,
    /// The bytes it covers are not a whole document that contains it.
    NotARevision,
    /// The revision it covers cannot be read.
    DamagedRevision(Damage),
    /// The document was added to, and a part of the signed revision cannot be read: what was added may change what it
    /// shows.
    UnknownReferences(Damage),
    /// The document was changed afterwards in a way that is not harmless.
    Changed(Change),
    /// The cryptographic envelope is wrong, or not over these bytes.
    Cms(cms::Error),
    /// The timestamp is wrong, or not over these bytes.
    Timestamp(time::Error),
    /// A timestamp that the signature carries proves nothing.
    SignatureTimestamp(time::Error),
    /// The signer's certificate leads to no trusted root.
    Untrusted(PathError),
    /// A certificate was not valid at the time that counts.
    Expired,
    /// The authority of a timestamp that the signature carries is not to be believed, and why.
    UntrustedTime(Box<Reason>),
    /// A certificate was revoked, since when.
    Revoked(Timestamp),
    /// No revocation list speaks about a certificate at the time that counts: said, but not held against the
    /// signature.
    RevocationUnknown,
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
    /// Evidence was taken out of the document's security store, or exchanged.
    Evidence,
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

/// How much a reason weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Everything holds.
    Valid,
    /// Nothing is wrong, but something cannot be known, such as whether the signer is who it says.
    Indeterminate,
    /// It does not hold.
    Invalid,
}

impl Reason {
    /// A lasting name, for machines.
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
            Self::Cms(cms::Error::DigestMismatch) => "digest_mismatch",
            Self::Cms(_) => "cms",
            Self::Timestamp(_) => "timestamp",
            Self::SignatureTimestamp(_) => "signature_timestamp",
            Self::Untrusted(_) => "untrusted",
            Self::Expired => "expired",
            Self::UntrustedTime(_) => "untrusted_time",
            Self::Revoked(_) => "revoked",
            Self::RevocationUnknown => "revocation_unknown",
        }
    }

    /// What the reason makes of the signature.
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::RevocationUnknown => Verdict::Valid,
            Self::UnsupportedFormat
            | Self::UnknownReferences(_)
            | Self::SignatureTimestamp(_)
            | Self::UntrustedTime(_)
            | Self::Untrusted(_)
            | Self::Expired
            | Self::Cms(cms::Error::UnsupportedAlgorithm(_) | cms::Error::SignerCertificateMissing) => {
                Verdict::Indeterminate
            }
            _ => Verdict::Invalid,
        }
    }
}
