//! An issuer: signs the certificates of signers, of the service and of the timestamping.

use std::sync::Arc;

use aws_lc_rs::rand::SecureRandom;
use jiff::Timestamp;

use super::credential::Credential;
use super::error::AuthorityError;
use super::issue_certificate::{Draft, KeyUsage, Purpose, check_authority, checked_url};
use super::issue_crl::{self, Revoked};
use super::local_key::LocalKey;
use super::name::Subject;
use super::one_shot::OneShot;
use super::signer::Signer;
use super::validity::Validity;
use crate::cms::{Certificate, PublicKey};

/// An issuer's certificate and key.
#[derive(Clone, Debug)]
pub struct Issuer {
    certificate: Certificate,
    chain: Arc<[Certificate]>,
    key: Arc<dyn Signer>,
    crl_url: Option<String>,
}

/// The use of a certificate of the installation itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The service's own signature, which certifies documents.
    Service,
    /// RFC 3161 timestamps: extended key usage timeStamping, critical and alone.
    TimeStamping,
}

impl Issuer {
    /// An issuer made earlier by [`super::Root::issuer`].
    pub fn load(certificate: Certificate, key: Arc<dyn Signer>) -> Result<Self, AuthorityError> {
        Self::below(certificate, Vec::new(), key)
    }

    /// An issuer with these certificates between it and its root.
    pub(super) fn below(
        certificate: Certificate,
        above: Vec<Certificate>,
        key: Arc<dyn Signer>,
    ) -> Result<Self, AuthorityError> {
        check_authority(&certificate, &*key)?;
        let chain = std::iter::once(certificate.clone()).chain(above).collect();
        Ok(Self {
            certificate,
            chain,
            key,
            crl_url: None,
        })
    }

    /// Has the certificates issued from now on name the address of this issuer's CRL.
    pub fn with_crl_url(mut self, url: &str) -> Result<Self, AuthorityError> {
        self.crl_url = Some(checked_url(url)?);
        Ok(self)
    }

    /// The issuer's certificate.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    pub(super) fn public_key(&self) -> &PublicKey {
        self.key.public_key()
    }

    /// A fresh P-256 key and a certificate for it, for one signature.
    pub fn one_shot(
        &self,
        signer: &Subject,
        validity: Validity,
        rng: &dyn SecureRandom,
    ) -> Result<OneShot, AuthorityError> {
        let key = LocalKey::generate()?;
        let certificate = self.issue(
            signer,
            validity,
            key.public_key(),
            KeyUsage::Commitment,
            Purpose::Any,
            rng,
        )?;
        Ok(OneShot::new(Credential::trusted(
            certificate,
            self.chain.clone(),
            key,
        )))
    }

    /// A certificate for a lasting key of the installation.
    pub fn credential<K: Signer>(
        &self,
        role: Role,
        key: K,
        subject: &Subject,
        validity: Validity,
        rng: &dyn SecureRandom,
    ) -> Result<Credential<K>, AuthorityError> {
        let purpose = match role {
            Role::Service => Purpose::Any,
            Role::TimeStamping => Purpose::TimeStamping,
        };
        let usage = KeyUsage::Signature;
        let certificate = self.issue(subject, validity, key.public_key(), usage, purpose, rng)?;
        Ok(Credential::trusted(certificate, self.chain.clone(), key))
    }

    pub(super) fn issue(
        &self,
        subject: &Subject,
        validity: Validity,
        public_key: &PublicKey,
        usage: KeyUsage,
        purpose: Purpose,
        rng: &dyn SecureRandom,
    ) -> Result<Certificate, AuthorityError> {
        validity.check_within(&self.certificate)?;
        let draft = Draft {
            issuer: self.certificate.subject_der(),
            above: Some(&self.certificate),
            subject: subject.as_der(),
            validity,
            public_key,
            usage,
            authority: None,
            purpose,
            crl_url: self.crl_url.as_deref(),
        };
        draft.issue(&*self.key, rng)
    }

    /// The list of the certificates that this issuer has revoked.
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
