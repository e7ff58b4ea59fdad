//! Installing pinned packages into a directory, once.

use std::fs::{self, File};
use std::path::Path;

use crate::{Error, Result};

/// Installs what is pinned unless it is in the directory, which is empty before. Test programs run side by side: one
/// installs, the others find it done.
pub(crate) fn install_once(
    directory: &Path,
    pinned: &str,
    install: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let stamp = directory.join("installed.txt");
    let is_done = || fs::read_to_string(&stamp).is_ok_and(|installed| installed == pinned);
    if is_done() {
        return Ok(());
    }
    if let Some(parent) = directory.parent() {
        fs::create_dir_all(parent)?;
    }
    let lock = File::create(directory.with_extension("lock"))?;
    lock.lock()?;
    if is_done() {
        return Ok(());
    }
    if directory.exists() {
        fs::remove_dir_all(directory).map_err(Error::while_(directory.display()))?;
    }
    fs::create_dir(directory)?;
    install()?;
    // The stamp comes last: an installation that was interrupted begins anew.
    Ok(fs::write(stamp, pinned)?)
}
