//! The accepted digest and signature algorithms, and their DER.

use aws_lc_rs::digest as lc;
use der::Tag;
use der::asn1::ObjectIdentifier;
use sha2::{Digest as _, Sha256, Sha384, Sha512};

use super::error::CmsError;
use super::oid;
use super::read_der::{Malformed, Value, Values, context};
use super::write_der::{self, NULL, SEQUENCE};

const SHA_1: &str = "SHA-1";
const MD5: &str = "MD5";

/// A digest algorithm that may carry a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigestAlgorithm {
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
    /// SHA3-256.
    Sha3_256,
    /// SHA3-384.
    Sha3_384,
    /// SHA3-512.
    Sha3_512,
}

impl DigestAlgorithm {
    /// The digest of `message`.
    pub fn hash(self, message: &[u8]) -> Vec<u8> {
        match self {
            Self::Sha256 => Sha256::digest(message).to_vec(),
            Self::Sha384 => Sha384::digest(message).to_vec(),
            Self::Sha512 => Sha512::digest(message).to_vec(),
            Self::Sha3_256 => lc::digest(&lc::SHA3_256, message).as_ref().to_vec(),
            Self::Sha3_384 => lc::digest(&lc::SHA3_384, message).as_ref().to_vec(),
            Self::Sha3_512 => lc::digest(&lc::SHA3_512, message).as_ref().to_vec(),
        }
    }

    /// The length of the digest in octets.
    pub const fn output_len(self) -> usize {
        match self {
            Self::Sha256 | Self::Sha3_256 => 32,
            Self::Sha384 | Self::Sha3_384 => 48,
            Self::Sha512 | Self::Sha3_512 => 64,
        }
    }

    pub(crate) const fn oid(self) -> ObjectIdentifier {
        match self {
            Self::Sha256 => oid::SHA_256,
            Self::Sha384 => oid::SHA_384,
            Self::Sha512 => oid::SHA_512,
            Self::Sha3_256 => oid::SHA3_256,
            Self::Sha3_384 => oid::SHA3_384,
            Self::Sha3_512 => oid::SHA3_512,
        }
    }

    /// The algorithm of the SHA-2 family with digests of the same length.
    pub(super) const fn of_same_length(self) -> Self {
        match self {
            Self::Sha256 | Self::Sha3_256 => Self::Sha256,
            Self::Sha384 | Self::Sha3_384 => Self::Sha384,
            Self::Sha512 | Self::Sha3_512 => Self::Sha512,
        }
    }

    /// A digest as the cryptographic library takes it. It looks at the length alone.
    pub(super) fn imported(self, digest: &[u8]) -> Result<lc::Digest, CmsError> {
        let algorithm = match self {
            Self::Sha256 | Self::Sha3_256 => &lc::SHA256,
            Self::Sha384 | Self::Sha3_384 => &lc::SHA384,
            Self::Sha512 | Self::Sha3_512 => &lc::SHA512,
        };
        lc::Digest::import_less_safe(digest, algorithm).map_err(|_| CmsError::AlgorithmMismatch)
    }

    /// From an `AlgorithmIdentifier`: parameters absent or NULL.
    pub(crate) fn read(identifier: &Value<'_>) -> Result<Self, CmsError> {
        let (oid, parameters) = identifier_parts(identifier)?;
        let known = match oid {
            oid::SHA_256 => Self::Sha256,
            oid::SHA_384 => Self::Sha384,
            oid::SHA_512 => Self::Sha512,
            oid::SHA3_256 => Self::Sha3_256,
            oid::SHA3_384 => Self::Sha3_384,
            oid::SHA3_512 => Self::Sha3_512,
            oid::SHA_1 => return Err(CmsError::WeakAlgorithm(SHA_1)),
            oid::MD5 => return Err(CmsError::WeakAlgorithm(MD5)),
            // Others may have parameters of their own, such as the length of SHAKE256.
            other => return Err(CmsError::UnsupportedAlgorithm(other.to_string())),
        };
        if absent_or_null(parameters) {
            Ok(known)
        } else {
            Err(Malformed("digest algorithm").into())
        }
    }

    pub(crate) fn write(self, out: &mut Vec<u8>) {
        write_der::nested(out, SEQUENCE, |out| write_der::oid(out, &self.oid()));
    }
}

/// A signature algorithm with its digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignatureAlgorithm {
    /// ECDSA; the curve is the key's.
    Ecdsa(DigestAlgorithm),
    /// RSA with the padding of PKCS #1 v1.5.
    RsaPkcs1(DigestAlgorithm),
    /// `EdDSA` on Curve25519, over the message itself.
    Ed25519,
    /// RSASSA-PSS with MGF1.
    RsaPss {
        /// The digest of the message.
        digest: DigestAlgorithm,
        /// The digest of the mask.
        mask: DigestAlgorithm,
        /// The length of the salt in octets.
        salt: u16,
    },
}

impl SignatureAlgorithm {
    /// The digest algorithm of the signed message.
    pub const fn digest(self) -> DigestAlgorithm {
        match self {
            Self::Ecdsa(digest) | Self::RsaPkcs1(digest) | Self::RsaPss { digest, .. } => digest,
            // The digest of attributes that accompany it (RFC 8419, section 3.1).
            Self::Ed25519 => DigestAlgorithm::Sha512,
        }
    }

