//! A new issuer, and new certificates for the service and its timestamps. The root stays: it is what readers trust.

use super::found::{
    EARLIER, ISSUER, ISSUER_YEARS, ROOT, SERVICE, SERVICE_YEARS, STAMPING, generation, part, retired,
    sealing_key,
};
use super::{Notary, broken, moment};
use crate::secrets::MasterKey;
use crate::{Clock, Error};
use aws_lc_rs::rand::SystemRandom;
use domain::Timestamp;
use pades::authority::{Authority, Country, Issuer, LocalKey, Role, Root, Subject, Validity};
use pades::cms::Certificate;
use std::sync::Arc;
use store::{AuthorityRow, Store};

impl Notary {
    /// Rotates the authority; those that run take it up by themselves.
    pub async fn rotate(store: &Store, master: &MasterKey, clock: &Clock) -> Result<(), Error> {
        let rows = store.read(|tx| tx.authority()).await?;
        let now = clock.now();
        let rotated = rotated(&rows, &sealing_key(master), now)?;
        let replaced = store.write(move |tx| tx.replace_authority(&rows, &rotated, now));
        Ok(replaced.await?)
    }
}

/// What the authority is after a rotation: the issuer in use retires, its key with it, for the lists to come.
fn rotated(rows: &[AuthorityRow], sealing: &[u8; 32], now: Timestamp) -> Result<Vec<AuthorityRow>, Error> {
    let random = SystemRandom::new();
    let generation = generation(rows);
    let (root_certificate, root_key) = part(rows, sealing, ROOT)?;
    let root = Root::load(root_certificate, Arc::new(root_key)).map_err(broken)?;
    let (old_certificate, old_key) = part(rows, sealing, ISSUER)?;
    let old_key = Arc::new(old_key);
    let old = Issuer::load(old_certificate.clone(), old_key.clone()).map_err(broken)?;

    let mut identifier = [0; 4];
    aws_lc_rs::rand::fill(&mut identifier).map_err(|_| Error::Internal("no randomness".into()))?;
    let identifier = data_encoding::HEXUPPER.encode(&identifier);
    let country = Country::new("CO").map_err(broken)?;
    let name = |what: &str| {
        let name = format!("Firmeza {what} {identifier}");
        Subject::of_installation(&name, Some("Firmeza"), Some(country)).map_err(broken)
    };
    let key = || LocalKey::generate().map(Arc::new).map_err(broken);
    let (issuer_key, service_key, stamping_key) = (key()?, key()?, key()?);
    let last = root.certificate().not_after();
    let mut authority = Authority::new(root, old, Vec::new()).map_err(broken)?;
    authority
        .rotate(
            issuer_key.clone(),
            &name("Firmantes")?,
            within(now, ISSUER_YEARS, last)?,
            &random,
        )
        .map_err(broken)?;
    let issuer = authority.issuer();
    let last = issuer.certificate().not_after();
    let lasting = |role, key: &Arc<LocalKey>, subject: &Subject| {
        let validity = within(now, SERVICE_YEARS, last)?;
        let credential = issuer.credential(role, key.clone(), subject, validity, &random);
        credential.map_err(broken)
    };
    let service = lasting(Role::Service, &service_key, &name("Servicio")?)?;
    let stamping = lasting(Role::TimeStamping, &stamping_key, &name("Estampado de tiempo")?)?;

    let row = |role: &str, certificate: &Certificate, key: &LocalKey| {
        Ok::<_, Error>(AuthorityRow {
            role: role.to_owned(),
            certificate: certificate.as_der().to_vec(),
            sealed_key: Some(key.seal(sealing, role, &random).map_err(broken)?),
        })
    };
    let replaced = [ISSUER, SERVICE, STAMPING];
    let mut rotated: Vec<AuthorityRow> = rows
        .iter()
        .filter(|row| !replaced.contains(&row.role.as_str()))
        .cloned()
        .collect();
    rotated.push(row(&retired(generation), &old_certificate, &old_key)?);
    rotated.push(row(ISSUER, issuer.certificate(), &issuer_key)?);
    rotated.push(row(SERVICE, service.certificate(), &service_key)?);
    rotated.push(row(STAMPING, stamping.certificate(), &stamping_key)?);
    Ok(rotated)
}

/// So many years, or as many as the one above lasts.
fn within(now: Timestamp, years: u32, last: jiff::Timestamp) -> Result<Validity, Error> {
    let from = moment(now.before(EARLIER));
    let all = Validity::of_years(from, years).map_err(broken)?;
    if all.ends() <= last {
        Ok(all)
    } else {
        Validity::new(from, last).map_err(broken)
    }
}
