//! Credentials below another authority: an issuer for signers' certificates, and the certificates that it gave the
//! installation's own keys for the service and for timestamps. So a document leads to that authority's root alone. Evidence
//! stays under the installation's root.

use super::naming::{list_url, names};
use super::{ActiveCredentials, Key, broken, to_jiff};
use crate::Error;
use aws_lc_rs::rand::SystemRandom;
use domain::Timestamp;
use domain::event::hex;
use pki::authority::{Credential, ExternalIssuer, Issuer, Role, Validity};
use pki::cms::Certificate;
use pki::time::{BASELINE_POLICY, TimeStampAuthority};
use url::Url;

/// An issuer below another authority, and what it issued.
#[derive(Debug)]
pub(super) struct ExternallyIssued {
    pub(super) issuer: Issuer,
    pub(super) service: Credential<Key>,
    pub(super) stamps: TimeStampAuthority<Key>,
    pub(super) stamping: Certificate,
    /// When the first certificate of the chain ends.
    pub(super) ends: jiff::Timestamp,
}

impl ExternallyIssued {
    pub(super) fn new(
        given: &ExternalIssuer,
        base_url: &Url,
        service: Key,
        stamping: Key,
    ) -> Result<Self, Error> {
        let issuer = given.issuer().clone();
        let issuer = issuer
            .with_crl_url(&list_url(base_url, &list_name(given.issuer().certificate())))
            .map_err(broken)?;
        let name = names()?;
        let validity = Validity::new(issuer.certificate().not_before(), given.ends()).map_err(broken)?;
        let credential = |role, key, what| {
            let made = issuer.credential(role, key, &name(what)?, validity, &SystemRandom::new());
            made.map_err(broken)
        };
        let service = credential(Role::Service, service, "Servicio")?;
        let stamps = credential(Role::TimeStamping, stamping, "Estampado de tiempo")?;
        Ok(Self {
            stamping: stamps.certificate().clone(),
            stamps: TimeStampAuthority::new(stamps, BASELINE_POLICY).map_err(broken)?,
            service,
            issuer,
            ends: given.ends(),
        })
    }
}

/// Under which name the issuer's list is handed out: another issuer's has another name.
pub(super) fn list_name(issuer: &Certificate) -> String {
    let mut fingerprint = hex(issuer.sha256());
    fingerprint.truncate(16);
    format!("issuer-{fingerprint}.crl")
}

impl ActiveCredentials {
    /// What documents are signed with below another authority, until that ends: an issuer that has ended keeps no signer
    /// from signing.
    pub(super) fn external(&self, now: Timestamp) -> Option<&ExternallyIssued> {
        self.external
            .as_ref()
            .filter(|external| external.ends > to_jiff(now))
    }

    /// The issuer of signers' certificates, and until when they may last.
    pub(super) fn issuer_of_signers(&self, now: Timestamp) -> (&Issuer, jiff::Timestamp) {
        match self.external(now) {
            Some(external) => (&external.issuer, external.ends),
            None => (&self.issuer, self.issuer.certificate().not_after()),
        }
    }

    /// The authority that timestamps documents, and its certificate.
    pub(super) fn document_stamps(&self, now: Timestamp) -> (&TimeStampAuthority<Key>, &Certificate) {
        match self.external(now) {
            Some(external) => (&external.stamps, &external.stamping),
            None => (&self.stamps, &self.stamping),
        }
    }
}
