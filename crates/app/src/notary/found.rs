//! Founding the authority, and opening it again.

use super::{Key, Notary, NotarySettings, Office, broken, moment};
use crate::Error;
use crate::secrets::MasterKey;
use aws_lc_rs::rand::SystemRandom;
use domain::Timestamp;
use pades::authority::{Country, Credential, Issuer, LocalKey, Role, Root, Subject, Validity};
use pades::cms::Certificate;
use pades::time::{BASELINE_POLICY, TimeStampAuthority};
use sha2::{Digest, Sha256};
use std::sync::{Arc, RwLock};
use std::time::Duration;
use store::AuthorityRow;

pub(super) const ROOT: &str = "root";
pub(super) const ISSUER: &str = "issuer";
pub(super) const SERVICE: &str = "service";
pub(super) const STAMPING: &str = "time_stamping";

const ROOT_YEARS: u32 = 40;
pub(super) const ISSUER_YEARS: u32 = 30;
pub(super) const SERVICE_YEARS: u32 = 20;

/// A certificate is good from a little earlier, for clocks that are behind.
pub(super) const EARLIER: Duration = Duration::from_hours(1);

/// A new authority: certificates and sealed keys.
pub(super) fn found(master: &MasterKey, now: Timestamp) -> Result<Vec<AuthorityRow>, Error> {
    let random = SystemRandom::new();
    let from = moment(now.before(EARLIER));
    let years = |years| Validity::of_years(from, years).map_err(broken);
    let mut identifier = [0; 4];
    aws_lc_rs::rand::fill(&mut identifier).map_err(|_| Error::Internal("no randomness".into()))?;
    let identifier = data_encoding::HEXUPPER.encode(&identifier);
    let country = Country::new("CO").map_err(broken)?;
    // Two installations must not look the same to a reader that trusts both.
    let name = |what: &str| {
        let name = format!("Firmeza {what} {identifier}");
        Subject::of_installation(&name, Some("Firmeza"), Some(country)).map_err(broken)
    };
    let key = || LocalKey::generate().map(Arc::new).map_err(broken);
    let (root_key, issuer_key, service_key, stamping_key) = (key()?, key()?, key()?, key()?);
    let root = Root::create(root_key.clone(), &name("Raíz")?, years(ROOT_YEARS)?, &random).map_err(broken)?;
    let issuer = root
        .issuer(
            issuer_key.clone(),
            &name("Firmantes")?,
            years(ISSUER_YEARS)?,
            &random,
        )
        .map_err(broken)?;
    let lasting = |role, key: &Arc<LocalKey>, subject: &Subject| {
        issuer
            .credential(role, key.clone(), subject, years(SERVICE_YEARS)?, &random)
            .map_err(broken)
    };
    let service = lasting(Role::Service, &service_key, &name("Servicio")?)?;
    let stamping = lasting(Role::TimeStamping, &stamping_key, &name("Estampado de tiempo")?)?;
    [
        (ROOT, root.certificate(), root_key),
        (ISSUER, issuer.certificate(), issuer_key),
        (SERVICE, service.certificate(), service_key),
        (STAMPING, stamping.certificate(), stamping_key),
    ]
    .into_iter()
    .map(|(role, certificate, key)| {
        Ok(AuthorityRow {
            role: role.to_owned(),
            certificate: certificate.as_der().to_vec(),
            sealed_key: Some(key.seal(&sealing_key(master), role, &random).map_err(broken)?),
        })
    })
    .collect()
}

/// The authority that these rows are.
pub(super) fn open(
    rows: &[AuthorityRow],
    sealing: [u8; 32],
    settings: NotarySettings,
) -> Result<Notary, Error> {
    let (certificate, key) = part(rows, &sealing, ROOT)?;
    Ok(Notary {
        root: Root::load(certificate, Arc::new(key)).map_err(broken)?,
        office: RwLock::new(Arc::new(office(rows, &sealing, &settings)?)),
        sealing,
        settings,
        random: SystemRandom::new(),
    })
}

