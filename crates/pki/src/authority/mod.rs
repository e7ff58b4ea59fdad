//! The installation's own authority: root, issuers, certificates, revocation lists, and their keys in a
//! sealed file or a PKCS #11 token; and the paths and lists of other authorities.
//!
//! Stores nothing and reads no clock: keys, dates and revocations come from the caller.

mod constraints;
mod credential;
mod crl;
mod error;
mod issuer;
mod issuing;
mod local;
mod name;
mod name_constraints;
mod ocsp;
mod one_shot;
mod outside;
mod outside_issuer;
mod path;
mod pkcs11;
mod responder;
mod revocation;
mod root;
mod rotation;
mod sealed;
mod signer;
pub(crate) mod validity;

pub use constraints::Constraints;
pub use credential::{Credential, Signed};
pub use crl::{Reason, Revoked};
pub use error::{AuthorityError, KeyError};
pub use issuer::{Issuer, Role};
pub use local::LocalKey;
pub use name::{Country, DocumentKind, IdentityDocument, NameError, Subject};
pub use name_constraints::has_name_constraints;
pub use ocsp::{OCSP_LIMIT, OcspResponse, OcspStatus};
pub use one_shot::OneShot;
pub use outside::{OutsideCredential, OutsideError};
pub use outside_issuer::OutsideIssuer;
pub use path::{Path, PathError};
pub use pkcs11::{Pkcs11Key, Pkcs11Token};
pub use responder::Answered;
pub use revocation::{CRL_LIMIT, Crl};
pub use root::Root;
pub use rotation::Authority;
pub use signer::Signer;
pub use validity::Validity;
