//! RFC 3161 timestamps: requests, responses, and their verification.
//!
//! Reads no clock and does no I/O: the caller gives the time, and sends the requests.

mod client;
mod error;
mod imprint;
mod info;
mod rejection;
mod request;
mod response;
mod token;
mod tsa;

pub use client::{Inquiry, REQUEST_TYPE, RESPONSE_TYPE, Stamped};
pub use der::asn1::ObjectIdentifier;
pub use error::TimeStampTokenError;
pub use imprint::Imprint;
pub use rejection::{FailureInfo, Rejection};
pub use request::{MAX_REQUEST_BYTES, TimeStampRequest};
pub use response::{MAX_TIMESTAMP_RESPONSE_BYTES, token_of};
pub use token::{Stamp, TimeStampToken};
pub use tsa::{BASELINE_POLICY, TimeStampAuthority};
