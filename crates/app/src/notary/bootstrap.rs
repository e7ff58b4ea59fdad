//! Creates the authority on the first start, and loads it on later ones.

use super::externally_issued::ExternallyIssued;
use super::key_store::KeyStore;
use super::naming::{ROOT_LIST, list_name, list_url, names};
use super::{ActiveCredentials, Key, Notary, NotarySettings, broken, folded, to_jiff};
use crate::Error;
use aws_lc_rs::rand::SystemRandom;
use domain::Timestamp;
use pki::authority::{Credential, Issuer, Role, Root, Validity};
use pki::cms::Certificate;
use pki::time::{BASELINE_POLICY, TimeStampAuthority};
use sha2::{Digest, Sha256};
use std::sync::{Arc, RwLock};
use std::time::Duration;
use store::{AuthorityRow, RevocationRow};
use url::Url;

pub(super) const ROOT: &str = "root";
pub(super) const ISSUER: &str = "issuer";
pub(super) const SERVICE: &str = "service";
pub(super) const STAMPING: &str = "time_stamping";

/// How the name of every installation's root begins.
const ROOT_NAME: &str = "Firmeza Raíz ";

const ROOT_YEARS: u32 = 40;
pub(super) const ISSUER_YEARS: u32 = 30;
pub(super) const SERVICE_YEARS: u32 = 20;

/// A certificate is good from a little earlier, for clocks that are behind.
pub(super) const BACKDATE: Duration = Duration::from_hours(1);

/// A new authority: certificates, and what is kept of their keys.
pub(super) fn create_authority(
    key_store: &KeyStore,
    base_url: &Url,
    now: Timestamp,
) -> Result<Vec<AuthorityRow>, Error> {
    let random = SystemRandom::new();
    let from = to_jiff(now.before(BACKDATE));
    let years = |years| Validity::of_years(from, years).map_err(broken);
    let name = names()?;
    let (root_key, root_kept) = key_store.make(ROOT)?;
    let (issuer_key, issuer_kept) = key_store.make(ISSUER)?;
    let root = Root::create(root_key, &name("Raíz")?, years(ROOT_YEARS)?, &random)
        .and_then(|root| root.with_crl_url(&list_url(base_url, ROOT_LIST)))
        .map_err(broken)?;
    let issuer = root
        .issuer(issuer_key, &name("Firmantes")?, years(ISSUER_YEARS)?, &random)
        .and_then(|issuer| issuer.with_crl_url(&list_url(base_url, &list_name(1))))
        .map_err(broken)?;
    let lasting = |place, role, what| {
        let (key, kept) = key_store.make(place)?;
        let credential = issuer.credential(role, key, &name(what)?, years(SERVICE_YEARS)?, &random);
        Ok::<_, Error>(row(place, credential.map_err(broken)?.certificate(), kept))
    };
    Ok(vec![
        row(ROOT, root.certificate(), root_kept),
        row(ISSUER, issuer.certificate(), issuer_kept),
        lasting(SERVICE, Role::Service, "Servicio")?,
        lasting(STAMPING, Role::TimeStamping, "Estampado de tiempo")?,
    ])
}

/// The row of a certificate and its sealed key.
pub(super) fn row(role: &str, certificate: &Certificate, kept: Vec<u8>) -> AuthorityRow {
    AuthorityRow {
        role: role.to_owned(),
        certificate: certificate.as_der().to_vec(),
        sealed_key: Some(kept),
    }
}

/// Whether a certificate bears the name of an installation's root.
pub fn is_root_of_installation(certificate: &Certificate) -> bool {
    let name = certificate.common_name().unwrap_or_default();
    certificate.is_self_issued() && name.starts_with(ROOT_NAME)
}

/// The authority that these rows are.
pub(super) fn open(
    rows: &[AuthorityRow],
    revoked: Vec<RevocationRow>,
    key_store: KeyStore,
    settings: NotarySettings,
) -> Result<Notary, Error> {
    let (certificate, key) = key_store.part(rows, ROOT)?;
    Ok(Notary {
        root: Root::load(certificate, key).map_err(broken)?,
        active: RwLock::new(Arc::new(active(rows, revoked, &key_store, &settings)?)),
        key_store,
        settings,
        random: SystemRandom::new(),
    })
}

/// The credentials in use, loaded from these rows.
pub(super) fn active(
    rows: &[AuthorityRow],
    revoked: Vec<RevocationRow>,
    key_store: &KeyStore,
    settings: &NotarySettings,
) -> Result<ActiveCredentials, Error> {
    let issuer_of = |role: &str| {
        let (certificate, key) = key_store.part(rows, role)?;
        Issuer::load(certificate, key).map_err(broken)
    };
    let generation = generation(rows);
    let retired: Result<Vec<Issuer>, Error> = (1..generation).map(|n| issuer_of(&retired(n))).collect();
    let issuer = issuer_of(ISSUER)?
        .with_crl_url(&list_url(&settings.base_url, &list_name(generation)))
        .map_err(broken)?;
    let lasting = |role| -> Result<Credential<Key>, Error> {
        let (certificate, key) = key_store.part(rows, role)?;
        Credential::new(certificate, vec![issuer.certificate().clone()], key).map_err(broken)
    };
    let (service, stamping) = (lasting(SERVICE)?, lasting(STAMPING)?);
    let (root, _) = key_store.part(rows, ROOT)?;
    let retired = retired?;
    let certificates = [
        &root,
        issuer.certificate(),
        service.certificate(),
        stamping.certificate(),
    ];
    let names = certificates
        .into_iter()
        .chain(retired.iter().map(Issuer::certificate))
        .filter_map(|certificate| Some(folded(&certificate.common_name()?)))
        .collect();
    let external = settings.issuing.as_ref().map(|given| {
        let keys = (service.key().clone(), stamping.key().clone());
        ExternallyIssued::new(given, &settings.base_url, keys.0, keys.1)
    });
    Ok(ActiveCredentials {
        external: external.transpose()?,
        service,
        stamping: stamping.certificate().clone(),
        stamps: TimeStampAuthority::new(stamping, BASELINE_POLICY).map_err(broken)?,
        retired,
        issuer,
        fingerprint: fingerprint(rows, &revoked),
        revoked,
        names,
    })
}

/// Which issuer is in use: the first, or one of those that followed it.
pub(super) fn generation(rows: &[AuthorityRow]) -> usize {
    1 + rows.iter().filter(|row| row.role.starts_with("issuer-")).count()
}

/// The role of an issuer that was in use earlier.
pub(super) fn retired(generation: usize) -> String {
    format!("issuer-{generation}")
}

/// A hash over certificates and revocations. It does not depend on the master key.
pub(super) fn fingerprint(rows: &[AuthorityRow], revoked: &[RevocationRow]) -> [u8; 32] {
    let mut parts: Vec<_> = rows.iter().map(|row| (&row.role, &row.certificate)).collect();
    parts.sort_unstable();
    let mut hash = Sha256::new();
    for (role, certificate) in parts {
        hash.update(role.as_bytes());
        hash.update(Sha256::digest(certificate));
    }
    for row in revoked {
        hash.update(Sha256::digest(&row.serial));
        hash.update(row.issuer.unwrap_or_default());
        hash.update(row.revoked_at.as_micros().to_be_bytes());
    }
    hash.finalize().into()
}
