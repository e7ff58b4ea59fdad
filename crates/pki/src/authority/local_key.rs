//! A private key in memory. The library clears its memory when it is dropped.

use aws_lc_rs::digest::{Digest, SHA256};
use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair,
};

use zeroize::Zeroizing;

use super::error::KeyError;
use super::signer::Signer;
use crate::cms::PublicKey;

/// A P-256 or RSA key in memory.
#[derive(Debug)]
pub struct LocalKey {
    pair: Pair,
    public: PublicKey,
}

#[derive(Debug)]
enum Pair {
    P256(EcdsaKeyPair),
    Rsa(RsaKeyPair),
}

impl LocalKey {
    /// A new P-256 key.
    pub fn generate() -> Result<Self, KeyError> {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).map_err(|_| KeyError::Refused)?;
        Self::from_pair(Pair::P256(pair))
    }

    /// A new RSA key of 3072 bits, for installations whose readers do not support elliptic curves.
    pub fn generate_rsa() -> Result<Self, KeyError> {
        let pair = RsaKeyPair::generate(KeySize::Rsa3072).map_err(|_| KeyError::Refused)?;
        Self::from_pair(Pair::Rsa(pair))
    }

    /// A key from the DER of PKCS #8, unencrypted.
    pub fn from_pkcs8(pkcs8: &[u8]) -> Result<Self, KeyError> {
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, pkcs8)
            .map(Pair::P256)
            .or_else(|_| RsaKeyPair::from_pkcs8(pkcs8).map(Pair::Rsa))
            .map_err(|_| KeyError::UnsupportedKey)?;
        Self::from_pair(pair)
    }

    fn from_pair(pair: Pair) -> Result<Self, KeyError> {
        let public = match &pair {
            Pair::P256(pair) => {
                let point = pair
                    .public_key()
                    .as_ref()
                    .try_into()
                    .map_err(|_| KeyError::Refused)?;
                PublicKey::p256(point)
            }
            Pair::Rsa(pair) => PublicKey::rsa(pair.public_key().as_ref()),
        };
        Ok(Self { pair, public })
    }

    /// The DER of PKCS #8.
    pub(super) fn to_pkcs8(&self) -> Result<Zeroizing<Vec<u8>>, KeyError> {
        let refused = |_| KeyError::Refused;
        let bytes = match &self.pair {
            Pair::P256(pair) => pair.to_pkcs8v1().map_err(refused)?.as_ref().to_vec(),
            Pair::Rsa(pair) => AsDer::<Pkcs8V1Der<'_>>::as_der(pair)
                .map_err(refused)?
                .as_ref()
                .to_vec(),
        };
        Ok(Zeroizing::new(bytes))
    }
}

impl Signer for LocalKey {
    fn public_key(&self) -> &PublicKey {
        &self.public
    }

    fn sign(&self, digest: &[u8; 32]) -> Result<Vec<u8>, KeyError> {
        let digest = Digest::import_less_safe(digest, &SHA256).map_err(|_| KeyError::Refused)?;
        match &self.pair {
            Pair::P256(pair) => {
                let signature = pair.sign_digest(&digest).map_err(|_| KeyError::Refused)?;
                Ok(signature.as_ref().to_vec())
            }
            Pair::Rsa(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign_digest(&RSA_PKCS1_SHA256, &digest, &mut signature)
                    .map_err(|_| KeyError::Refused)?;
                Ok(signature)
            }
        }
    }
}
