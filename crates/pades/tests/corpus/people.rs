//! Signers with keys and certificates that openssl made.

use aws_lc_rs::digest::{Digest, SHA256};
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair};
use pades::cms::Certificate;

use crate::cms_tools::{OpenSsl, P256, SIGNING};

/// Somebody who can sign.
pub(crate) struct Person {
    pub(crate) certificate: Certificate,
    pub(crate) chain: Vec<Certificate>,
    key: EcdsaKeyPair,
    authority: OpenSsl,
}

impl Person {
    pub(crate) fn new(name: &str) -> Self {
        let authority = OpenSsl::new();
        let certificate = authority.signer(name, P256, SIGNING);
        let pkcs8 = authority.read(&format!("{name}.p8"));
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &pkcs8).unwrap();
        let chain = vec![authority.certificate("ca")];
        Self {
            certificate,
            chain,
            key,
            authority,
        }
    }

    /// The signature of a message, given its SHA-256.
    pub(crate) fn sign(&self, digest: &[u8; 32]) -> Vec<u8> {
        let digest = Digest::import_less_safe(digest, &SHA256).unwrap();
        self.key.sign_digest(&digest).unwrap().as_ref().to_vec()
    }

    /// The root under which the certificate stands, as PEM.
    pub(crate) fn root(&self) -> Vec<u8> {
        self.authority.read("ca.pem")
    }
}
