//! API keys: found by the beginning of their hash, which is indexed, and authenticated by the whole hash.

use crate::error::Error;
use crate::tx::Tx;
use crate::value::{Row, only_column};
use domain::{CompanyId, KeyId, Permissions, Timestamp};
use std::sync::Arc;

/// The hash of a presented API key.
#[derive(Debug, Clone, Copy)]
pub struct KeyHash {
    /// SHA-256 of the key.
    pub hash: [u8; 32],
}

impl KeyHash {
    /// The part of the hash that is indexed.
    pub fn lookup(&self) -> i64 {
        let first = self.hash.first_chunk().copied().unwrap_or_default();
        i64::from_be_bytes(first)
    }

    /// Whether both hashes are equal, compared in constant time.
    pub fn is_same(&self, other: &Self) -> bool {
        aws_lc_rs::constant_time::verify_slices_are_equal(&self.hash, &other.hash).is_ok()
    }
}

/// A key that is neither revoked nor expired.
#[derive(Debug, Clone)]
pub struct LiveKey {
    /// The key.
    pub id: KeyId,
    /// The company it belongs to.
    pub company: CompanyId,
    /// Its purpose.
    pub label: Arc<str>,
    /// What it may be used for.
    pub permissions: Permissions,
}

/// A key to be added.
#[derive(Debug, Clone, Copy)]
pub struct NewKey<'a> {
    /// What it is called by.
    pub id: KeyId,
    /// The company it belongs to.
    pub company: CompanyId,
    /// Its purpose.
    pub label: &'a str,
    /// The hash of its secret.
    pub hash: &'a KeyHash,
    /// Its beginning and its end.
    pub hint: &'a str,
    /// What it may be used for.
    pub permissions: Permissions,
    /// When it is made.
    pub at: Timestamp,
    /// When it stops working.
    pub expires_at: Option<Timestamp>,
}

/// A key as it is listed: without the secret, of which only a hash and a hint are stored.
#[derive(Debug, Clone)]
pub struct KeyInfo {
    /// The key.
    pub id: KeyId,
    /// The company's name.
    pub company: String,
    /// Its purpose.
    pub label: String,
    /// Its beginning and its end.
    pub hint: String,
    /// What it may be used for.
    pub permissions: Permissions,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it stops working.
    pub expires_at: Option<Timestamp>,
    /// When it was last used, to the minute or so.
    pub last_used_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

impl Tx<'_> {
    /// Adds a key.
    pub fn add_key(&mut self, key: &NewKey<'_>) -> Result<(), Error> {
        let sql =
            "INSERT INTO api_keys (id, company, label, lookup, hash, hint, permissions, created_at, expires_at)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        let permissions = key.permissions.to_string();
        let params = [
            (&key.id).into(),
            key.company.0.into(),
            key.label.into(),
            key.hash.lookup().into(),
            (&key.hash.hash).into(),
            key.hint.into(),
            (&permissions).into(),
            key.at.into(),
            key.expires_at.into(),
        ];
        self.execute(sql, &params).map(drop)
    }

