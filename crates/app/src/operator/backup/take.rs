//! Taking a backup.

use super::manifest::{Documents, FORMAT, Manifest};
use super::{
    BackupError, Faults, Thoroughness, WithPath, backup_blobs, documents, fingerprint, rows, run_blocking,
};
use crate::{Clock, MasterKey, SystemRandom};
use blobs::Blobs;
use domain::{Causes, Random};
use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::{BACKUP_TABLES, LastBackup, Settings, Store};

/// How long the sweeper removes no blob. A backup that takes longer renews it.
const HOLD_DURATION: Duration = Duration::from_hours(1);

/// What a backup holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// Rows.
    pub rows: u64,
    /// Documents, as many as the rows name.
    pub documents: Documents,
    /// Those that were not in the directory before.
    pub new: Documents,
    /// Those that are not in it, because the storage lost or damaged them.
    pub faults: Faults,
    /// Those that the storage lost or damaged, and that were in the directory before.
    pub source_faults: Faults,
}

/// Takes a backup into a directory. Documents that are there already are looked at as said.
pub async fn take(
    database: &Settings,
    store: &Store,
    blobs: &Blobs,
    master: &MasterKey,
    clock: &Clock,
    directory: &Path,
    thoroughness: Thoroughness,
) -> Result<Taken, BackupError> {
    make(directory)?;
    let _lock = lock(directory)?;
    let mut id = [0; 16];
    SystemRandom.fill(&mut id);
    hold(store, id, clock).await?;
    let holding = tokio::spawn(keep_holding(store.clone(), id, clock.clone()));
    let taken = write(database, blobs, master, clock, directory, thoroughness).await;
    holding.abort();
    let now = clock.now();
    let finished = taken.as_ref().ok().map(|taken| LastBackup {
        finished_at: now,
        missing_documents: i64::try_from(taken.faults.count).unwrap_or(i64::MAX),
    });
    let released = store.write(move |tx| {
        tx.release_blobs(&id, now)?;
        finished.map_or(Ok(()), |backup| tx.note_backup(backup))
    });
    let released = released.await;
    let taken = taken?;
    released?;
    Ok(taken)
}

async fn write(
    database: &Settings,
    blobs: &Blobs,
    master: &MasterKey,
    clock: &Clock,
    directory: &Path,
    thoroughness: Thoroughness,
) -> Result<Taken, BackupError> {
    let now = clock.now();
    let name = format!("rows-{}", now.as_micros());
    let path = directory.join(&name);
    make(&path)?;
    let (source, target) = (database.clone(), path.clone());
    let copied = run_blocking(move || {
        source.read_dedicated(|tx| {
            let migration = store::applied_version(tx)?;
            let tables = BACKUP_TABLES
                .iter()
                .map(|table| rows::export(tx, table, &file(&target, table)))
                .collect::<Result<Vec<_>, BackupError>>()?;
            flush(&target)?;
            Ok::<_, BackupError>((migration, tables))
        })
    });
    let (migration, tables) = copied.await?;
    let named = tables.iter().find(|table| table.name == "documents");
    let named = named.ok_or_else(|| BackupError::Damaged("no documents".to_owned()))?;
    let kept = backup_blobs(directory).await?;
    let copied = documents::copy(blobs, &kept, named, file(&path, "documents"), thoroughness).await?;
    let manifest = Manifest {
        format: FORMAT,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        migration,
        taken_at: jiff::Timestamp::from_microsecond(now.as_micros())
            .unwrap_or_default()
            .to_string(),
        master_key: fingerprint(master),
        rows: name,
        tables,
        documents: copied.all,
    };
    manifest.write(directory)?;
    remove_older(directory, &manifest.rows)?;
    Ok(Taken {
        rows: manifest.tables.iter().map(|table| table.rows).sum(),
        documents: copied.all,
        new: copied.new,
        faults: copied.faults,
        source_faults: copied.source_faults,
    })
}

pub(super) fn file(rows: &Path, table: &str) -> PathBuf {
    rows.join(format!("{table}.jsonl"))
}

/// Removes the rows of earlier backups, and of those that were never finished.
fn remove_older(directory: &Path, present: &str) -> Result<(), BackupError> {
    for entry in fs::read_dir(directory).with_path(directory)? {
        let entry = entry.with_path(directory)?;
        let name = entry.file_name();
        let old = name
            .to_str()
            .is_some_and(|name| name.starts_with("rows-") && name != present);
        if old {
            fs::remove_dir_all(entry.path()).with_path(&entry.path())?;
        }
    }
    Ok(())
}

fn make(directory: &Path) -> Result<(), BackupError> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .with_path(directory)
}

fn flush(directory: &Path) -> Result<(), BackupError> {
    File::open(directory)
        .and_then(|directory| directory.sync_all())
        .with_path(directory)
}

/// One backup at a time in a directory.
pub(super) fn lock(directory: &Path) -> Result<File, BackupError> {
    let path = directory.join("lock");
    let file = File::create(&path).with_path(&path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(BackupError::Refused(format!(
            "another backup is being taken into {}",
            directory.display()
        ))),
        Err(fs::TryLockError::Error(error)) => Err(error).with_path(&path),
    }
}

async fn hold(store: &Store, id: [u8; 16], clock: &Clock) -> Result<(), BackupError> {
    let until = clock.now().after(HOLD_DURATION);
    Ok(store.write(move |tx| tx.hold_blobs(&id, until)).await?)
}

async fn keep_holding(store: Store, id: [u8; 16], clock: Clock) {
    loop {
        tokio::time::sleep(HOLD_DURATION / 12).await;
        if let Err(error) = hold(&store, id, &clock).await {
            tracing::warn!(error = %Causes(&error), "the backup's hold on blobs could not be renewed; retrying");
        }
    }
}
