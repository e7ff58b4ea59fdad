//! Taking a backup.

use super::documents::CopyTask;
use super::manifest::{Documents, FORMAT, Manifest};
use super::pages::{PageWriter, remove_others};
use super::{
    BackupError, BackupFiles, Copies, Faults, Thoroughness, WithPath, fingerprint, rows, run_blocking,
};
use crate::{Clock, MasterKey, SystemRandom};
use blobs::Blobs;
use domain::{Causes, Random};
use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::time::SystemTime;
use store::{BACKUP_TABLES, HOLD_DURATION, LastBackup, Settings, Store};

/// The file that is there while a backup is taken, and after one that was interrupted.
pub(super) const UNFINISHED: &str = "unfinished";

/// What a backup holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// Rows.
    pub rows: u64,
    /// Documents, as many as the rows name.
    pub documents: Documents,
    /// Those that were not in the directory before.
    pub copies: Copies,
    /// Pages of rows that were not in the directory before.
    pub page_copies: Copies,
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
    hold(store, id).await?;
    let holding = tokio::spawn(keep_holding(store.clone(), id));
    let taken = write(database, blobs, master, clock, directory, thoroughness).await;
    holding.abort();
    let now = clock.now();
    let finished = taken.as_ref().ok().map(|taken| LastBackup {
        finished_at: now,
        missing_documents: i64::try_from(taken.faults.count).unwrap_or(i64::MAX),
    });
    let released = store.write(move |tx| {
        let clock = tx.database_clock()?;
        tx.release_blobs(&id, clock)?;
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
    let interrupted = begin(directory)?;
    let files = BackupFiles::open(directory).await?;
    let (source, mut pages) = (
        database.clone(),
        PageWriter::new(files.pages.clone(), thoroughness),
    );
    let copied = run_blocking(move || {
        source.read_dedicated(|tx| {
            let migration = store::applied_version(tx)?;
            let tables = BACKUP_TABLES
                .iter()
                .map(|table| rows::export(tx, table, &mut pages))
                .collect::<Result<Vec<_>, BackupError>>()?;
            Ok::<_, BackupError>((migration, tables, pages.copies()))
        })
    });
    let (migration, tables, page_copies) = copied.await?;
    let mut manifest = Manifest {
        format: FORMAT,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        migration,
        taken_at: jiff::Timestamp::from_microsecond(now.as_micros())
            .unwrap_or_default()
            .to_string(),
        master_key: fingerprint(master),
        tables,
        documents: Documents::default(),
    };
    let copy = CopyTask {
        from: blobs.clone(),
        to: files.documents.clone(),
        thoroughness,
        interrupted,
    };
    let copied = copy.run(&files.pages, &manifest.documents_tables()?).await?;
    manifest.documents = copied.all;
    manifest.write(directory)?;
    remove_others(&files.pages, &manifest.tables).await?;
    let mark = directory.join(UNFINISHED);
    fs::remove_file(&mark).with_path(&mark)?;
    Ok(Taken {
        rows: manifest.row_count(),
        documents: copied.all,
        copies: copied.copies,
        page_copies,
        faults: copied.faults,
        source_faults: copied.source_faults,
    })
}

/// Marks the directory until the backup is finished. If another was interrupted in it, when that one began.
fn begin(directory: &Path) -> Result<Option<SystemTime>, BackupError> {
    let mark = directory.join(UNFINISHED);
    match File::create_new(&mark) {
        Ok(_) => Ok(None),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            let began = fs::metadata(&mark).and_then(|found| found.modified());
            began.map(Some).with_path(&mark)
        }
        Err(error) => Err(error).with_path(&mark),
    }
}

fn make(directory: &Path) -> Result<(), BackupError> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
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

/// While it lasts, the sweeper removes no blob.
async fn hold(store: &Store, id: [u8; 16]) -> Result<(), BackupError> {
    let held = store.write(move |tx| {
        let clock = tx.database_clock()?;
        tx.hold_blobs(&id, clock)
    });
    Ok(held.await?)
}

async fn keep_holding(store: Store, id: [u8; 16]) {
    loop {
        tokio::time::sleep(HOLD_DURATION / 12).await;
        if let Err(error) = hold(&store, id).await {
            tracing::warn!(error = %Causes(&error), "the backup's hold on blobs could not be renewed; retrying");
        }
    }
}
