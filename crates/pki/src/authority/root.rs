//! The root: the one certificate that readers have to trust. It issues issuers and nothing else.

use std::sync::Arc;

use aws_lc_rs::rand::SecureRandom;
use jiff::Timestamp;

use super::error::AuthorityError;
use super::issue_certificate::{Draft, KeyUsage, Purpose, check_authority, checked_url};
use super::issue_crl::{self, Revoked};
use super::issuer::Issuer;
use super::name::Subject;
use super::signer::Signer;
use super::validity::Validity;
use crate::cms::Certificate;

/// The installation's root and its key.
#[derive(Clone, Debug)]
pub struct Root {
    certificate: Certificate,
    key: Arc<dyn Signer>,
    crl_url: Option<String>,
}

impl Root {
    /// A new root for this key.
    pub fn create(
        key: Arc<dyn Signer>,
        subject: &Subject,
        validity: Validity,
        rng: &dyn SecureRandom,
    ) -> Result<Self, AuthorityError> {
        let draft = Draft {
            issuer: subject.as_der(),
            above: None,
            subject: subject.as_der(),
            validity,
            public_key: key.public_key(),
            usage: KeyUsage::Authority,
            authority: Some(1),
            purpose: Purpose::Any,
            crl_url: None,
        };
        let certificate = draft.issue(&*key, rng)?;
        Ok(Self {
            certificate,
            key,
            crl_url: None,
        })
    }

    /// A root made earlier.
    pub fn load(certificate: Certificate, key: Arc<dyn Signer>) -> Result<Self, AuthorityError> {
        check_authority(&certificate, &*key)?;
        Ok(Self {
            certificate,
            key,
            crl_url: None,
        })
    }

    /// Has the certificates of issuers name the address of the root's CRL from now on.
    pub fn with_crl_url(mut self, url: &str) -> Result<Self, AuthorityError> {
        self.crl_url = Some(checked_url(url)?);
        Ok(self)
    }

    /// The root's certificate.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// A new issuer under this root.
    pub fn issuer(
        &self,
        key: Arc<dyn Signer>,
        subject: &Subject,
        validity: Validity,
        rng: &dyn SecureRandom,
    ) -> Result<Issuer, AuthorityError> {
        validity.check_within(&self.certificate)?;
        let draft = Draft {
            issuer: self.certificate.subject_der(),
            above: Some(&self.certificate),
            subject: subject.as_der(),
            validity,
            public_key: key.public_key(),
            usage: KeyUsage::Authority,
            authority: Some(0),
            purpose: Purpose::Any,
            crl_url: self.crl_url.as_deref(),
        };
        let certificate = draft.issue(&*self.key, rng)?;
        Issuer::load(certificate, key)
    }

    /// The list of the issuers that this root has revoked.
    pub fn crl(
        &self,
        number: u64,
        this_update: Timestamp,
        next_update: Timestamp,
        revoked: &[Revoked],
    ) -> Result<Vec<u8>, AuthorityError> {
        issue_crl::issue(
            &self.certificate,
            &*self.key,
            number,
            [this_update, next_update],
            revoked,
        )
    }
}
