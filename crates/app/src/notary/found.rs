//! Founding the authority, and opening it again.

use super::{Key, Notary, NotarySettings, broken, moment};
use crate::Error;
use crate::secrets::MasterKey;
use aws_lc_rs::rand::SystemRandom;
use domain::Timestamp;
use pades::authority::{Country, Credential, Issuer, LocalKey, Role, Root, Subject, Validity};
use pades::cms::Certificate;
use pades::time::{BASELINE_POLICY, TimeStampAuthority};
use std::sync::Arc;
use std::time::Duration;
use store::AuthorityRow;

const ROOT: &str = "root";
const ISSUER: &str = "issuer";
const SERVICE: &str = "service";
const STAMPING: &str = "time_stamping";

const ROOT_YEARS: u32 = 40;
const ISSUER_YEARS: u32 = 30;
const SERVICE_YEARS: u32 = 20;

/// A certificate is good from a little earlier, for clocks that are behind.
const EARLIER: Duration = Duration::from_hours(1);

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
    master: &MasterKey,
    settings: NotarySettings,
) -> Result<Notary, Error> {
    let part = |role: &'static str| -> Result<(Certificate, Key), Error> {
        let row = rows.iter().find(|row| row.role == role);
        let row = row.ok_or_else(|| Error::Internal(format!("the authority lacks its {role}").into()))?;
        let certificate = Certificate::from_der(&row.certificate).map_err(broken)?;
        let sealed = row.sealed_key.as_deref().unwrap_or_default();
        let key = LocalKey::open(sealed, &sealing_key(master), role).map_err(broken)?;
        Ok((certificate, Arc::new(key)))
    };
    let (certificate, key) = part(ROOT)?;
    let root = Root::load(certificate, key).map_err(broken)?;
    let (certificate, key) = part(ISSUER)?;
    let base = settings.base_url.as_str().trim_end_matches('/');
    let issuer = Issuer::load(certificate, key)
        .and_then(|issuer| issuer.with_crl_url(&format!("{base}/authority/issuer.crl")))
        .map_err(broken)?;
    let lasting = |role| {
        let (certificate, key) = part(role)?;
        Credential::new(certificate, vec![issuer.certificate().clone()], key).map_err(broken)
    };
    let stamping = lasting(STAMPING)?;
    Ok(Notary {
        service: lasting(SERVICE)?,
        stamping: stamping.certificate().clone(),
        stamps: TimeStampAuthority::new(stamping, BASELINE_POLICY).map_err(broken)?,
        root,
        issuer,
        settings,
        random: SystemRandom::new(),
    })
}

fn sealing_key(master: &MasterKey) -> [u8; 32] {
    master.derive("authority keys")
}
