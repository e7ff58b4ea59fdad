//! Why an act was not done. The web crate makes status codes and texts from it, in one place.

use domain::{FileName, Refusal, Timestamp};
use std::time::Duration;

/// Why an act was not done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The API key or the session is unknown, ended or revoked.
    #[error("the key or the session is not live")]
    Denied,
    /// The thing belongs to another company.
    #[error("another company's")]
    Foreign,
    /// There is no such thing.
    #[error("not found")]
    NotFound,
    /// A rule forbids it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A document cannot be signed.
    #[error("a document cannot be taken")]
    Unfit(UnfitDocument),
    /// Too many of the same in too short a time.
    #[error("too often")]
    TooOften {
        /// When it is worth trying again.
        retry_after: Duration,
    },
    /// The signer has used up the codes of the day.
    #[error("the codes of the day are used up")]
    Locked {
        /// Until when.
        until: Timestamp,
    },
    /// The signer's session was ended: by a corrected contact, an act, or a sign-out.
    #[error("the signer's session is over")]
    SessionOver,
    /// The contact was corrected, and no code that went to it was typed in this session.
    #[error("the contact is not proved yet")]
    Unproven,
    /// The company demands that these documents are shown to their end before the signer gets a code.
    #[error("documents are not read to their end")]
    Unread(Vec<FileName>),
    /// The session has not accepted the text for a document that it would sign.
    #[error("the text is not accepted yet")]
    NotAccepted,
    /// The company demands a picture of the signature.
    #[error("the picture of the signature is missing")]
    PictureMissing,
    /// The idempotency key came with another request before.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// More work is waiting than can be done.
    #[error("overloaded")]
    Overloaded,
    /// The database does not answer, or takes no writes: nothing was done.
    #[error("the database is not available")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The database did not confirm the commit: the act may have been done.
    #[error("it is not known whether the act was done")]
    Unconfirmed(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The folio's history is not the one that was written, or its rows say something else than its history: it is not
    /// shown as if it were true.
    #[error("the folio's history is damaged")]
    BrokenHistory,
    /// A document is not whole in storage, and nothing is signed without it; the log says which.
    #[error("a document is not whole in storage")]
    DocumentUnavailable,
    /// Documents are still being checked in storage; nothing is signed before.
    #[error("documents are being checked")]
    DocumentsBeingChecked {
        /// When it is worth trying again.
        retry_after: Duration,
    },
    /// Something broke, and it is not the caller's fault. Its text is that of the cause.
    #[error(transparent)]
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

/// A document that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfitDocument {
    /// Which.
    pub name: FileName,
    /// Why.
    pub why: Unfit,
}

/// Why a document cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    /// More bytes than allowed.
    TooLarge {
        /// The most bytes allowed.
        max: u64,
    },
    /// With this document, more bytes of all together than allowed.
    TooLargeTogether {
        /// The most bytes allowed.
        max: u64,
    },
    /// More documents than allowed; this is the first too many.
    TooMany {
        /// The most documents allowed.
        max: usize,
    },
    /// It takes too much room in memory for so many folios at once.
    TooManyFolios {
        /// The most folios at once.
        max: usize,
    },
    /// The PDF engine refused it.
    Refused {
        /// Why.
        refused: pdf::inspect::Refused,
        /// Whether it came with signatures.
        signed: bool,
    },
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::Busy => Self::Overloaded,
            error @ store::Error::Unavailable(_) => Self::Unavailable(error.into()),
            error @ store::Error::Unconfirmed(_) => Self::Unconfirmed(error.into()),
            other => Self::Internal(other.into()),
        }
    }
}

impl From<tokio::task::JoinError> for Error {
    fn from(lost: tokio::task::JoinError) -> Self {
        Self::Internal(lost.into())
    }
}

impl From<blobs::Error> for Error {
    fn from(error: blobs::Error) -> Self {
        Self::Internal(error.into())
    }
}