    /// The key with that hash, if it is live at that time.
    pub fn live_key(&mut self, key: &KeyHash, now: Timestamp) -> Result<Option<LiveKey>, Error> {
        let sql = "SELECT hash, id, company, label, permissions FROM api_keys
                   WHERE lookup = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)";
        let found = self.query(sql, &[key.lookup().into(), now.into()], |row| {
            let hash = row.get("hash")?;
            let label: String = row.get("label")?;
            let live = LiveKey {
                label: label.into(),
                id: row.get("id")?,
                company: CompanyId(row.get("company")?),
                permissions: row.get("permissions")?,
            };
            Ok((KeyHash { hash }, live))
        })?;
        let found = found.into_iter().find(|(found, _)| found.is_same(key));
        Ok(found.map(|(_, live)| live))
    }

    /// Whether the key with that identifier is live at that time.
    pub fn is_live_key(&mut self, id: KeyId, now: Timestamp) -> Result<bool, Error> {
        let sql = "SELECT company FROM api_keys
                   WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)";
        let found = self.query_one(sql, &[(&id).into(), now.into()], |_| Ok(()))?;
        Ok(found.is_some())
    }

    /// Revokes the key with that identifier. False when there is none, or it was revoked before.
    pub fn revoke_key(&mut self, id: KeyId, at: Timestamp) -> Result<bool, Error> {
        let sql = "UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL";
        Ok(self.execute(sql, &[at.into(), (&id).into()])? > 0)
    }

    /// Whose key that is and what it is called, live or not.
    pub fn key_owner(&mut self, id: KeyId) -> Result<Option<(CompanyId, String)>, Error> {
        let sql = "SELECT company, label FROM api_keys WHERE id = $1";
        self.query_one(sql, &[(&id).into()], |row| {
            Ok((CompanyId(row.get("company")?), row.get("label")?))
        })
    }

    /// The identifier of the key with that hash, live or not.
    pub fn key_with_hash(&mut self, key: &KeyHash) -> Result<Option<KeyId>, Error> {
        let sql = "SELECT id FROM api_keys WHERE lookup = $1 AND hash = $2";
        self.query_one(sql, &[key.lookup().into(), (&key.hash).into()], only_column)
    }

    /// The keys with these hashes, live or not, and whose they are.
    pub fn keys_with_hashes(&mut self, keys: &[KeyHash]) -> Result<Vec<(KeyHash, KeyId, CompanyId)>, Error> {
        let sql = "SELECT hash, id, company FROM api_keys WHERE lookup IN ({list})";
        let lookups = keys.iter().map(|key| key.lookup().into());
        self.query_in(sql, &[], lookups, |row| {
            let hash = row.get("hash")?;
            Ok((KeyHash { hash }, row.get("id")?, CompanyId(row.get("company")?)))
        })
    }

    /// The keys of a company, oldest first.
    pub fn keys_of(&mut self, company: CompanyId) -> Result<Vec<KeyInfo>, Error> {
        let sql =
            "SELECT k.id, c.name AS company, k.label, k.hint, k.permissions, k.created_at, k.expires_at,
                       k.last_used_at, k.revoked_at
                   FROM api_keys k JOIN companies c ON c.seq = k.company
                   WHERE k.company = $1 ORDER BY k.created_at, k.id";
        self.query(sql, &[company.0.into()], key_info)
    }

    /// A key of the company.
    pub fn key(&mut self, company: CompanyId, id: KeyId) -> Result<Option<KeyInfo>, Error> {
        let sql =
            "SELECT k.id, c.name AS company, k.label, k.hint, k.permissions, k.created_at, k.expires_at,
                       k.last_used_at, k.revoked_at
                   FROM api_keys k JOIN companies c ON c.seq = k.company WHERE k.company = $1 AND k.id = $2";
        self.query_one(sql, &[company.0.into(), (&id).into()], key_info)
    }

    /// Has a key of the company end at that time, unless it ends before.
    pub fn end_key(&mut self, company: CompanyId, id: KeyId, at: Timestamp) -> Result<(), Error> {
        let sql = "UPDATE api_keys SET expires_at = $1
                   WHERE company = $2 AND id = $3 AND (expires_at IS NULL OR expires_at > $1)";
        self.execute(sql, &[at.into(), company.0.into(), (&id).into()])
            .map(drop)
    }

    /// Notes when keys were last used.
    pub fn record_key_use(&mut self, used: &[(KeyId, Timestamp)]) -> Result<(), Error> {
        use crate::dialect::ColumnType::{Bytes, Int};
        // In a fixed order: several instances do this at the same time, and would deadlock.
        let lock = self.dialect().for_update();
        let locked = format!("SELECT id FROM api_keys WHERE id IN ({{list}}) ORDER BY id{lock}");
        self.query_in(&locked, &[], used.iter().map(|(id, _)| id.into()), |_| Ok(()))?;
        let sql = "UPDATE api_keys SET last_used_at = used.column2 FROM (VALUES {rows}) AS used
                   WHERE api_keys.id = used.column1";
        let params: Vec<_> = used
            .iter()
            .flat_map(|(id, at)| [id.into(), (*at).into()])
            .collect();
        self.run_rows(sql, &[Bytes, Int], &params)
    }
}

fn key_info(row: &Row<'_>) -> Result<KeyInfo, Error> {
    Ok(KeyInfo {
        id: row.get("id")?,
        company: row.get("company")?,
        label: row.get("label")?,
        hint: row.get("hint")?,
        permissions: row.get("permissions")?,
        created_at: row.get("created_at")?,
        expires_at: row.get("expires_at")?,
        last_used_at: row.get("last_used_at")?,
        revoked_at: row.get("revoked_at")?,
    })
}
