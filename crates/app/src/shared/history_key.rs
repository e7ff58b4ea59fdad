//! The key of the histories: derived from the master key, and kept when that is replaced by another.

use crate::{Error, MasterKey, SystemRandom};
use domain::Random;
use store::{HistoryKey, Options, Settings, Store};

/// What the key is derived for.
pub(crate) const PURPOSE: &str = "history";

impl MasterKey {
    /// What authenticates events, and salts their personal values.
    pub fn history_key(&self) -> HistoryKey {
        HistoryKey::new(&self.derive(PURPOSE), |salt| SystemRandom.fill(salt))
    }
}

/// Opens the database with the key of its histories; the master key comes back with the keys that outlived an earlier
/// one. Blocks.
pub fn open_store(database: &Settings, master: MasterKey) -> Result<(Store, MasterKey), Error> {
    open_store_with(database, master, Options::default())
}

/// The same with other options. Blocks.
pub fn open_store_with(
    database: &Settings,
    master: MasterKey,
    options: Options,
) -> Result<(Store, MasterKey), Error> {
    database.migrate()?;
    let master = master.with_kept_keys_from(database)?;
    let store = Store::open_with(database, Some(master.history_key()), options)?;
    Ok((store, master))
}
