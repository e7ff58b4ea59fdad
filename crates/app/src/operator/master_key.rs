//! Another master key in place of the present one: everything that is sealed is sealed again, in one transaction.
//!
//! Keys derived from the master key change with it, which ends signers' sessions and the codes on their way. Those of
//! links are kept, sealed under the new one, because links were sent and must open for as long as their folios wait; so
//! are those of recovery codes, and the history key, which shows whether an event is forged.

use crate::Error;
use crate::notary::reseal;
use crate::shared::secrets::{ACCOUNT_EMAIL_PURPOSE, MasterKey, OUTBOX_SECRETS_USAGE, Sealer};
use crate::signing::links;
use domain::Timestamp;
use std::collections::BTreeMap;
use store::{SealedColumn, SealedRow, Settings, Store, Tx};

/// Secrets gone through in one step.
const PAGE_ROWS: i64 = 500;
const KEPT_KEYS_USAGE: &str = "kept keys";
/// Besides links: what people have on paper, and only its hash is here; and what authenticates the events that were
/// written so far.
const LASTING_PURPOSES: [&str; 3] = [
    "panel recovery codes",
    crate::shared::history_key::PURPOSE,
    crate::shared::signing_state_key::PURPOSE,
];

/// The sealer of a kind of secrets, and what they are sealed for.
pub(crate) const fn usage(kind: SealedColumn) -> (&'static str, &'static str) {
    match kind {
        SealedColumn::Outbox => (OUTBOX_SECRETS_USAGE, "code"),
        SealedColumn::AccountEmails => (OUTBOX_SECRETS_USAGE, ACCOUNT_EMAIL_PURPOSE),
        SealedColumn::Totp => ("panel secrets", "second factor"),
        SealedColumn::Webhooks | SealedColumn::PreviousWebhooks => {
            ("webhook secrets", crate::webhooks::PURPOSE)
        }
        SealedColumn::IdentityProviders => ("panel secrets", "identity provider"),
    }
}

/// Whether links that were sent open under a new master key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OldLinks {
    /// They do.
    Open,
    /// They do not: for a master key that others know.
    Die,
}

impl MasterKey {
    /// The same, with the keys that outlived an earlier one.
    pub async fn with_kept_keys(self, store: &Store) -> Result<Self, Error> {
        let rows = store.read(|tx| tx.retained_keys()).await?;
        let kept = open_kept(&self, &rows)?;
        Ok(self.with_retained_keys(kept))
    }

    /// The same from a database that no store is open on. Blocks.
    pub(crate) fn with_kept_keys_from(self, database: &Settings) -> Result<Self, Error> {
        let rows = database.read_dedicated(|tx| tx.retained_keys())?;
        let kept = open_kept(&self, &rows)?;
        Ok(self.with_retained_keys(kept))
    }
}

/// Why the master key was not rotated.
#[derive(Debug, thiserror::Error)]
pub enum RotationError {
    /// Instances would go on with the old key, and seal with it what the new key does not open.
    #[error(
        "an instance is running, or was killed less than a minute ago ({0} of them): stop every instance, and try again"
    )]
    Running(u64),
    /// A secret does not open, or the database failed.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<store::Error> for RotationError {
    fn from(error: store::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Refuses while instances run. None starts before the transaction has ended.
pub fn check_none_runs(tx: &mut Tx<'_>) -> Result<(), RotationError> {
    match tx.lock_running_instances()? {
        0 => Ok(()),
        running => Err(RotationError::Running(running)),
    }
}

/// Whether the last rotation put that key in place; not where there was none. Blocks.
pub fn was_rotated_to(database: &Settings, key: &MasterKey) -> Result<bool, Error> {
    let kept = database.read_dedicated(|tx| tx.retained_keys())?;
    Ok(!kept.is_empty() && open_kept(key, &kept).is_ok())
}

/// Replaces the master key `from`, which was opened with the keys that it retains. Returns how many secrets were sealed again.
/// Refuses while instances run. Blocks.
pub fn rotate_master_key(
    database: &Settings,
    from: &MasterKey,
    to: &MasterKey,
    old_links: OldLinks,
    now: Timestamp,
) -> Result<usize, RotationError> {
    database.write_dedicated(|tx| {
        check_none_runs(tx)?;
        Ok(seal_anew(tx, from, to, old_links, now)?)
    })
}

/// The same, whether instances run or not.
pub fn seal_anew(
    tx: &mut Tx<'_>,
    from: &MasterKey,
    to: &MasterKey,
    old_links: OldLinks,
    now: Timestamp,
) -> Result<usize, Error> {
    let authority = tx.authority()?;
    let resealed = reseal(&authority, from, to)?;
    tx.replace_authority(&authority, &resealed, now)?;
    let mut count = resealed.len();
    for kind in SealedColumn::ALL {
        count += reseal_all(tx, kind, from, to)?;
    }
    tx.set_retained_keys(&kept(from, to, old_links))?;
    Ok(count)
}

fn reseal_all(tx: &mut Tx<'_>, kind: SealedColumn, from: &MasterKey, to: &MasterKey) -> Result<usize, Error> {
    let (usage, purpose) = usage(kind);
    let (old, new) = (Sealer::new(from, usage), Sealer::new(to, usage));
    let (mut after, mut count) = (SealedRow::ZERO, 0);
    loop {
        let page = tx.sealed_values(kind, after, PAGE_ROWS)?;
        let Some((last, _)) = page.last() else {
            return Ok(count);
        };
        after = *last;
        let mut sealed = Vec::with_capacity(page.len());
        for (seq, secret) in &page {
            let plain = old.open(purpose, secret).ok_or_else(|| {
                let what = format!("a secret of {kind:?} does not open: is the master key the right one?");
                Error::Internal(what.into())
            })?;
            sealed.push((*seq, new.seal(purpose, &plain)));
        }
        tx.reseal(kind, &sealed)?;
        count += sealed.len();
    }
}

/// The keys that outlive the master key, sealed under the new one.
fn kept(from: &MasterKey, to: &MasterKey, old_links: OldLinks) -> Vec<(String, Vec<u8>)> {
    let sealer = Sealer::new(to, KEPT_KEYS_USAGE);
    let links = match old_links {
        OldLinks::Open => links::PURPOSES.as_slice(),
        OldLinks::Die => &[],
    };
    links
        .iter()
        .chain(&LASTING_PURPOSES)
        .map(|purpose| ((*purpose).to_owned(), sealer.seal(purpose, &from.derive(purpose))))
        .collect()
}

fn open_kept(master: &MasterKey, rows: &[(String, Vec<u8>)]) -> Result<BTreeMap<String, [u8; 32]>, Error> {
    let sealer = Sealer::new(master, KEPT_KEYS_USAGE);
    rows.iter()
        .map(|(name, sealed)| {
            let key = sealer.open(name, sealed).and_then(|key| key.try_into().ok());
            let wrong = || Error::Internal("kept keys do not open: is the master key the right one?".into());
            key.map(|key| (name.clone(), key)).ok_or_else(wrong)
        })
        .collect()
}