    /// From an `AlgorithmIdentifier`. `implied` is the digest of a bare `rsaEncryption`, which says
    /// none itself.
    pub(crate) fn read(identifier: &Value<'_>, implied: Option<DigestAlgorithm>) -> Result<Self, CmsError> {
        use DigestAlgorithm::{Sha3_256, Sha3_384, Sha3_512, Sha256, Sha384, Sha512};
        let (oid, parameters) = identifier_parts(identifier)?;
        if oid == oid::RSA_PSS {
            return read_pss(parameters);
        }
        if !absent_or_null(parameters) {
            return Err(Malformed("signature algorithm").into());
        }
        let unsupported = || CmsError::UnsupportedAlgorithm(oid.to_string());
        Ok(match oid {
            oid::RSA => Self::RsaPkcs1(implied.ok_or_else(unsupported)?),
            oid::SHA_256_WITH_RSA => Self::RsaPkcs1(Sha256),
            oid::SHA_384_WITH_RSA => Self::RsaPkcs1(Sha384),
            oid::SHA_512_WITH_RSA => Self::RsaPkcs1(Sha512),
            oid::ECDSA_WITH_SHA_256 => Self::Ecdsa(Sha256),
            oid::ECDSA_WITH_SHA_384 => Self::Ecdsa(Sha384),
            oid::ECDSA_WITH_SHA_512 => Self::Ecdsa(Sha512),
            oid::SHA3_256_WITH_RSA => Self::RsaPkcs1(Sha3_256),
            oid::SHA3_384_WITH_RSA => Self::RsaPkcs1(Sha3_384),
            oid::SHA3_512_WITH_RSA => Self::RsaPkcs1(Sha3_512),
            oid::ECDSA_WITH_SHA3_256 => Self::Ecdsa(Sha3_256),
            oid::ECDSA_WITH_SHA3_384 => Self::Ecdsa(Sha3_384),
            oid::ECDSA_WITH_SHA3_512 => Self::Ecdsa(Sha3_512),
            oid::ED25519 => Self::Ed25519,
            oid::SHA_1_WITH_RSA | oid::ECDSA_WITH_SHA_1 => return Err(CmsError::WeakAlgorithm(SHA_1)),
            oid::MD5_WITH_RSA => return Err(CmsError::WeakAlgorithm(MD5)),
            _ => return Err(unsupported()),
        })
    }
}

/// `RSASSA-PSS-params`: the mask must be MGF1.
pub(super) fn read_pss(parameters: Option<Value<'_>>) -> Result<SignatureAlgorithm, CmsError> {
    const WHAT: &str = "RSASSA-PSS parameters";
    // Absent parameters mean SHA-1.
    let parameters = parameters.ok_or(CmsError::WeakAlgorithm(SHA_1))?;
    let mut fields = Values::of_sequence(parameters.raw, WHAT)?;
    let hash = fields
        .optional(context(0), WHAT)?
        .ok_or(CmsError::WeakAlgorithm(SHA_1))?;
    let digest = DigestAlgorithm::read(&only(&hash, WHAT)?)?;
    let mask = fields
        .optional(context(1), WHAT)?
        .ok_or(CmsError::WeakAlgorithm(SHA_1))?;
    let (mask_oid, mask_parameters) = identifier_parts(&only(&mask, WHAT)?)?;
    if mask_oid != oid::MGF1 {
        return Err(CmsError::UnsupportedAlgorithm(mask_oid.to_string()));
    }
    let mask = DigestAlgorithm::read(&mask_parameters.ok_or(CmsError::WeakAlgorithm(SHA_1))?)?;
    let salt = match fields.optional(context(2), WHAT)? {
        Some(salt) => only(&salt, WHAT)?.small(WHAT)?,
        None => 20,
    };
    if let Some(trailer) = fields.optional(context(3), WHAT)?
        && only(&trailer, WHAT)?.small(WHAT)? != 1
    {
        return Err(Malformed(WHAT).into());
    }
    fields.end(WHAT)?;
    let salt = u16::try_from(salt).map_err(|_| Malformed(WHAT))?;
    Ok(SignatureAlgorithm::RsaPss { digest, mask, salt })
}

/// The single value inside an explicitly tagged one.
pub(crate) fn only<'a>(tagged: &Value<'a>, what: &'static str) -> Result<Value<'a>, Malformed> {
    let mut inner = tagged.inner(what)?;
    let value = inner.next(what)?;
    inner.end(what)?;
    Ok(value)
}

pub(crate) fn identifier_parts<'a>(
    identifier: &Value<'a>,
) -> Result<(ObjectIdentifier, Option<Value<'a>>), Malformed> {
    const WHAT: &str = "algorithm identifier";
    if identifier.tag != Tag::Sequence {
        return Err(Malformed(WHAT));
    }
    let mut fields = identifier.inner(WHAT)?;
    let oid = fields.next(WHAT)?.oid(WHAT)?;
    let parameters = if fields.is_empty() {
        None
    } else {
        Some(fields.next(WHAT)?)
    };
    fields.end(WHAT)?;
    Ok((oid, parameters))
}

fn absent_or_null(parameters: Option<Value<'_>>) -> bool {
    parameters.is_none_or(|value| value.raw == NULL)
}
