//! API keys, as the operator manages them.

use super::Operator;
use super::companies::named;
use crate::Error;
use crate::panel::{AuditAct, record_operator_act};
use crate::shared::api_key::ApiKey;
use crate::shared::secrets::SystemRandom;
use domain::limits::KEY_LABEL;
use domain::{CompanyId, KeyId, Permission, Permissions, Timestamp};
use store::{KeyInfo, NewKey, Tx};

/// A key to be made.
#[derive(Debug, Clone)]
pub struct KeyRequest {
    /// Its purpose.
    pub label: String,
    /// What it may be used for.
    pub permissions: Permissions,
    /// When it stops working.
    pub expires_at: Option<Timestamp>,
}

impl KeyRequest {
    /// A key with every permission and without an end.
    pub const fn with_label(label: String) -> Self {
        Self {
            label,
            permissions: Permissions::ALL,
            expires_at: None,
        }
    }
}

/// A key that was just made.
#[derive(Debug, Clone)]
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

    /// Adds the key to those of a company.
    pub(crate) fn store(
        &self,
        tx: &mut Tx<'_>,
        company: CompanyId,
        request: &KeyRequest,
        now: Timestamp,
    ) -> Result<(), store::Error> {
        tx.add_key(&NewKey {
            id: self.id,
            company,
            label: &request.label,
            hash: &self.key.lookup(),
            hint: &self.key.hint(),
            permissions: request.permissions,
            at: now,
            expires_at: request.expires_at,
        })
    }

    /// The key in the audit, with its permissions at the end.
    pub(crate) fn audit_detail(&self, request: &KeyRequest) -> String {
        format!("{} ({}): {}", request.label, self.id, listed(request.permissions))
    }
}

/// Permissions in the audit.
pub(crate) fn listed(permissions: Permissions) -> String {
    let words: Vec<&str> = permissions.iter().map(Permission::word).collect();
    words.join(", ")
}

/// Whether a text can say what a key is for, in lists and in the audit: it is short, and nothing but text.
pub fn is_label(text: &str) -> bool {
    text.chars().count() <= KEY_LABEL && !text.chars().any(char::is_control)
}

impl Operator {
    /// Makes a key for a company.
    pub async fn add_key(&self, company: String, request: KeyRequest) -> Result<IssuedKey, Error> {
        let now = self.clock.now();
        let issued = IssuedKey::random();
        let key = issued.clone();
        self.store
            .write(move |tx| {
                let company = named(tx, &company)?;
                Ok::<_, Error>(put_key(tx, company, &key, &request, now)?)
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
                    record_operator_act(tx, company, AuditAct::KeyRevoked, &detail, now)?;
                }
                Ok(revoked)
            })
            .await
    }
}

/// Adds a key, and says in the audit that the operator did.
pub(crate) fn put_key(
    tx: &mut Tx<'_>,
    company: CompanyId,
    issued: &IssuedKey,
    request: &KeyRequest,
    now: Timestamp,
) -> Result<(), store::Error> {
    issued.store(tx, company, request, now)?;
    record_operator_act(tx, company, AuditAct::KeyMade, &issued.audit_detail(request), now)
}
