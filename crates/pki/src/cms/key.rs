//! Public keys: read from certificates, encoded for new ones, and used to verify.

use std::sync::OnceLock;

use aws_lc_rs::signature::{self as lc, ParsedPublicKey, UnparsedPublicKey, VerificationAlgorithm};
use der::Tag;
use ecdsa::VerifyingKey;
use ecdsa::signature::hazmat::PrehashVerifier as _;
use sha2::{Digest as _, Sha256};

use super::algorithm::{DigestAlgorithm, SignatureAlgorithm, identifier_parts, read_pss};
use super::brainpool_p512::BrainpoolP512r1;
use super::error::CmsError;
use super::read_der::{Malformed, Values};
use super::write_der::{self, NULL, SEQUENCE};
use super::{oid, rsa};

/// Whether a signature verifies on a curve that AWS-LC does not have. A function would repeat the many bounds of the
/// crate's types.
macro_rules! verifies_on {
    ($curve:ty, $key:expr, $digest:expr, $signature:expr) => {{
        let key = VerifyingKey::<$curve>::from_sec1_bytes($key);
        let signature = ecdsa::Signature::<$curve>::from_der($signature);
        matches!((key, signature), (Ok(key), Ok(signature)) if key.verify_prehash($digest, &signature).is_ok())
    }};
}

/// The accepted kinds of public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// ECDSA on the curve P-256.
    P256,
    /// ECDSA on the curve P-384.
    P384,
    /// ECDSA on the curve P-521.
    P521,
    /// ECDSA on the curve brainpoolP256r1.
    BrainpoolP256,
    /// ECDSA on the curve brainpoolP384r1.
    BrainpoolP384,
    /// ECDSA on the curve brainpoolP512r1.
    BrainpoolP512,
    /// `EdDSA` on Curve25519.
    Ed25519,
    /// RSA of 2048 to 8192 bits.
    Rsa,
}

/// A public key as a certificate carries it.
#[derive(Clone, Debug)]
pub struct PublicKey {
    kind: KeyKind,
    /// The limits of an RSASSA-PSS key (RFC 4055, section 3.3).
    pss: Option<PssKey>,
    spki: Vec<u8>,
    key: Vec<u8>,
    /// Parsed for the usual algorithm of the commonest kind.
    ready: OnceLock<Option<ParsedPublicKey>>,
}

/// A key that makes signatures of RSASSA-PSS and no others.
#[derive(Clone, Copy, Debug)]
struct PssKey {
    /// The only algorithm, with the shortest salt; `None` if the key does not limit it.
    only: Option<SignatureAlgorithm>,
}

impl PssKey {
    fn allows(self, algorithm: SignatureAlgorithm) -> bool {
        use SignatureAlgorithm::RsaPss;
        match (self.only, algorithm) {
            (None, RsaPss { .. }) => true,
            (
                Some(RsaPss {
                    digest: only,
                    mask: only_mask,
                    salt: shortest,
                }),
                RsaPss { digest, mask, salt },
            ) => digest == only && mask == only_mask && salt >= shortest,
            _ => false,
        }
    }
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.spki == other.spki
    }
}

impl Eq for PublicKey {}

impl PublicKey {
    /// A P-256 key from its uncompressed point.
    pub fn p256(point: &[u8; 65]) -> Self {
        let algorithm = |out: &mut Vec<u8>| {
            write_der::oid(out, &oid::EC_PUBLIC_KEY);
            write_der::oid(out, &oid::P_256);
        };
        Self::laid(KeyKind::P256, point.to_vec(), algorithm)
    }

    /// An RSA key from the DER of its `RSAPublicKey`.
    pub fn rsa(public_key: &[u8]) -> Self {
        let algorithm = |out: &mut Vec<u8>| {
            write_der::oid(out, &oid::RSA);
            out.extend_from_slice(&NULL);
        };
        Self::laid(KeyKind::Rsa, public_key.to_vec(), algorithm)
    }

