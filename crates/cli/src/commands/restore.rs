//! `firmeza restore`: a backup put back where there is nothing, and looked through.

use super::backup::{MASTER_KEY, report_faults};
use super::inspect;
use crate::key_file;
use crate::logging;
use crate::settings::Settings;
use crate::terminal::say;
use crate::wiring::{open_blobs, open_with_histories};
use app::MasterKey;
use app::operator::backup::{Manifest, fingerprint, restore};
use app::operator::integrity::check_integrity;
use app::operator::storage_owner::claim_storage;
use std::error::Error;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::process::ExitCode;

pub(crate) async fn run(
    settings: &Settings,
    directory: &Path,
    take_over_storage: bool,
) -> Result<ExitCode, Box<dyn Error>> {
    logging::start(settings, None);
    let manifest = Manifest::read(directory)?;
    let taken_at = manifest.taken_at.clone();
    let own_key = find_key(settings, directory, &manifest)?;
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&settings.data_dir)?;
    // Killed after the rows, the operator goes on without the backup: a service that starts must not make a key of its own.
    if let Some(key) = own_key {
        key_file::write(&settings.own_key_path(), &key)?;
    }
    let blobs = open_blobs(settings).await?;
    let restored = restore(manifest, directory, &settings.database, &blobs, take_over_storage).await?;
    say!(
        "Put back what was backed up at {taken_at}: {} rows, {} documents.",
        restored.rows,
        restored.documents.count.saturating_sub(restored.faults.count)
    );
    let put_back = report_faults(
        &restored.faults,
        "Documents that the backup lacks or has damaged, and that were not put back",
    );
    let (store, _) = open_with_histories(settings, settings.master_key()?).await?;
    claim_storage(&store, &blobs).await?;
    let found = check_integrity(&settings.database, &store, &blobs, None).await?;
    let inspected = inspect::report(&found);
    Ok(if found.faults == 0 { put_back } else { inspected })
}

/// Makes sure that the installation has the key that opens the backup; gives the backup's own, where that is to be
/// put in place.
fn find_key(
    settings: &Settings,
    directory: &Path,
    manifest: &Manifest,
) -> Result<Option<String>, Box<dyn Error>> {
    let given = settings.given_master_key()?;
    let (key, brought) = match given {
        Some(key) => (key, None),
        None => match fs::read_to_string(directory.join(MASTER_KEY)) {
            Ok(text) => (MasterKey::from_hex(&text)?, Some(text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(format!(
                    "the backup does not have the master key: set FIRMEZA_MASTER_KEY_FILE or FIRMEZA_MASTER_KEY, or put the key into {}",
                    settings.own_key_path().display()
                )
                .into());
            }
            Err(error) => return Err(error.into()),
        },
    };
    if fingerprint(&key) != manifest.master_key {
        return Err("the master key is not the one that the backup was taken with".into());
    }
    Ok(brought)
}
