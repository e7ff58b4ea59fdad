//! Why a CMS is not accepted.

use super::read_der::Malformed;

/// Why a CMS, or a certificate in it, is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CmsError {
    /// More bytes than the limit.
    #[error("too large: {0}")]
    TooLarge(&'static str),
    /// Not the DER that was expected.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// Bytes other than padding follow the signature.
    #[error("bytes follow the CMS")]
    TrailingBytes,
    /// An algorithm, curve or parameter that is not accepted; its object identifier.
    #[error("unsupported algorithm {0}")]
    UnsupportedAlgorithm(String),
    /// MD5 or SHA-1 as the digest of a signature.
    #[error("the signature rests on a broken digest algorithm, {0}")]
    WeakAlgorithm(&'static str),
    /// A key that is too short; its length in bits.
    #[error("the key is weak: it has {0} bits")]
    WeakKey(u32),
    /// Digest and signature algorithm do not go together, or the key is of another kind.
    #[error("the algorithms of the signature contradict each other")]
    AlgorithmMismatch,
    /// Not exactly one signer.
    #[error("the CMS has {0} signers instead of one")]
    SignerCount(usize),
    /// A detached signature that carries content, or one that should carry it and does not.
    #[error("the signed content is not where it belongs")]
    ContentPlacement,
    /// The type of the content differs from the attributes, or is not accepted.
    #[error("the content type is wrong")]
    ContentType,
    /// A signed attribute that must be there is not.
    #[error("the signed attribute {0} is missing")]
    MissingAttribute(&'static str),
    /// A signed attribute appears more than once, or with several values.
    #[error("the attribute {0} is repeated")]
    RepeatedAttribute(&'static str),
    /// The document is not the one that was signed.
    #[error("the digest of the document does not match")]
    DigestMismatch,
    /// The certificate that the signature names is not included.
    #[error("the signer's certificate is not included")]
    SignerCertificateMissing,
    /// The certificate is another than the one that the signed attributes name.
    #[error("the signing-certificate attribute names another certificate")]
    SigningCertificateMismatch,
    /// The signature value does not verify.
    #[error("the signature value is wrong")]
    BadSignature,
}
