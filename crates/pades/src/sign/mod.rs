//! Signs a prepared document, at the cost of the signature alone, in typed stages: the bytes to hash, the
//! attributes to sign, the increment. The key may be anywhere; the document is not read.

mod error;
mod field;
mod request;
mod signers;
mod stages;
mod validation_data;

pub use error::SignError;
pub use request::{Field, Lock, NewSignature, Permission};
pub use signers::certificates_in;
pub use stages::{ToSign, Unsigned, sign, timestamp};
pub use validation_data::add_validation_data;

pub(crate) use stages::sign_after;

pub use crate::sheet::Appearance;
