//! Asks another authority for a timestamp.
//!
//! The caller carries the bytes, and owns timeouts and retries: an [`Inquiry`] makes the request and checks the
//! response.

use aws_lc_rs::rand::SecureRandom;
use der::asn1::ObjectIdentifier;
use jiff::{SignedDuration, Timestamp};

use super::error::TimeStampTokenError;
use super::imprint::Imprint;
use super::request::TimeStampRequest;
use super::response::token_of;
use super::token::{Stamp, TimeStampToken};

/// The media type of a request over HTTP.
pub const REQUEST_TYPE: &str = "application/timestamp-query";
/// The media type of a response over HTTP.
pub const RESPONSE_TYPE: &str = "application/timestamp-reply";
/// How far the authority's clock may be from ours.
const MAX_CLOCK_SKEW: SignedDuration = SignedDuration::from_mins(10);

/// A request that waits for its response.
#[derive(Clone, Debug)]
pub struct Inquiry {
    request: TimeStampRequest,
}

/// A timestamp as received: its token for the document, and the verified contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamped {
    /// The token in DER.
    pub token: Vec<u8>,
    /// The verified contents.
    pub stamp: Stamp,
}

impl Inquiry {
    /// A request for this imprint, under this policy if one is given.
    pub fn new(
        imprint: Imprint,
        policy: Option<ObjectIdentifier>,
        rng: &dyn SecureRandom,
    ) -> Result<Self, TimeStampTokenError> {
        Ok(Self {
            request: TimeStampRequest::new(imprint, policy, rng)?,
        })
    }

    /// The bytes to send, as [`REQUEST_TYPE`].
    pub fn to_der(&self) -> Vec<u8> {
        self.request.to_der()
    }

    /// Checks the response: whether it answers this request, now, and verifies. The path of the certificate is left
    /// to [`Stamp::path`].
    pub fn accept(&self, response: &[u8], now: Timestamp) -> Result<Stamped, TimeStampTokenError> {
        let stamped = self.accept_at_any_time(response)?;
        stamped.check_clock(now)?;
        Ok(stamped)
    }

    /// The same, whatever time the authority says it is: for a caller that wants to know how far its clock is from ours
    /// before [`Stamped::check_clock`] refuses it.
    pub fn accept_at_any_time(&self, response: &[u8]) -> Result<Stamped, TimeStampTokenError> {
        let bytes = token_of(response)?;
        let token = TimeStampToken::from_der(bytes)?;
        if token.nonce() != self.request.nonce.as_deref() {
            return Err(TimeStampTokenError::Nonce);
        }
        let stamp = token.verify_imprint(&self.request.imprint)?;
        if self.request.policy.is_some_and(|policy| policy != stamp.policy) {
            return Err(TimeStampTokenError::Policy);
        }
        Ok(Stamped {
            token: bytes.to_vec(),
            stamp,
        })
    }
}

impl Stamped {
    /// Refuses a timestamp whose time is far from ours.
    pub fn check_clock(&self, now: Timestamp) -> Result<(), TimeStampTokenError> {
        if now.duration_since(self.stamp.time).abs() > MAX_CLOCK_SKEW {
            return Err(TimeStampTokenError::Clock);
        }
        Ok(())
    }
}
