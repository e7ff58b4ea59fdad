//! The installation's own authority: root, issuers, certificates, revocation lists, and their keys in a
//! sealed file or a PKCS #11 token; and the paths and lists of other authorities.
//!
//! Stores nothing and reads no clock: keys, dates and revocations come from the caller.

mod constraints;
mod credential;
mod error;
mod external_credential;
mod external_issuer;
mod hierarchy;
mod issue_certificate;
mod issue_crl;
mod issuer;
mod local_key;
mod name;
mod name_constraints;
mod ocsp;
mod one_shot;
mod path;
mod pkcs11;
mod read_crl;
mod responder;
mod root;
mod sealed_key;
mod signer;
pub(crate) mod validity;

pub use constraints::Constraints;
pub use credential::{Credential, Signed};
pub use error::{AuthorityError, KeyError};
pub use external_credential::{ExternalCredential, ExternalCredentialError};
pub use external_issuer::ExternalIssuer;
pub use hierarchy::Authority;
pub use issue_crl::{Reason, Revoked};
pub use issuer::{Issuer, Role};
pub use local_key::LocalKey;
pub use name::{Country, DocumentKind, IdentityDocument, NameError, Subject};
pub use name_constraints::has_name_constraints;
pub use ocsp::{MAX_OCSP_BYTES, OcspResponse, OcspStatus};
pub use one_shot::OneShot;
pub use path::{Path, PathError};
pub use pkcs11::{Pkcs11Key, Pkcs11Token};
pub use read_crl::{Crl, MAX_CRL_BYTES};
pub use responder::Answered;
pub use root::Root;
pub use signer::Signer;
pub use validity::Validity;