    fn laid(kind: KeyKind, key: Vec<u8>, algorithm: impl FnOnce(&mut Vec<u8>)) -> Self {
        let mut spki = Vec::with_capacity(key.len() + 32);
        write_der::nested(&mut spki, SEQUENCE, |out| {
            write_der::nested(out, SEQUENCE, algorithm);
            write_der::bit_string(out, &key);
        });
        Self {
            kind,
            pss: None,
            spki,
            key,
            ready: OnceLock::new(),
        }
    }

    /// From the DER of a `SubjectPublicKeyInfo`.
    pub fn from_spki(spki: &[u8]) -> Result<Self, CmsError> {
        const WHAT: &str = "public key";
        let mut fields = Values::of_sequence(spki, WHAT)?;
        let (algorithm, parameters) = identifier_parts(&fields.next(WHAT)?)?;
        let key = fields.next(WHAT)?.octets_of_bit_string(WHAT)?;
        fields.end(WHAT)?;
        let kind = match algorithm {
            oid::RSA | oid::RSA_PSS => match rsa::bits(key)? {
                bits if bits < rsa::MIN_MODULUS_BITS => return Err(CmsError::WeakKey(bits)),
                _ => KeyKind::Rsa,
            },
            oid::ED25519 => KeyKind::Ed25519,
            oid::EC_PUBLIC_KEY => match parameters {
                Some(curve) if curve.tag == Tag::ObjectIdentifier => match curve.oid(WHAT)? {
                    oid::P_256 => KeyKind::P256,
                    oid::P_384 => KeyKind::P384,
                    oid::P_521 => KeyKind::P521,
                    oid::BRAINPOOL_P256R1 => KeyKind::BrainpoolP256,
                    oid::BRAINPOOL_P384R1 => KeyKind::BrainpoolP384,
                    oid::BRAINPOOL_P512R1 => KeyKind::BrainpoolP512,
                    oid::P_192 => return Err(CmsError::WeakKey(192)),
                    oid::P_224 => return Err(CmsError::WeakKey(224)),
                    other => return Err(CmsError::UnsupportedAlgorithm(other.to_string())),
                },
                _ => return Err(Malformed(WHAT).into()),
            },
            other => return Err(CmsError::UnsupportedAlgorithm(other.to_string())),
        };
        let pss = if algorithm == oid::RSA_PSS {
            let only = parameters
                .map(|parameters| read_pss(Some(parameters)))
                .transpose()?;
            Some(PssKey { only })
        } else {
            None
        };
        Ok(Self {
            kind,
            pss,
            spki: spki.to_vec(),
            key: key.to_vec(),
            ready: OnceLock::new(),
        })
    }

    /// The kind of key.
    pub fn kind(&self) -> KeyKind {
        self.kind
    }

    /// The DER of the `SubjectPublicKeyInfo`.
    pub fn as_spki(&self) -> &[u8] {
        &self.spki
    }

    /// The contents of the BIT STRING.
    pub(crate) fn bits(&self) -> &[u8] {
        &self.key
    }

    /// The key identifier: the first 160 bits of the SHA-256 of the key (RFC 7093, method 1).
    pub fn identifier(&self) -> [u8; 20] {
        let digest = Sha256::digest(&self.key);
        let mut identifier = [0; 20];
        identifier.copy_from_slice(&digest[..20]);
        identifier
    }

    /// The longest signature that this key makes, in octets.
    pub fn signature_limit(&self) -> usize {
        match self.kind {
            KeyKind::P256 | KeyKind::BrainpoolP256 | KeyKind::Ed25519 => 72,
            KeyKind::P384 | KeyKind::BrainpoolP384 => 104,
            KeyKind::BrainpoolP512 => 138,
            KeyKind::P521 => 139,
            // The modulus is a little shorter than the encoding of the key.
            KeyKind::Rsa => self.key.len(),
        }
    }

