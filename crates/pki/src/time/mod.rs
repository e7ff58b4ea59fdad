//! RFC 3161 timestamps: requests, responses, and their verification.
//!
//! Reads no clock: the time comes from the caller, and so does the transport, which may be [`HttpTransport`].

mod client;
mod error;
mod http;
mod imprint;
mod info;
mod rejection;
mod request;
mod response;
mod token;
mod tsa;

pub use client::{Inquiry, REQUEST_TYPE, RESPONSE_TYPE, Stamped, Transport};
pub use der::asn1::ObjectIdentifier;
pub use error::Error;
pub use http::{HttpError, HttpTransport};
pub use imprint::Imprint;
pub use rejection::{FailureInfo, Rejection};
pub use request::{REQUEST_LIMIT, TimeStampRequest};
pub use response::{RESPONSE_LIMIT, token_of};
pub use token::{Stamp, TimeStampToken};
pub use tsa::{BASELINE_POLICY, TimeStampAuthority};
