//! API keys, as the operator manages them.

use super::Operator;
use super::companies::named;
use crate::Error;
use crate::panel::{Act, record_operator_act};
use crate::shared::api_key::ApiKey;
use crate::shared::secrets::SystemRandom;
use domain::limits::KEY_LABEL;
use domain::{CompanyId, KeyId, Timestamp};
use store::{KeyHash, KeyInfo, Tx};

/// A key that was just made.
#[derive(Debug)]
pub struct IssuedKey {
    /// What it is called by.
    pub id: KeyId,
    /// The key itself, shown once.
    pub key: ApiKey,
}

impl IssuedKey {
    pub(crate) fn random() -> Self {
        Self {
            id: KeyId::random(&mut SystemRandom),
            key: ApiKey::random(&mut SystemRandom),
        }
    }
}

/// Whether a text can say what a key is for, in lists and in the audit: it is short, and nothing but text.
pub fn is_label(text: &str) -> bool {
    text.chars().count() <= KEY_LABEL && !text.chars().any(char::is_control)
}

impl Operator {
    /// Makes a key for a company.
    pub async fn add_key(
        &self,
        company: String,
        label: String,
        expires_at: Option<Timestamp>,
    ) -> Result<IssuedKey, Error> {
        let now = self.clock.now();
        let issued = IssuedKey::random();
        let (id, lookup) = (issued.id, issued.key.lookup());
        self.store
            .write(move |tx| {
                let company = named(tx, &company)?;
                Ok::<_, Error>(put_key(tx, company, id, &lookup, &label, expires_at, now)?)
            })
            .await?;
        Ok(issued)
    }

    /// The keys of a company.
    pub async fn keys(&self, company: String) -> Result<Vec<KeyInfo>, Error> {
        self.store
            .read(move |tx| {
                let company = named(tx, &company)?;
                Ok(tx.keys_of(company)?)
            })
            .await
    }

    /// Revokes a key, named by itself or by its identifier; from now on no instance admits it. False when it
    /// was revoked before.
    pub async fn revoke_key(&self, key_or_id: String) -> Result<bool, Error> {
        let now = self.clock.now();
        self.store
            .write(move |tx| {
                let id = match ApiKey::parse(&key_or_id) {
                    Some(key) => tx.key_with_hash(&key.lookup())?,
                    None => key_or_id.parse().ok(),
                };
                let id = id.ok_or(Error::NotFound)?;
                let (company, label) = tx.key_owner(id)?.ok_or(Error::NotFound)?;
                let revoked = tx.revoke_key(id, now)?;
                if revoked {
                    let detail = format!("{label} ({id})");
                    record_operator_act(tx, company, Act::KeyRevoked, &detail, now)?;
                }
                Ok(revoked)
            })
            .await
    }
}

/// Adds a key, and says so in the audit.
pub(crate) fn put_key(
    tx: &mut Tx<'_>,
    company: CompanyId,
    id: KeyId,
    lookup: &KeyHash,
    label: &str,
    expires_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<(), store::Error> {
    tx.add_key(id, company, label, lookup, now, expires_at)?;
    record_operator_act(tx, company, Act::KeyMade, &format!("{label} ({id})"), now)
}