    pub(crate) fn write_signature_algorithm(&self, out: &mut Vec<u8>) {
        write_der::nested(out, SEQUENCE, |out| match self.signature_algorithm() {
            SignatureAlgorithm::RsaPkcs1(_) | SignatureAlgorithm::RsaPss { .. } => {
                write_der::oid(out, &oid::SHA_256_WITH_RSA);
                out.extend_from_slice(&NULL);
            }
            SignatureAlgorithm::Ecdsa(_) => write_der::oid(out, &oid::ECDSA_WITH_SHA_256),
            SignatureAlgorithm::Ed25519 => write_der::oid(out, &oid::ED25519),
        });
    }

    /// The algorithm with which this key signs in this crate.
    pub fn signature_algorithm(&self) -> SignatureAlgorithm {
        match self.kind {
            KeyKind::P256
            | KeyKind::P384
            | KeyKind::P521
            | KeyKind::BrainpoolP256
            | KeyKind::BrainpoolP384
            | KeyKind::BrainpoolP512 => SignatureAlgorithm::Ecdsa(DigestAlgorithm::Sha256),
            KeyKind::Ed25519 => SignatureAlgorithm::Ed25519,
            KeyKind::Rsa => SignatureAlgorithm::RsaPkcs1(DigestAlgorithm::Sha256),
        }
    }

    /// Checks the signature of a message.
    pub fn verify_message(
        &self,
        algorithm: SignatureAlgorithm,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), CmsError> {
        if algorithm == SignatureAlgorithm::Ed25519 && self.kind == KeyKind::Ed25519 {
            let verified = UnparsedPublicKey::new(&lc::ED25519, &self.key).verify(message, signature);
            return verified.map_err(|_| CmsError::BadSignature);
        }
        self.verify(algorithm, &algorithm.digest().hash(message), signature)
    }

    /// Checks the signature of a message of which `digest` is the digest.
    pub fn verify(
        &self,
        algorithm: SignatureAlgorithm,
        digest: &[u8],
        signature: &[u8],
    ) -> Result<(), CmsError> {
        if self.pss.is_some_and(|key| !key.allows(algorithm)) {
            return Err(CmsError::AlgorithmMismatch);
        }
        let verified = match (self.kind, algorithm) {
            (KeyKind::BrainpoolP256, SignatureAlgorithm::Ecdsa(_)) => {
                verifies_on!(bp256::BrainpoolP256r1, &self.key, digest, signature)
            }
            (KeyKind::BrainpoolP384, SignatureAlgorithm::Ecdsa(_)) => {
                verifies_on!(bp384::BrainpoolP384r1, &self.key, digest, signature)
            }
            (KeyKind::BrainpoolP512, SignatureAlgorithm::Ecdsa(_)) => {
                verifies_on!(BrainpoolP512r1, &self.key, digest, signature)
            }
            (KeyKind::Rsa, SignatureAlgorithm::RsaPkcs1(hash)) if hash != hash.of_same_length() => {
                return rsa::verify_pkcs1(&self.key, hash, digest, signature);
            }
            (
                KeyKind::Rsa,
                SignatureAlgorithm::RsaPss {
                    digest: hash,
                    mask,
                    salt,
                },
            ) => {
                let usual =
                    hash == mask && hash == hash.of_same_length() && usize::from(salt) == hash.output_len();
                if !usual {
                    return rsa::verify_pss(&self.key, hash, mask, salt.into(), digest, signature);
                }
                self.verify_with_library(algorithm, digest, signature)?
            }
            _ => self.verify_with_library(algorithm, digest, signature)?,
        };
        if verified {
            Ok(())
        } else {
            Err(CmsError::BadSignature)
        }
    }

