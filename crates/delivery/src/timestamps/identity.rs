//! The certificate with which we present ourselves to the server of a timestamp authority.

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// A certificate, those above it, and its key.
#[derive(Debug)]
pub struct ClientIdentity {
    pub(super) certificates: Vec<CertificateDer<'static>>,
    pub(super) key: PrivateKeyDer<'static>,
}

/// Why a file has no certificate to present.
#[derive(Debug, thiserror::Error)]
pub enum BadIdentity {
    /// It has no certificate.
    #[error("there is no certificate in it")]
    NoCertificate,
    /// It is no PEM, or its key is missing or encrypted.
    #[error("it must be PEM with a certificate and a key that is not encrypted: {0}")]
    Pem(#[from] rustls::pki_types::pem::Error),
}

impl ClientIdentity {
    /// From PEM: the certificate first, then those above it; the key anywhere.
    pub fn from_pem(pem: &[u8]) -> Result<Self, BadIdentity> {
        let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
        let certificates = certificates?;
        if certificates.is_empty() {
            return Err(BadIdentity::NoCertificate);
        }
        let key = PrivateKeyDer::from_pem_slice(pem)?;
        Ok(Self { certificates, key })
    }
}
