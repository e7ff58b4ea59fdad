//! A certificate that another authority issued, with its key: from a PKCS #12 file, or beside a key in a token.

use std::sync::Arc;

use jiff::Timestamp;
use p12_keystore::{KeyStore, Pkcs12ImportPolicy};
use thiserror::Error;

use super::credential::Credential;
use super::error::{AuthorityError, KeyError};
use super::local_key::LocalKey;
use super::name::NameError;
use super::path::{Path, PathError};
use super::signer::Signer;
use crate::cms::{Certificate, CmsError};

/// A larger file is no certificate with its chain.
const MAX_FILE_BYTES: usize = 1 << 20;

/// A certificate of another authority, ready to sign, and the root above it.
#[derive(Clone, Debug)]
pub struct ExternalCredential {
    credential: Credential<Arc<dyn Signer>>,
    root: Certificate,
}

/// Why a certificate of another authority cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExternalCredentialError {
    /// Not a PKCS #12 file, or the password does not open it.
    #[error("it is no PKCS #12 file, or the password does not open it ({0})")]
    DoesNotOpen(String),
    /// There is no private key, or more than one.
    #[error("it must hold one private key with its certificate")]
    OneKey,
    /// None of the certificates belongs to the key.
    #[error("none of the certificates belongs to the private key")]
    KeyMismatch,
    /// The root is missing.
    #[error("the root certificate of the authority is missing: add it to the chain")]
    NoRoot,
    /// The certificates do not lead from the key's to the root at this time.
    #[error("the chain of the certificate: {0}")]
    Path(#[from] PathError),
    /// The certificate is not an authority's.
    #[error(
        "the certificate is not of an authority (basicConstraints without CA:TRUE): it cannot issue others"
    )]
    NotAuthority,
    /// The key usage forbids it.
    #[error("the certificate's key usage lacks {0}")]
    KeyUsage(&'static str),
    /// An authority above allows no issuer below it.
    #[error("the path length of `{0}` (pathLenConstraint) allows no issuer here")]
    PathLength(String),
    /// The chain ends too soon.
    #[error("a certificate of the chain ends on {0}: too soon to issue others")]
    EndsSoon(Timestamp),
    /// The key cannot be used.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A certificate cannot be read.
    #[error(transparent)]
    Certificate(#[from] CmsError),
    /// A name cannot be written.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The certificate and the key cannot be joined.
    #[error(transparent)]
    Authority(#[from] AuthorityError),
}

impl ExternalCredential {
    /// Opens a PKCS #12 file. The certificates above that are not in it are looked for among `others`.
    pub fn from_pkcs12(
        file: &[u8],
        password: &str,
        others: Vec<Certificate>,
        now: Timestamp,
    ) -> Result<Self, ExternalCredentialError> {
        if file.len() > MAX_FILE_BYTES {
            return Err(ExternalCredentialError::DoesNotOpen("it is too large".into()));
        }
        let opened = KeyStore::from_pkcs12(file, password, Pkcs12ImportPolicy::Relaxed)
            .map_err(|error| ExternalCredentialError::DoesNotOpen(error.to_string()))?;
        let mut certificates = others;
        let mut key = None;
        for (_, entry) in opened.entries() {
            match entry {
                p12_keystore::KeyStoreEntry::PrivateKeyChain(chain) => {
                    if key.replace(LocalKey::from_pkcs8(chain.key().as_der())?).is_some() {
                        return Err(ExternalCredentialError::OneKey);
                    }
                    for certificate in chain.certs() {
                        certificates.push(Certificate::from_der(certificate.as_der())?);
                    }
                }
                p12_keystore::KeyStoreEntry::Certificate(certificate) => {
                    certificates.push(Certificate::from_der(certificate.as_der())?);
                }
                p12_keystore::KeyStoreEntry::Secret(_) => {}
            }
        }
        Self::new(
            Arc::new(key.ok_or(ExternalCredentialError::OneKey)?),
            certificates,
            now,
        )
    }

    /// Joins a key with its certificate and those above it, in any order, the root among them.
    pub fn new(
        key: Arc<dyn Signer>,
        certificates: Vec<Certificate>,
        now: Timestamp,
    ) -> Result<Self, ExternalCredentialError> {
        let is_own = |certificate: &&Certificate| {
            certificate
                .public_key()
                .is_ok_and(|public| public == *key.public_key())
        };
        let own = certificates.iter().find(is_own);
        let own = own.ok_or(ExternalCredentialError::KeyMismatch)?.clone();
        let (roots, others): (Vec<_>, Vec<_>) = certificates
            .into_iter()
            .filter(|certificate| *certificate != own)
            .partition(|certificate| certificate.subject_der() == certificate.issuer_der());
        if roots.is_empty() {
            return Err(ExternalCredentialError::NoRoot);
        }
        let path = Path::find(&own, &others, &roots, now)?;
        let (root, below) = path
            .certificates()
            .split_last()
            .ok_or(ExternalCredentialError::NoRoot)?;
        let chain = below.iter().skip(1).cloned().collect();
        Ok(Self {
            credential: Credential::new(own, chain, key)?,
            root: root.clone(),
        })
    }

    /// The certificate with its key.
    pub fn credential(&self) -> &Credential<Arc<dyn Signer>> {
        &self.credential
    }

    /// The root that readers have to trust.
    pub fn root(&self) -> &Certificate {
        &self.root
    }

    /// When the first certificate of the chain ends.
    pub fn ends(&self) -> Timestamp {
        let chain = self.credential.chain().iter().map(Certificate::not_after);
        chain.fold(
            self.credential
                .certificate()
                .not_after()
                .min(self.root.not_after()),
            Timestamp::min,
        )
    }
}
