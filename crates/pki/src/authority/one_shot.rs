//! A key for one signature.

use super::credential::{Credential, Signed};
use super::error::AuthorityError;
use super::local_key::LocalKey;
use crate::cms::{Anchor, Certificate, MAX_ANCHOR_BYTES};

/// A signer's certificate and its fresh key. Signing consumes the key: its memory is cleared and no copy exists.
#[derive(Debug)]
pub struct OneShot(Credential<LocalKey>);

impl OneShot {
    pub(super) fn new(credential: Credential<LocalKey>) -> Self {
        Self(credential)
    }

    /// The signer's certificate.
    pub fn certificate(&self) -> &Certificate {
        self.0.certificate()
    }

    /// The certificates above it, without the root.
    pub fn chain(&self) -> &[Certificate] {
        self.0.chain()
    }

    /// The space to reserve for the signature, with a timestamp of this length or none.
    pub fn reserve(&self, timestamp: usize) -> usize {
        self.0.reserve(timestamp)
    }

    /// Signs a document by the SHA-256 of its signed bytes, and destroys the key.
    pub fn sign(self, document_digest: &[u8; 32]) -> Result<Signed, AuthorityError> {
        self.0.sign(document_digest)
    }

    /// The space to reserve for an anchored signature, with a timestamp of this length or none.
    pub fn reserve_anchored(&self, timestamp: usize) -> usize {
        self.0.reserve(MAX_ANCHOR_BYTES + timestamp)
    }

    /// Signs a document with the head of a history that is kept elsewhere, and destroys the key.
    pub fn sign_anchored(
        self,
        document_digest: &[u8; 32],
        anchor: &Anchor,
    ) -> Result<Signed, AuthorityError> {
        self.0.sign_anchored(document_digest, Some(anchor))
    }
}
