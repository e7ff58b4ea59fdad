//! Revoked certificates of the authority: for its lists, and so that a revoked key is not used again.

use super::{ActiveCredentials, Notary, to_jiff};
use crate::Error;
use domain::Timestamp;
use pki::authority::{Issuer, Reason, Revoked};
use pki::cms::Certificate;
use store::RevocationRow;

impl ActiveCredentials {
    /// The entries of an authority's revocation list. `signers`: the authority issued signers' certificates, some of which are
    /// known by their serial numbers alone.
    pub(super) fn revoked_by(&self, authority: &Certificate, signers: bool) -> Vec<Revoked> {
        let own = self.revoked.iter().filter(|row| match &row.issuer {
            Some(issuer) => issuer == authority.sha256(),
            None => signers,
        });
        let mut entries: Vec<Revoked> = own.map(entry).collect();
        // A certificate may have been named by its fingerprint, and by its number before: the earlier time counts.
        entries.sort_by(|one, other| (&one.serial, one.at).cmp(&(&other.serial, other.at)));
        entries.dedup_by(|later, first| later.serial == first.serial);
        entries
    }

    /// All issuers, those that retired first, one below another authority last.
    pub(super) fn issuers(&self) -> impl Iterator<Item = &Issuer> {
        let external = self.external.as_ref().map(|external| &external.issuer);
        self.retired.iter().chain([&self.issuer]).chain(external)
    }

    /// Why the keys in use may not be used any more: one of them, or the issuer above them, is revoked.
    pub(super) fn check(&self) -> Result<(), Error> {
        let parts = [
            ("issuer", self.issuer.certificate()),
            ("service", self.service.certificate()),
            ("timestamping", &self.stamping),
        ];
        match parts.iter().find(|(_, certificate)| self.is_revoked(certificate)) {
            None => Ok(()),
            Some((what, _)) => {
                let why = format!("the certificate of the {what} is revoked: run `firmeza rotate authority`");
                Err(Error::Internal(why.into()))
            }
        }
    }

    fn is_revoked(&self, certificate: &Certificate) -> bool {
        self.revoked.iter().any(|row| row.serial == certificate.serial())
    }
}

fn entry(row: &RevocationRow) -> Revoked {
    Revoked {
        serial: row.serial.clone(),
        at: to_jiff(row.revoked_at),
        reason: Reason::from_code(row.reason),
    }
}

impl Notary {
    /// Whether the authority can still sign, or why not.
    pub fn check_revocation(&self) -> Result<(), Error> {
        self.active().check()
    }

    /// How many certificates were revoked.
    pub fn revocations(&self) -> usize {
        self.active().revoked.len()
    }

    /// The certificate of the authority, in use or retired, of which that is true, with its issuer's.
    pub(crate) fn own(&self, is: impl Fn(&Certificate) -> bool) -> Option<(Certificate, Certificate)> {
        let active = self.active();
        let issuer = active.issuer.certificate();
        let below = [active.service.certificate(), &active.stamping].map(|one| (one, issuer));
        let retired = active.retired.iter().map(|retired| retired.certificate());
        let issuers = retired.chain([issuer]).map(|one| (one, self.root.certificate()));
        let mut all = issuers.chain(below);
        all.find(|(one, _)| is(one))
            .map(|(one, issuer)| (one.clone(), issuer.clone()))
    }

    /// The issuer that made a certificate.
    pub(crate) fn issuer_of(&self, certificate: &Certificate) -> Option<Certificate> {
        let active = self.active();
        let issuer = active
            .issuers()
            .find(|issuer| issuer.certificate().subject_der() == certificate.issuer_der());
        issuer.map(|issuer| issuer.certificate().clone())
    }

    /// Since when the certificate may be revoked: no earlier than it was made.
    pub(crate) fn starts(certificate: &Certificate) -> Timestamp {
        Timestamp::from_micros(certificate.not_before().as_microsecond())
    }
}