/// What of these rows may be replaced.
pub(super) fn office(
    rows: &[AuthorityRow],
    sealing: &[u8; 32],
    settings: &NotarySettings,
) -> Result<Office, Error> {
    let issuer_of = |role: &str| {
        let (certificate, key) = part(rows, sealing, role)?;
        Issuer::load(certificate, Arc::new(key)).map_err(broken)
    };
    let generation = generation(rows);
    let retired: Result<Vec<Issuer>, Error> = (1..generation).map(|n| issuer_of(&retired(n))).collect();
    let base = settings.base_url.as_str().trim_end_matches('/');
    let issuer = issuer_of(ISSUER)?
        .with_crl_url(&format!("{base}/authority/{}", list_name(generation)))
        .map_err(broken)?;
    let lasting = |role| -> Result<Credential<Key>, Error> {
        let (certificate, key) = part(rows, sealing, role)?;
        let key: Key = Arc::new(key);
        Credential::new(certificate, vec![issuer.certificate().clone()], key).map_err(broken)
    };
    let stamping = lasting(STAMPING)?;
    Ok(Office {
        service: lasting(SERVICE)?,
        stamping: stamping.certificate().clone(),
        stamps: TimeStampAuthority::new(stamping, BASELINE_POLICY).map_err(broken)?,
        retired: retired?,
        issuer,
        mark: mark(rows),
    })
}

/// A certificate and its key, opened.
pub(super) fn part(
    rows: &[AuthorityRow],
    sealing: &[u8; 32],
    role: &str,
) -> Result<(Certificate, LocalKey), Error> {
    let row = rows.iter().find(|row| row.role == role);
    let row = row.ok_or_else(|| Error::Internal(format!("the authority lacks its {role}").into()))?;
    let certificate = Certificate::from_der(&row.certificate).map_err(broken)?;
    let sealed = row.sealed_key.as_deref().unwrap_or_default();
    let key = LocalKey::open(sealed, sealing, role);
    let key = key.map_err(|_| {
        Error::Internal("the authority's keys do not open: is the master key the right one?".into())
    })?;
    Ok((certificate, key))
}

/// The same keys, sealed under another master key.
pub(crate) fn reseal(
    rows: &[AuthorityRow],
    from: &MasterKey,
    to: &MasterKey,
) -> Result<Vec<AuthorityRow>, Error> {
    let (from, to, random) = (sealing_key(from), sealing_key(to), SystemRandom::new());
    rows.iter()
        .map(|row| {
            let (_, key) = part(rows, &from, &row.role)?;
            let sealed = key.seal(&to, &row.role, &random).map_err(broken)?;
            Ok(AuthorityRow {
                sealed_key: Some(sealed),
                ..row.clone()
            })
        })
        .collect()
}

/// Which issuer is in use: the first, or one of those that followed it.
pub(super) fn generation(rows: &[AuthorityRow]) -> usize {
    1 + rows.iter().filter(|row| row.role.starts_with("issuer-")).count()
}

/// The role of an issuer that was in use earlier.
pub(super) fn retired(generation: usize) -> String {
    format!("issuer-{generation}")
}

/// Under which name an issuer's list is handed out.
fn list_name(generation: usize) -> String {
    match generation {
        1 => "issuer.crl".to_owned(),
        later => format!("issuer-{later}.crl"),
    }
}

/// Tells an authority from what it was before a rotation, whatever its keys are sealed under.
pub(super) fn mark(rows: &[AuthorityRow]) -> [u8; 32] {
    let mut parts: Vec<_> = rows.iter().map(|row| (&row.role, &row.certificate)).collect();
    parts.sort_unstable();
    let mut hash = Sha256::new();
    for (role, certificate) in parts {
        hash.update(role.as_bytes());
        hash.update(Sha256::digest(certificate));
    }
    hash.finalize().into()
}

pub(super) fn sealing_key(master: &MasterKey) -> [u8; 32] {
    master.derive("authority keys")
}
