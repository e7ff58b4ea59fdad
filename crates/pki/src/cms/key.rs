//! Public keys: read from certificates, encoded for new ones, and used to verify.

use std::sync::OnceLock;

use aws_lc_rs::signature::{
    self as lc, ParsedPublicKey, RsaParameters, RsaPssSaltLength, UnparsedPublicKey, VerificationAlgorithm,
};
use der::Tag;
use sha2::{Digest as _, Sha256};

use super::algorithm::{DigestAlgorithm, SignatureAlgorithm, identifier_parts, read_pss};
use super::error::CmsError;
use super::oid;
use super::read::{Malformed, Values};
use super::write::{self, NULL, SEQUENCE};

/// The accepted kinds of public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// ECDSA on the curve P-256.
    P256,
    /// ECDSA on the curve P-384.
    P384,
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
                    salt: shortest,
                }),
                RsaPss { digest, salt },
            ) => digest == only && salt >= shortest,
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
        Self::laid(KeyKind::P256, point.to_vec())
    }

    /// An RSA key from the DER of its `RSAPublicKey`.
    pub fn rsa(public_key: &[u8]) -> Self {
        Self::laid(KeyKind::Rsa, public_key.to_vec())
    }

    fn laid(kind: KeyKind, key: Vec<u8>) -> Self {
        let mut spki = Vec::with_capacity(key.len() + 32);
        write::nested(&mut spki, SEQUENCE, |out| {
            write::nested(out, SEQUENCE, |out| match kind {
                KeyKind::P256 | KeyKind::P384 => {
                    let curve = if kind == KeyKind::P256 {
                        oid::P_256
                    } else {
                        oid::P_384
                    };
                    write::oid(out, &oid::EC_PUBLIC_KEY);
                    write::oid(out, &curve);
                }
                KeyKind::Rsa => {
                    write::oid(out, &oid::RSA);
                    out.extend_from_slice(&NULL);
                }
            });
            write::bit_string(out, &key);
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
            oid::RSA | oid::RSA_PSS => KeyKind::Rsa,
            oid::EC_PUBLIC_KEY => match parameters {
                Some(curve) if curve.tag == Tag::ObjectIdentifier => match curve.oid(WHAT)? {
                    oid::P_256 => KeyKind::P256,
                    oid::P_384 => KeyKind::P384,
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
            KeyKind::P256 => 72,
            KeyKind::P384 => 104,
            // The modulus is a little shorter than the encoding of the key.
            KeyKind::Rsa => self.key.len(),
        }
    }

    pub(crate) fn write_signature_algorithm(&self, out: &mut Vec<u8>) {
        write::nested(out, SEQUENCE, |out| match self.kind {
            KeyKind::P256 | KeyKind::P384 => write::oid(out, &oid::ECDSA_WITH_SHA_256),
            KeyKind::Rsa => {
                write::oid(out, &oid::SHA_256_WITH_RSA);
                out.extend_from_slice(&NULL);
            }
        });
    }

    /// The algorithm with which this key signs in this crate.
    pub fn signature_algorithm(&self) -> SignatureAlgorithm {
        match self.kind {
            KeyKind::P256 | KeyKind::P384 => SignatureAlgorithm::Ecdsa(DigestAlgorithm::Sha256),
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
        let verification = self.verification(algorithm)?;
        let digest = algorithm.digest().imported(digest)?;
        let verified = match self.ready(algorithm) {
            Some(key) => key.verify_digest_sig(&digest, signature),
            None => UnparsedPublicKey::new(verification, &self.key).verify_digest(&digest, signature),
        };
        verified.map_err(|_| CmsError::BadSignature)
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
        Ok(match (self.kind, algorithm) {
            (KeyKind::P256, SignatureAlgorithm::Ecdsa(Sha256)) => &lc::ECDSA_P256_SHA256_ASN1,
            (KeyKind::P256, SignatureAlgorithm::Ecdsa(Sha384)) => &lc::ECDSA_P256_SHA384_ASN1,
            (KeyKind::P256, SignatureAlgorithm::Ecdsa(Sha512)) => &lc::ECDSA_P256_SHA512_ASN1,
            (KeyKind::P384, SignatureAlgorithm::Ecdsa(Sha256)) => &lc::ECDSA_P384_SHA256_ASN1,
            (KeyKind::P384, SignatureAlgorithm::Ecdsa(Sha384)) => &lc::ECDSA_P384_SHA384_ASN1,
            (KeyKind::P384, SignatureAlgorithm::Ecdsa(Sha512)) => &lc::ECDSA_P384_SHA512_ASN1,
            (KeyKind::Rsa, SignatureAlgorithm::RsaPkcs1(Sha256)) => &lc::RSA_PKCS1_2048_8192_SHA256,
            (KeyKind::Rsa, SignatureAlgorithm::RsaPkcs1(Sha384)) => &lc::RSA_PKCS1_2048_8192_SHA384,
            (KeyKind::Rsa, SignatureAlgorithm::RsaPkcs1(Sha512)) => &lc::RSA_PKCS1_2048_8192_SHA512,
            (KeyKind::Rsa, SignatureAlgorithm::RsaPss { digest, salt }) => self.pss(digest, salt)?,
            _ => return Err(CmsError::AlgorithmMismatch),
        })
    }

    /// Salts as long as the digest are the rule; signers also use 20 octets, and as many as fit.
    fn pss(&self, digest: DigestAlgorithm, salt: u16) -> Result<&'static RsaParameters, CmsError> {
        use DigestAlgorithm::{Sha256, Sha384, Sha512};
        const SHORT_SALT: RsaPssSaltLength = RsaPssSaltLength::Custom(20);
        const MAX_SALT: RsaPssSaltLength = RsaPssSaltLength::Max;
        let bits = RsaParameters::public_modulus_len(&self.key).map_err(|_| Malformed("public key"))?;
        let longest = (usize::try_from(bits).unwrap_or(0) + 6) / 8;
        let salt = usize::from(salt);
        Ok(match digest {
            Sha256 if salt == 32 => &lc::RSA_PSS_2048_8192_SHA256,
            Sha384 if salt == 48 => &lc::RSA_PSS_2048_8192_SHA384,
            Sha512 if salt == 64 => &lc::RSA_PSS_2048_8192_SHA512,
            Sha256 if salt == 20 => &const { lc::RSA_PSS_2048_8192_SHA256.with_pss_salt_length(SHORT_SALT) },
            Sha384 if salt == 20 => &const { lc::RSA_PSS_2048_8192_SHA384.with_pss_salt_length(SHORT_SALT) },
            Sha512 if salt == 20 => &const { lc::RSA_PSS_2048_8192_SHA512.with_pss_salt_length(SHORT_SALT) },
            _ if salt + digest.output_len() + 2 != longest => {
                return Err(CmsError::UnsupportedAlgorithm(oid::RSA_PSS.to_string()));
            }
            Sha256 => &const { lc::RSA_PSS_2048_8192_SHA256.with_pss_salt_length(MAX_SALT) },
            Sha384 => &const { lc::RSA_PSS_2048_8192_SHA384.with_pss_salt_length(MAX_SALT) },
            Sha512 => &const { lc::RSA_PSS_2048_8192_SHA512.with_pss_salt_length(MAX_SALT) },
        })
    }
}
