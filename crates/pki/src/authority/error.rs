//! Errors of keys and of the authority.

use crate::cms::CmsError;

/// Why a key could not be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The cryptographic library refused, without a reason.
    #[error("the cryptographic library refused")]
    Refused,
    /// The master key is shorter than 32 bytes.
    #[error("the master key has fewer than 32 bytes")]
    WeakMasterKey,
    /// The sealed key is damaged, of another version, or sealed under another master key or label.
    #[error("the sealed key does not open")]
    DoesNotOpen,
    /// No such token or key in the PKCS #11 module.
    #[error("no {0} in the PKCS #11 module")]
    NotFound(String),
    /// The token holds a key of this label already.
    #[error("the token holds a key of this label already")]
    LabelTaken,
    /// The PKCS #11 module failed.
    #[error("PKCS #11: {0}")]
    Pkcs11(#[from] cryptoki::error::Error),
    /// The key in the token is of a kind that is not used here.
    #[error("the key in the token is of an unsupported kind")]
    UnsupportedKey,
}

/// Why the authority refused.
#[derive(Debug, thiserror::Error)]
pub enum AuthorityError {
    /// The key could not be used.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A certificate could not be read.
    #[error(transparent)]
    Certificate(#[from] CmsError),
    /// The certificate belongs to another key.
    #[error("the certificate belongs to another key")]
    KeyMismatch,
    /// The certificate does not have the role that is asked of it.
    #[error("the certificate is not one of {0}")]
    WrongRole(&'static str),
    /// The dates do not make sense, or lie outside the issuer's own.
    #[error("the validity lies outside the issuer's")]
    Validity,
    /// Not an address that can be in a certificate.
    #[error("not an address")]
    Url,
    /// An issuer of this name exists already.
    #[error("an issuer of this name exists already")]
    NameTaken,
    /// The source of random numbers failed.
    #[error("no random numbers")]
    Random,
}
