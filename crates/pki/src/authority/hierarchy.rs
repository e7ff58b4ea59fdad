//! The whole authority: one root, the current issuer, and the retired ones.
//!
//! A retired issuer issues no certificate, but goes on signing CRLs while its certificates are in use.

use std::sync::Arc;

use aws_lc_rs::rand::SecureRandom;
use jiff::Timestamp;

use super::error::AuthorityError;
use super::issue_crl::Revoked;
use super::issuer::Issuer;
use super::name::Subject;
use super::root::Root;
use super::signer::Signer;
use super::validity::Validity;
use crate::cms::Certificate;

/// The installation's authority.
#[derive(Clone, Debug)]
pub struct Authority {
    root: Root,
    current: Issuer,
    retired: Vec<Issuer>,
}

impl Authority {
    /// Joins a root and issuers that were stored apart; the root must have issued every issuer.
    pub fn new(root: Root, current: Issuer, retired: Vec<Issuer>) -> Result<Self, AuthorityError> {
        let key = root.certificate().public_key()?;
        for issuer in retired.iter().chain([&current]) {
            issuer.certificate().verify_signed_by(&key)?;
        }
        Ok(Self {
            root,
            current,
            retired,
        })
    }

    /// The root.
    pub fn root(&self) -> &Root {
        &self.root
    }

    /// The current issuer.
    pub fn issuer(&self) -> &Issuer {
        &self.current
    }

    /// All issuers, the current one first.
    pub fn issuers(&self) -> impl Iterator<Item = &Issuer> {
        std::iter::once(&self.current).chain(&self.retired)
    }

    /// Makes a new issuer the current one and retires the old one. Its name must differ from all old ones', so that
    /// readers cannot confuse their certificates.
    pub fn rotate(
        &mut self,
        key: Arc<dyn Signer>,
        subject: &Subject,
        validity: Validity,
        rng: &dyn SecureRandom,
    ) -> Result<(), AuthorityError> {
        if self
            .issuers()
            .any(|issuer| issuer.certificate().subject_der() == subject.as_der())
        {
            return Err(AuthorityError::NameTaken);
        }
        let next = self.root.issuer(key, subject, validity, rng)?;
        self.retired.insert(0, std::mem::replace(&mut self.current, next));
        Ok(())
    }

    /// The list of every authority, the root's first; `revoked` has the revocations of each.
    pub fn crls(
        &self,
        number: u64,
        this_update: Timestamp,
        next_update: Timestamp,
        revoked: impl Fn(&Certificate) -> Vec<Revoked>,
    ) -> Result<Vec<Vec<u8>>, AuthorityError> {
        let mut lists = Vec::with_capacity(2 + self.retired.len());
        let of_root = revoked(self.root.certificate());
        lists.push(self.root.crl(number, this_update, next_update, &of_root)?);
        for issuer in self.issuers() {
            let of_issuer = revoked(issuer.certificate());
            lists.push(issuer.crl(number, this_update, next_update, &of_issuer)?);
        }
        Ok(lists)
    }
}
