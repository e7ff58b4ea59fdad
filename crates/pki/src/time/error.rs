//! Why a timestamp was not believed, or not given.

use super::rejection::Rejection;
use crate::cms::{self, Malformed};

/// Why a timestamp was not believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The CMS of the token does not verify.
    #[error(transparent)]
    Cms(#[from] cms::Error),
    /// Not the DER that was expected.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// More bytes than a response may have.
    #[error("the response is too large")]
    TooLarge,
    /// The authority did not give a timestamp.
    #[error("the timestamping authority refused: {0}")]
    Rejected(Rejection),
    /// The timestamp is about something else.
    #[error("the timestamp is about something else")]
    Imprint,
    /// The answer belongs to another question.
    #[error("the answer belongs to another question")]
    Nonce,
    /// The timestamp follows another policy than was asked for.
    #[error("the timestamp follows another policy than was asked for")]
    Policy,
    /// The signer's certificate is not for timestamps, and for them alone.
    #[error("the certificate is not one of a timestamping authority")]
    Purpose,
    /// The signer's certificate was not valid at the time.
    #[error("the certificate was not valid at the time of the timestamp")]
    Expired,
    /// No random numbers for the question.
    #[error("no random numbers")]
    Random,
    /// The timestamp lies in the future of whoever verifies it.
    #[error("the timestamp lies in the future")]
    Future,
    /// A timestamp that covers this one claims an earlier time.
    #[error("a timestamp that covers it is older")]
    Order,
    /// The authority's clock is far from ours.
    #[error("the clock of the timestamping authority is wrong")]
    Clock,
}
