//! Looking through a backup without putting it back.

use super::manifest::{Documents, Manifest};
use super::take::file;
use super::{BackupError, Faults, backup_blobs, documents, rows, run_blocking};
use std::path::Path;

/// What a backup holds, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// Rows.
    pub rows: u64,
    /// Documents, as many as the rows name.
    pub documents: Documents,
    /// Those that it lacks or has damaged.
    pub faults: Faults,
}

/// Hashes the rows and every document of a backup.
pub async fn verify(manifest: Manifest, directory: &Path) -> Result<Verified, BackupError> {
    let path = directory.join(&manifest.rows);
    let (tables, rows_at) = (manifest.tables.clone(), path.clone());
    let rows = run_blocking(move || {
        tables
            .iter()
            .try_for_each(|table| rows::check(table, &file(&rows_at, &table.name)))
    });
    rows.await?;
    let named = manifest.tables.iter().find(|table| table.name == "documents");
    let named = named.ok_or_else(|| BackupError::Damaged("the backup has no documents".to_owned()))?;
    let kept = backup_blobs(directory).await?;
    let found = documents::verify(&kept, named, file(&path, "documents")).await?;
    Ok(Verified {
        rows: manifest.tables.iter().map(|table| table.rows).sum(),
        documents: found.all,
        faults: found.faults,
    })
}
