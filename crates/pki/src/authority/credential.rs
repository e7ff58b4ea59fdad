//! A certificate with its key, ready to sign documents.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::error::AuthorityError;
use super::signer::Signer;
use crate::cms::{self, Anchor, Certificate, SignedAttributes, ToBeSigned};

/// A certificate, the certificates above it without the root, and its key.
#[derive(Clone, Debug)]
pub struct Credential<K = Arc<dyn Signer>> {
    certificate: Certificate,
    chain: Arc<[Certificate]>,
    key: K,
}

impl<K: Signer> Credential<K> {
    /// Joins a certificate and a key that were stored apart; they must belong together.
    pub fn new(certificate: Certificate, chain: Vec<Certificate>, key: K) -> Result<Self, AuthorityError> {
        if certificate.public_key()? != *key.public_key() {
            return Err(AuthorityError::KeyMismatch);
        }
        Ok(Self::trusted(certificate, chain.into(), key))
    }

    pub(super) fn trusted(certificate: Certificate, chain: Arc<[Certificate]>, key: K) -> Self {
        Self {
            certificate,
            chain,
            key,
        }
    }

    /// The certificate.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// The certificates above it, without the root.
    pub fn chain(&self) -> &[Certificate] {
        &self.chain
    }

    /// The key.
    pub fn key(&self) -> &K {
        &self.key
    }

    /// The space to reserve for a signature that will carry a timestamp of this length, or none.
    pub fn reserve(&self, timestamp: usize) -> usize {
        cms::reserve(&self.certificate, &self.chain, timestamp)
    }

    /// Signs a document by the SHA-256 of its signed bytes.
    pub fn sign(&self, document_digest: &[u8; 32]) -> Result<Signed, AuthorityError> {
        self.sign_anchored(document_digest, None)
    }

    /// The same, with the head of a history that is kept elsewhere among the signed attributes.
    pub fn sign_anchored(
        &self,
        document_digest: &[u8; 32],
        anchor: Option<&Anchor>,
    ) -> Result<Signed, AuthorityError> {
        let to_be_signed = SignedAttributes::anchored(document_digest, &self.certificate, anchor)?;
        let signature = self.key.sign(&to_be_signed.digest())?;
        Ok(Signed {
            attributes: to_be_signed,
            signature,
            chain: self.chain.clone(),
        })
    }
}

impl<S: Signer + ?Sized> Signer for Arc<S> {
    fn public_key(&self) -> &cms::PublicKey {
        (**self).public_key()
    }

    fn sign(&self, digest: &[u8; 32]) -> Result<Vec<u8>, super::KeyError> {
        (**self).sign(digest)
    }
}

/// A signature whose CMS may still take a timestamp.
#[derive(Clone, Debug)]
pub struct Signed {
    attributes: ToBeSigned,
    signature: Vec<u8>,
    chain: Arc<[Certificate]>,
}

impl Signed {
    /// The SHA-256 over which a signature timestamp is taken.
    pub fn timestamp_digest(&self) -> [u8; 32] {
        Sha256::digest(&self.signature).into()
    }

    /// The CMS, with the timestamp token if there is one.
    pub fn finish(self, timestamp: Option<&[u8]>) -> Vec<u8> {
        self.attributes.finish(&self.signature, &self.chain, timestamp)
    }
}
