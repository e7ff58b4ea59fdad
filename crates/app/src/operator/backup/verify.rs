//! Looking through a backup without putting it back.

use super::manifest::{Documents, Manifest};
use super::{BackupError, BackupFiles, Faults, documents, pages};
use std::path::Path;

/// What a backup holds, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// Rows.
    pub rows: u64,
    /// Pages of rows that it lacks or has damaged.
    pub row_faults: Faults,
    /// Documents, as many as the rows name. None where the rows that name them are damaged.
    pub documents: Documents,
    /// Documents that it lacks or has damaged.
    pub faults: Faults,
}

/// Hashes the rows and every document of a backup.
pub async fn verify(manifest: Manifest, directory: &Path) -> Result<Verified, BackupError> {
    let files = BackupFiles::open(directory).await?;
    let row_faults = pages::verify(&files.pages, &manifest.tables).await?;
    let tables = manifest.documents_tables()?;
    let names = pages::verify(&files.pages, &tables).await?;
    let found = match names.count {
        0 => documents::verify(&files.documents, &files.pages, &tables).await?,
        _ => documents::Copied::default(),
    };
    Ok(Verified {
        rows: manifest.row_count(),
        row_faults,
        documents: found.all,
        faults: found.faults,
    })
}
