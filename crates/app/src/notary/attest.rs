//! Signs evidence and its report in the name of the service.

use super::{ActiveCredentials, Key, Notary, broken, texts, to_jiff};
use crate::Error;
use crate::workers::projector::zone_named;
use domain::{Language, Timestamp};
use jiff::tz::TimeZone;
use pades::sign::{Field, NewSignature, Permission, sign};
use pdf::Limits;
use pdf::inspect::inspect;
use pki::authority::{Credential, ExternalCredential};
use pki::cms::Certificate;
use pki::time::Imprint;
use sha2::{Digest, Sha256};

impl Notary {
    /// Signs a SHA-256 for the service, with a timestamp of our own: a detached CMS.
    pub(crate) fn attest(&self, digest: &[u8; 32], now: Timestamp) -> Result<Vec<u8>, Error> {
        let active = self.active();
        active.check()?;
        let signed = active.service.sign(digest).map_err(broken)?;
        let imprint = Imprint::sha256(&signed.timestamp_digest());
        let token = self.own_token(&active, &active.stamps, imprint, now)?;
        Ok(signed.finish(Some(&token)))
    }

    /// Certifies a report, with a timestamp of our own, and adds the root and the revocation data: from here on nothing may change.
    pub(crate) fn certify_report(
        &self,
        mut report: Vec<u8>,
        language: Language,
        now: Timestamp,
    ) -> Result<Vec<u8>, Error> {
        let prepared = inspect(&report, &Limits::default()).map_err(broken)?;
        let prepared = prepared.prepare(Sha256::new_with_prefix(&report));
        let field = Field::Invisible("Servicio");
        let active = self.active();
        let certifier = self.certifier(&active, now)?;
        let (stamps, stamping) = active.document_stamps(now);
        let mut request = NewSignature::new(field, to_jiff(now), certifier.reserve(stamps.reserve()));
        request.certify = Some(Permission::Nothing);
        request.name = Some("Firmeza");
        request.reason = Some(texts::of(language).report_certification);
        let unsigned = sign(&prepared, &request).map_err(broken)?;
        let signed = certifier.sign(unsigned.digest()).map_err(broken)?;
        let imprint = Imprint::sha256(&signed.timestamp_digest());
        let token = self.own_token(&active, stamps, imprint, now)?;
        let appended = unsigned.embed(&signed.finish(Some(&token))).map_err(broken)?;
        report.extend(appended.increment);
        let stamping = [stamping.as_der().to_vec()];
        let lasting = self.add_revocation_data(&appended.next, &[], &stamping, now)?;
        report.extend(lasting.increment);
        Ok(report)
    }

    /// The credential that certifies documents: one that was bought, until it ends; the service's below another authority; or
    /// the service's own. A certificate that has ended keeps no signer from signing.
    pub(super) fn certifier<'c>(
        &'c self,
        active: &'c ActiveCredentials,
        now: Timestamp,
    ) -> Result<&'c Credential<Key>, Error> {
        active.check()?;
        let bought = self.settings.certifying.as_ref();
        let bought = bought.filter(|bought| bought.ends() > to_jiff(now));
        let external = active.external(now).map(|external| &external.service);
        let bought = bought.map(ExternalCredential::credential);
        Ok(bought.or(external).unwrap_or(&active.service))
    }

    /// The installation's zone.
    pub fn timezone(&self) -> &TimeZone {
        &self.settings.timezone
    }

    /// The zone in which a company's people and signers read times: its own, or the installation's.
    pub(crate) fn zone(&self, named: Option<&str>) -> TimeZone {
        zone_named(named).unwrap_or_else(|| self.settings.timezone.clone())
    }

    /// The authority's certificates, each with what it is for; the root first.
    pub fn certificates(&self) -> [(&'static str, Certificate); 4] {
        let active = self.active();
        [
            ("root", self.root.certificate().clone()),
            ("issuer", active.issuer.certificate().clone()),
            ("service", active.service.certificate().clone()),
            ("time_stamping", active.stamping.clone()),
        ]
    }
}
