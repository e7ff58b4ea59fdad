//! Why a timestamp was not accepted, or not given.

use super::rejection::Rejection;
use crate::cms::{CmsError, Malformed};

/// Why a timestamp was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeStampTokenError {
    /// The CMS of the token does not verify.
    #[error(transparent)]
    Cms(#[from] CmsError),
    /// Not the DER that was expected.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// More bytes than a response may have.
    #[error("the response is too large")]
    TooLarge,
    /// The authority did not give a timestamp.
    #[error("the timestamping authority refused: {0}")]
    Rejected(Rejection),
    /// The timestamp is of another digest.
    #[error("the timestamp is about something else")]
    Imprint,
    /// The response answers another request.
    #[error("the answer belongs to another question")]
    Nonce,
    /// The timestamp follows another policy than the request names.
    #[error("the timestamp follows another policy than was asked for")]
    Policy,
    /// The signer's certificate is not for timestamps alone.
    #[error("the certificate is not one of a timestamping authority")]
    Purpose,
    /// The signer's certificate was not valid at the time.
    #[error("the certificate was not valid at the time of the timestamp")]
    Expired,
    /// No random numbers for the nonce.
    #[error("no random numbers")]
    Random,
    /// The time of the timestamp is after the verifier's.
    #[error("the timestamp lies in the future")]
    Future,
    /// A timestamp that covers this one claims an earlier time.
    #[error("a timestamp that covers it is older")]
    Order,
    /// The authority's clock is far from ours.
    #[error("the clock of the timestamping authority is wrong")]
    Clock,
}
