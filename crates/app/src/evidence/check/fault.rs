//! What can be wrong with a bundle.

use domain::SignerIndex;
use jiff::Timestamp;
use pki::authority::PathError;
use pki::cms::CmsError;
use pki::time::TimeStampTokenError;

/// What is wrong with a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It is no bundle of evidence.
    NotEvidence,
    /// It is of a version that this program does not know.
    UnknownVersion,
    /// It can be read in more than one way.
    Ambiguous,
    /// It lacks something, or something is not what it must be; what.
    Shape(String),
    /// The text is not the one that was sealed.
    SealDigest,
    /// The seal does not hold.
    Seal(CmsError),
    /// The seal is not in base64, or of another algorithm.
    SealForm,
    /// The seal is not the service's.
    SealSigner,
    /// The seal's certificate is not of the kind that a service has, or was not issued the way one is.
    SealPurpose,
    /// The seal's timestamp lies in the future.
    SealFuture,
    /// An event, by number, is newer than the seal.
    SealOlder(i64),
    /// A certificate of the seal was revoked, since when.
    SealRevoked(Timestamp),
    /// The seal's certificate leads to no trusted root.
    SealUntrusted(PathError),
    /// The seal carries no timestamp.
    Untimed,
    /// The seal's timestamp does not hold.
    SealTime(TimeStampTokenError),
    /// The certificate of the seal's timestamp leads to no trusted root.
    SealTimeUntrusted(PathError),
    /// A certificate, by its role, is not what is said of it.
    Certificate(String),
    /// A certificate, by its role, leads to no trusted root.
    CertificateUntrusted(String, PathError),
    /// A list of revoked certificates, by its index among them, cannot be read.
    RevocationList(usize),
    /// An event, by number, is not the one whose hash is given.
    Event(i64),
    /// An event, by number, is out of its place, or of another folio.
    Misplaced(i64),
    /// An event, by number, was not written by the service.
    Forged(i64),
    /// A personal value, by its event's number and its place there, is not the one that was digested.
    ValueChanged(i64, String),
    /// A personal value, by its event's number and its place there, belongs to no digest.
    ValueStray(i64, String),
    /// The personal value whose digest is at that place of that event is missing.
    ValueMissing(i64, String),
    /// An event, by number, names a one-time code that was not made for that signer before.
    CodeUnknown(i64),
    /// The code that was used by an event, by number, is not the one whose hash the history has.
    CodeDiffers(i64),
    /// The history does not begin with the creation of the folio.
    Beginning,
    /// The history does not end where it says.
    End,
    /// The folio is not as the events say.
    Folio,
    /// A document, by identifier, is not as the events say.
    Document(String),
    /// A signer, by index, is not as the events say.
    Signer(SignerIndex),
    /// A message, by its index in the list, did not end as the events say.
    Message(usize),
    /// The message that the event with this number names is missing.
    MessageMissing(i64),
    /// A text of consent, by name, is not the one whose hash is given.
    ConsentText(String),
    /// The text with this hash, which a signer agreed to, is missing.
    ConsentMissing(String),
}

impl Fault {
    /// A lasting name, for machines.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::NotEvidence => "not_evidence",
            Self::UnknownVersion => "unknown_version",
            Self::Ambiguous => "ambiguous",
            Self::Shape(_) => "shape",
            Self::SealDigest => "seal_digest",
            Self::Seal(_) => "seal",
            Self::SealForm => "seal_form",
            Self::SealSigner => "seal_signer",
            Self::SealPurpose => "seal_purpose",
            Self::SealFuture => "seal_future",
            Self::SealOlder(_) => "seal_older",
            Self::SealRevoked(_) => "seal_revoked",
            Self::SealUntrusted(_) => "seal_untrusted",
            Self::Untimed => "untimed",
            Self::SealTime(_) => "seal_time",
            Self::SealTimeUntrusted(_) => "seal_time_untrusted",
            Self::Certificate(_) => "certificate",
            Self::CertificateUntrusted(..) => "certificate_untrusted",
            Self::RevocationList(_) => "revocation_list",
            Self::Event(_) => "event",
            Self::Misplaced(_) => "misplaced",
            Self::Forged(_) => "forged",
            Self::ValueChanged(..) => "value_changed",
            Self::ValueStray(..) => "value_stray",
            Self::ValueMissing(..) => "value_missing",
            Self::CodeUnknown(_) => "code_unknown",
            Self::CodeDiffers(_) => "code_differs",
            Self::Beginning => "beginning",
            Self::End => "end",
            Self::Folio => "folio",
            Self::Document(_) => "document",
            Self::Signer(_) => "signer",
            Self::Message(_) => "message",
            Self::MessageMissing(_) => "message_missing",
            Self::ConsentText(_) => "consent_text",
            Self::ConsentMissing(_) => "consent_missing",
        }
    }
}
