//! API keys, as the company's administrators look after them.

use super::PanelActor;
use super::audit::AuditAct;
use crate::operator::keys::{IssuedKey, KeyRequest, listed};
use crate::{App, Error};
use domain::limits::KEYS;
use domain::{CompanyId, KeyId, Timestamp};
use std::time::Duration;
use store::{KeyInfo, Tx};

impl App {
    /// The company's keys, oldest first.
    pub async fn company_keys(&self, company: CompanyId) -> Result<Vec<KeyInfo>, Error> {
        Ok(self.store.read(move |tx| tx.keys_of(company)).await?)
    }

    /// A key of the company.
    pub async fn company_key(&self, company: CompanyId, id: KeyId) -> Result<KeyInfo, Error> {
        let found = self.store.read(move |tx| tx.key(company, id)).await?;
        found.ok_or(Error::NotFound)
    }

    /// Makes a key. Nothing when the company has as many as it may.
    pub async fn make_key(&self, actor: PanelActor, request: KeyRequest) -> Result<Option<IssuedKey>, Error> {
        let now = self.clock.now();
        let issued = IssuedKey::random();
        let key = issued.clone();
        let made = self.store.write_retryable(move |tx| {
            let company = actor.user.company;
            if live_keys(tx, company, now)? >= KEYS {
                return Ok::<_, Error>(false);
            }
            key.store(tx, company, &request, now)?;
            actor.record_act(tx, AuditAct::KeyMade, &key.audit_detail(&request), now)?;
            Ok(true)
        });
        Ok(made.await?.then_some(issued))
    }

    /// Makes a key with the same permissions in place of another, which still works for `overlap`. The new key ends at
    /// `expires_at`, whatever the end of the old one. `None` if the company has twice its limit of keys, as when every key was just rotated.
    pub async fn rotate_key(
        &self,
        actor: PanelActor,
        old: KeyId,
        overlap: Duration,
        expires_at: Option<Timestamp>,
    ) -> Result<Option<IssuedKey>, Error> {
        let now = self.clock.now();
        let issued = IssuedKey::random();
        let new = issued.clone();
        let made = self.store.write_retryable(move |tx| {
            let company = actor.user.company;
            let key = tx.key(company, old)?.ok_or(Error::NotFound)?;
            if !is_live(&key, now) {
                return Err(Error::NotFound);
            }
            if live_keys(tx, company, now)? >= 2 * KEYS {
                return Ok(false);
            }
            let request = KeyRequest {
                label: key.label,
                permissions: key.permissions,
                expires_at,
            };
            new.store(tx, company, &request, now)?;
            tx.end_key(company, old, now.after(overlap))?;
            let permissions = listed(request.permissions);
            let detail = format!("{} ({old} → {}): {permissions}", request.label, new.id);
            actor.record_act(tx, AuditAct::KeyRotated, &detail, now)?;
            Ok(true)
        });
        Ok(made.await?.then_some(issued))
    }

    /// Revokes a key of the company, from now on and everywhere.
    pub async fn revoke_company_key(&self, actor: PanelActor, id: KeyId) -> Result<(), Error> {
        let now = self.clock.now();
        let revoked = self.store.write_retryable(move |tx| {
            let key = tx.key(actor.user.company, id)?.ok_or(Error::NotFound)?;
            if tx.revoke_key(id, now)? {
                actor.record_act(tx, AuditAct::KeyRevoked, &format!("{} ({id})", key.label), now)?;
            }
            Ok(())
        });
        revoked.await
    }
}

/// How many of the company's keys admit their bearers.
fn live_keys(tx: &mut Tx<'_>, company: CompanyId, now: Timestamp) -> Result<usize, Error> {
    Ok(tx
        .keys_of(company)?
        .iter()
        .filter(|key| is_live(key, now))
        .count())
}

/// Whether the key admits its bearer.
pub fn is_live(key: &KeyInfo, now: Timestamp) -> bool {
    key.revoked_at.is_none() && key.expires_at.is_none_or(|end| end > now)
}
