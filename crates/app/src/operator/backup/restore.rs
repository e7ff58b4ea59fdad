//! Putting a backup back, where there is nothing.

use super::documents::CopyTask;
use super::manifest::{Documents, Manifest};
use super::progress::Progress;
use super::{BackupError, BackupFiles, Faults, Thoroughness, pages, rows, run_blocking};
use blobs::Blobs;
use std::path::Path;
use store::{LATEST_VERSION, Settings};

/// What was put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// Rows.
    pub rows: u64,
    /// Documents, as many as the rows name.
    pub documents: Documents,
    /// Those that could not be put back, because the backup lacks them or has them damaged.
    pub faults: Faults,
}

const IN_USE: &str = "the document storage belongs to an installation: restore into another one, or with --take-over-storage if that installation is gone";

/// Restores a backup into an empty database, and into a storage without an owner, unless `take_over_storage`. Documents that are
/// there already stay; those that the backup lacks are reported; the rows and the other documents are restored.
pub async fn restore(
    manifest: Manifest,
    directory: &Path,
    database: &Settings,
    blobs: &Blobs,
    take_over_storage: bool,
) -> Result<Restored, BackupError> {
    if manifest.migration > LATEST_VERSION {
        return Err(BackupError::Refused(format!(
            "the backup is of migration {}, newer than this program's {LATEST_VERSION}: use a newer program",
            manifest.migration
        )));
    }
    let files = BackupFiles::open(directory).await?;
    let damaged = pages::verify(&files.pages, &manifest.tables).await?;
    if let Some(first) = damaged.messages.into_iter().next() {
        return Err(BackupError::Damaged(first));
    }
    let target = database.clone();
    let ready = run_blocking(move || {
        target.migrate_to(manifest.migration)?;
        target.read_dedicated(|tx| expect_bare(tx, manifest.migration))
    });
    ready.await?;
    if !take_over_storage && blobs.read_owner_file().await?.is_some() {
        return Err(BackupError::Refused(IN_USE.to_owned()));
    }

    // Documents before rows, here too: a row names no bytes that are still on their way.
    let copy = CopyTask {
        from: files.documents.clone(),
        to: blobs.clone(),
        thoroughness: Thoroughness::Copy,
        interrupted: None,
    };
    let copied = copy.run(&files.pages, &manifest.documents_tables()?).await?;

    let target = database.clone();
    let rows = manifest.row_count();
    let filled = run_blocking(move || {
        let mut progress = Progress::new("rows put back", Some(rows));
        target.write_dedicated(|tx| {
            expect_bare(tx, manifest.migration)?;
            manifest
                .tables
                .iter()
                .try_for_each(|table| rows::import(tx, table, &files.pages, &mut progress))?;
            Ok::<_, BackupError>(tx.renew_all_responses()?)
        })
    });
    filled.await?;
    Ok(Restored {
        rows,
        documents: copied.all,
        faults: copied.faults,
    })
}

fn expect_bare(tx: &mut store::Tx<'_>, migration: i64) -> Result<(), BackupError> {
    let applied = store::applied_version(tx)?;
    if !tx.is_empty_database()? {
        return Err(BackupError::Refused(
            "the database is not empty: a backup is put back where there is nothing".to_owned(),
        ));
    }
    if applied != migration {
        return Err(BackupError::Refused(format!(
            "the database is at migration {applied} and the backup of {migration}: begin with a database without tables"
        )));
    }
    Ok(())
}