    fn verify_with_library(
        &self,
        algorithm: SignatureAlgorithm,
        digest: &[u8],
        signature: &[u8],
    ) -> Result<bool, CmsError> {
        let verification = self.verification(algorithm)?;
        let digest = algorithm.digest().imported(digest)?;
        let verified = match self.ready(algorithm) {
            Some(key) => key.verify_digest_sig(&digest, signature),
            None => UnparsedPublicKey::new(verification, &self.key).verify_digest(&digest, signature),
        };
        Ok(verified.is_ok())
    }

    fn ready(&self, algorithm: SignatureAlgorithm) -> Option<&ParsedPublicKey> {
        let usual = SignatureAlgorithm::Ecdsa(DigestAlgorithm::Sha256);
        if self.kind != KeyKind::P256 || algorithm != usual {
            return None;
        }
        let parse = || ParsedPublicKey::new(&lc::ECDSA_P256_SHA256_ASN1, &self.key).ok();
        self.ready.get_or_init(parse).as_ref()
    }

    fn verification(
        &self,
        algorithm: SignatureAlgorithm,
    ) -> Result<&'static dyn VerificationAlgorithm, CmsError> {
        use DigestAlgorithm::{Sha256, Sha384, Sha512};
        // ECDSA signs the digest, whatever its algorithm: one of SHA-3 goes the way of SHA-2.
        let algorithm = match algorithm {
            SignatureAlgorithm::Ecdsa(digest) => SignatureAlgorithm::Ecdsa(digest.of_same_length()),
            other => other,
        };
        Ok(match (self.kind, algorithm) {
            (KeyKind::P256, SignatureAlgorithm::Ecdsa(Sha256)) => &lc::ECDSA_P256_SHA256_ASN1,
            (KeyKind::P256, SignatureAlgorithm::Ecdsa(Sha384)) => &lc::ECDSA_P256_SHA384_ASN1,
            (KeyKind::P256, SignatureAlgorithm::Ecdsa(Sha512)) => &lc::ECDSA_P256_SHA512_ASN1,
            (KeyKind::P384, SignatureAlgorithm::Ecdsa(Sha256)) => &lc::ECDSA_P384_SHA256_ASN1,
            (KeyKind::P384, SignatureAlgorithm::Ecdsa(Sha384)) => &lc::ECDSA_P384_SHA384_ASN1,
            (KeyKind::P384, SignatureAlgorithm::Ecdsa(Sha512)) => &lc::ECDSA_P384_SHA512_ASN1,
            (KeyKind::P521, SignatureAlgorithm::Ecdsa(Sha256)) => &lc::ECDSA_P521_SHA256_ASN1,
            (KeyKind::P521, SignatureAlgorithm::Ecdsa(Sha384)) => &lc::ECDSA_P521_SHA384_ASN1,
            (KeyKind::P521, SignatureAlgorithm::Ecdsa(Sha512)) => &lc::ECDSA_P521_SHA512_ASN1,
            (KeyKind::Rsa, SignatureAlgorithm::RsaPkcs1(Sha256)) => &lc::RSA_PKCS1_2048_8192_SHA256,
            (KeyKind::Rsa, SignatureAlgorithm::RsaPkcs1(Sha384)) => &lc::RSA_PKCS1_2048_8192_SHA384,
            (KeyKind::Rsa, SignatureAlgorithm::RsaPkcs1(Sha512)) => &lc::RSA_PKCS1_2048_8192_SHA512,
            (KeyKind::Rsa, SignatureAlgorithm::RsaPss { digest: Sha256, .. }) => {
                &lc::RSA_PSS_2048_8192_SHA256
            }
            (KeyKind::Rsa, SignatureAlgorithm::RsaPss { digest: Sha384, .. }) => {
                &lc::RSA_PSS_2048_8192_SHA384
            }
            (KeyKind::Rsa, SignatureAlgorithm::RsaPss { digest: Sha512, .. }) => {
                &lc::RSA_PSS_2048_8192_SHA512
            }
            _ => return Err(CmsError::AlgorithmMismatch),
        })
    }
}
