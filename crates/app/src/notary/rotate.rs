//! A new issuer, and new certificates for the service and its timestamps. The root stays: it is what readers trust.

use super::bootstrap::{
    BACKDATE, ISSUER, ISSUER_YEARS, ROOT, SERVICE, SERVICE_YEARS, STAMPING, generation, retired, row,
};
use super::key_store::{KeyStore, TokenSettings};
use super::naming::{ROOT_LIST, list_name, list_url, names};
use super::{Notary, broken, to_jiff};
use crate::shared::secrets::MasterKey;
use crate::{Clock, Error};
use aws_lc_rs::rand::SystemRandom;
use domain::Timestamp;
use pki::authority::{Authority, Issuer, Role, Root, Validity};
use store::{AuthorityRow, Store};
use url::Url;

impl Notary {
    /// Rotates the authority; those that run take it up by themselves. With a token the new keys are made in it.
    pub async fn rotate(
        store: &Store,
        master: &MasterKey,
        clock: &Clock,
        token: Option<&TokenSettings>,
        base_url: &Url,
    ) -> Result<(), Error> {
        let key_store = KeyStore::open(master, token)?;
        let rows = store.read(|tx| tx.authority()).await?;
        let now = clock.now();
        let rotated = rotated(&rows, &key_store, base_url, now)?;
        let replaced = store.write(move |tx| tx.replace_authority(&rows, &rotated, now));
        Ok(replaced.await?)
    }
}

/// What the authority is after a rotation: the issuer in use retires, its key with it, for the lists to come.
fn rotated(
    rows: &[AuthorityRow],
    key_store: &KeyStore,
    base_url: &Url,
    now: Timestamp,
) -> Result<Vec<AuthorityRow>, Error> {
    let random = SystemRandom::new();
    let (root_certificate, root_key) = key_store.part(rows, ROOT)?;
    let root = Root::load(root_certificate, root_key)
        .and_then(|root| root.with_crl_url(&list_url(base_url, ROOT_LIST)))
        .map_err(broken)?;
    let (old_certificate, old_key) = key_store.part(rows, ISSUER)?;
    let old = Issuer::load(old_certificate, old_key).map_err(broken)?;
    let name = names()?;
    let (issuer_key, issuer_kept) = key_store.make(ISSUER)?;
    let from = to_jiff(now.before(BACKDATE));
    let last = root.certificate().not_after();
    let mut authority = Authority::new(root, old, Vec::new()).map_err(broken)?;
    authority
        .rotate(
            issuer_key,
            &name("Firmantes")?,
            within(from, ISSUER_YEARS, last)?,
            &random,
        )
        .map_err(broken)?;
    let issuer = authority.issuer().clone();
    let issuer = issuer
        .with_crl_url(&list_url(base_url, &list_name(generation(rows) + 1)))
        .map_err(broken)?;
    let last = issuer.certificate().not_after();
    let lasting = |place, role, what| {
        let (key, kept) = key_store.make(place)?;
        let validity = within(from, SERVICE_YEARS, last)?;
        let credential = issuer.credential(role, key, &name(what)?, validity, &random);
        Ok::<_, Error>(row(place, credential.map_err(broken)?.certificate(), kept))
    };
    let mut rotated = vec![
        row(ISSUER, issuer.certificate(), issuer_kept),
        lasting(SERVICE, Role::Service, "Servicio")?,
        lasting(STAMPING, Role::TimeStamping, "Estampado de tiempo")?,
    ];
    for row in rows {
        match row.role.as_str() {
            SERVICE | STAMPING => {}
            ISSUER => rotated.push(key_store.renamed(row, &retired(generation(rows)))?),
            _ => rotated.push(row.clone()),
        }
    }
    Ok(rotated)
}

/// So many years, or as many as the one above lasts.
pub(super) fn within(from: jiff::Timestamp, years: u32, last: jiff::Timestamp) -> Result<Validity, Error> {
    let all = Validity::of_years(from, years).map_err(broken)?;
    if all.ends() <= last {
        Ok(all)
    } else {
        Validity::new(from, last).map_err(broken)
    }
}
