//! A private key, in memory or in a token.

use std::fmt::Debug;

use super::error::KeyError;
use crate::cms::PublicKey;

/// A private key that signs SHA-256 digests.
pub trait Signer: Debug + Send + Sync {
    /// The public half.
    fn public_key(&self) -> &PublicKey;

    /// The signature of the message of which this is the SHA-256: ECDSA in DER, or RSA with the
    /// padding of PKCS #1 v1.5.
    fn sign(&self, digest: &[u8; 32]) -> Result<Vec<u8>, KeyError>;
}
