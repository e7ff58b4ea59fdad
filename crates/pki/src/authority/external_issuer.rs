//! An issuer below another authority: an intermediate that it signed, with its key.

use aws_lc_rs::rand::SystemRandom;
use jiff::Timestamp;

use super::constraints::Constraints;
use super::external_credential::{ExternalCredential, ExternalCredentialError};
use super::issuer::Issuer;
use super::name::Subject;
use super::path::Path;
use super::validity::Validity;
use crate::cms::Certificate;

/// An issuer of another authority's, and the certificates above it.
#[derive(Clone, Debug)]
pub struct ExternalIssuer {
    issuer: Issuer,
    above: Vec<Certificate>,
    root: Certificate,
}

impl ExternalIssuer {
    /// Checks that the certificate may issue others and will last until `least`, and that what it issues at `now` leads to
    /// the root.
    pub fn new(
        given: &ExternalCredential,
        now: Timestamp,
        least: Timestamp,
    ) -> Result<Self, ExternalCredentialError> {
        let own = given.credential();
        let constraints = Constraints::of(own.certificate())?;
        if !constraints.is_authority() {
            return Err(ExternalCredentialError::NotAuthority);
        }
        if !constraints.signs_certificates() {
            return Err(ExternalCredentialError::KeyUsage("keyCertSign"));
        }
        if !constraints.signs_crls() {
            return Err(ExternalCredentialError::KeyUsage("cRLSign"));
        }
        let above = own.chain().iter().chain([given.root()]);
        for (between, authority) in (1_u64..).zip(above) {
            let followers = Constraints::of(authority)?.followers();
            if followers.is_some_and(|followers| followers < between) {
                return Err(ExternalCredentialError::PathLength(authority.subject()));
            }
        }
        if given.ends() < least {
            return Err(ExternalCredentialError::EndsSoon(given.ends()));
        }
        let issuer = Issuer::below(own.certificate().clone(), own.chain().to_vec(), own.key().clone())?;
        let this = Self {
            issuer,
            above: own.chain().to_vec(),
            root: given.root().clone(),
        };
        this.issue_trial_certificate(now)?;
        Ok(this)
    }

    /// Issues a certificate, checks its path and throws it away: the authorities above may forbid names.
    fn issue_trial_certificate(&self, now: Timestamp) -> Result<(), ExternalCredentialError> {
        let trial = Subject::of_installation("Firmeza", None, None)?;
        let ends = self.issuer.certificate().not_after();
        let trial = self
            .issuer
            .one_shot(&trial, Validity::new(now, ends)?, &SystemRandom::new())?;
        let roots = std::slice::from_ref(&self.root);
        Path::find(trial.certificate(), trial.chain(), roots, now)?;
        Ok(())
    }

    /// The issuer.
    pub fn issuer(&self) -> &Issuer {
        &self.issuer
    }

    /// The certificates between the issuer and the root.
    pub fn above(&self) -> &[Certificate] {
        &self.above
    }

    /// The root that readers have to trust.
    pub fn root(&self) -> &Certificate {
        &self.root
    }

    /// When the first certificate of the chain ends.
    pub fn ends(&self) -> Timestamp {
        let all = self.above.iter().chain([&self.root]).map(Certificate::not_after);
        all.fold(self.issuer.certificate().not_after(), Timestamp::min)
    }
}
