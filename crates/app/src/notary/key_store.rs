//! The authority's keys: in its rows, sealed under the master key, or in a PKCS #11 token, which they never
//! leave. Each row says which, so older sealed keys work beside newer keys in a token.

use super::{Key, broken};
use crate::Error;
use crate::shared::secrets::MasterKey;
use aws_lc_rs::rand::SystemRandom;
use pki::authority::{LocalKey, Pkcs11Token};
use pki::cms::Certificate;
use std::path::PathBuf;
use std::sync::Arc;
use store::AuthorityRow;

/// What a row holds in the place of a sealed key: this, and the key's label in the token.
const IN_TOKEN: &[u8] = b"pkcs11:";

/// A token for the keys to come.
#[derive(Clone)]
pub struct TokenSettings {
    /// The module that speaks to it.
    pub module: PathBuf,
    /// Its label.
    pub label: String,
    /// What opens it.
    pub pin: String,
}

impl std::fmt::Debug for TokenSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TokenSettings")
            .field("module", &self.module)
            .field("label", &self.label)
            .finish_non_exhaustive()
    }
}

/// Makes keys, and opens those that were made.
#[derive(Debug, Clone)]
pub(super) struct KeyStore {
    sealing: [u8; 32],
    token: Option<Pkcs11Token>,
}

impl KeyStore {
    pub(super) fn open(master: &MasterKey, token: Option<&TokenSettings>) -> Result<Self, Error> {
        let token = token.map(|token| Pkcs11Token::open(&token.module, &token.label, &token.pin));
        let token = token
            .transpose()
            .map_err(|error| Error::Internal(format!("the PKCS #11 token: {error}").into()))?;
        Ok(Self {
            sealing: sealing_key(master),
            token,
        })
    }

    /// A new key for a role, and what its row keeps of it.
    pub(super) fn make(&self, role: &str) -> Result<(Key, Vec<u8>), Error> {
        let Some(token) = &self.token else {
            let key = LocalKey::generate().map_err(broken)?;
            let sealed = seal(&key, &self.sealing, role)?;
            return Ok((Arc::new(key), sealed));
        };
        let label = format!("firmeza {role} {}", super::naming::identifier()?);
        let key = token.generate(&label).map_err(broken)?;
        Ok((Arc::new(key), [IN_TOKEN, label.as_bytes()].concat()))
    }

    /// The certificate of a role, and its key.
    pub(super) fn part(&self, rows: &[AuthorityRow], role: &str) -> Result<(Certificate, Key), Error> {
        let row = rows.iter().find(|row| row.role == role);
        let row = row.ok_or_else(|| Error::Internal(format!("the authority lacks its {role}").into()))?;
        let certificate = Certificate::from_der(&row.certificate).map_err(broken)?;
        let Some(label) = label(row) else {
            return Ok((certificate, Arc::new(unseal(row, &self.sealing)?)));
        };
        let token = self.token.as_ref().ok_or_else(|| {
            Error::Internal(
                "the authority's keys are in a PKCS #11 token: FIRMEZA_PKCS11_MODULE names none".into(),
            )
        })?;
        let key = token.key(&label).map_err(broken)?;
        Ok((certificate, Arc::new(key)))
    }

    /// The same key in another role.
    pub(super) fn renamed(&self, row: &AuthorityRow, role: &str) -> Result<AuthorityRow, Error> {
        let kept = match label(row) {
            Some(_) => row.sealed_key.clone(),
            None => Some(seal(&unseal(row, &self.sealing)?, &self.sealing, role)?),
        };
        Ok(AuthorityRow {
            role: role.to_owned(),
            certificate: row.certificate.clone(),
            sealed_key: kept,
        })
    }
}

/// The same keys, those that are sealed under another master key.
pub(crate) fn reseal(
    rows: &[AuthorityRow],
    from: &MasterKey,
    to: &MasterKey,
) -> Result<Vec<AuthorityRow>, Error> {
    let (from, to) = (sealing_key(from), sealing_key(to));
    rows.iter()
        .map(|row| {
            let mut row = row.clone();
            if label(&row).is_none() {
                row.sealed_key = Some(seal(&unseal(&row, &from)?, &to, &row.role)?);
            }
            Ok(row)
        })
        .collect()
}

/// The label of a key that is in a token.
fn label(row: &AuthorityRow) -> Option<String> {
    let label = row.sealed_key.as_deref()?.strip_prefix(IN_TOKEN)?;
    String::from_utf8(label.to_vec()).ok()
}

fn seal(key: &LocalKey, sealing: &[u8; 32], role: &str) -> Result<Vec<u8>, Error> {
    key.seal(sealing, role, &SystemRandom::new()).map_err(broken)
}

fn unseal(row: &AuthorityRow, sealing: &[u8; 32]) -> Result<LocalKey, Error> {
    let sealed = row.sealed_key.as_deref().unwrap_or_default();
    LocalKey::open(sealed, sealing, &row.role).map_err(|_| {
        Error::Internal("the authority's keys do not open: is the master key the right one?".into())
    })
}

fn sealing_key(master: &MasterKey) -> [u8; 32] {
    master.derive("authority keys")
}
