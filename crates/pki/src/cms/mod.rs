//! Cryptographic Message Syntax: the envelope of every signature in a PDF.
//!
//! Makes the detached CMS of `PAdES` B-B in two stages, so that the key may be anywhere, and reads and
//! verifies those of other programs. Checks no certificate path, no revocation and no time.

pub(crate) mod algorithm;
mod anchor;
mod attributes;
mod ber;
mod brainpool_p512;
pub(crate) mod certificate;
mod error;
mod key;
pub(crate) mod name;
pub(crate) mod oid;
pub(crate) mod read_der;
mod rsa;
mod signed_data;
mod verify;
pub(crate) mod write_der;

pub use algorithm::{DigestAlgorithm, SignatureAlgorithm};
pub use anchor::Anchor;
pub(crate) use anchor::MAX_ANCHOR_BYTES;
pub(crate) use attributes::write_signer_info;
pub use attributes::{SignedAttributes, ToBeSigned, reserve};
pub use certificate::{Certificate, MAX_CERTIFICATE_BYTES};
pub use error::CmsError;
pub use key::{KeyKind, PublicKey};
pub use read_der::Malformed;
pub use signed_data::{CertificateCache, MAX_CMS_BYTES, SignedData};
pub use verify::{Binding, Profile, Verified};
