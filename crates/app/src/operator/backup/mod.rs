//! Everything of an installation in a directory, taken while it runs, and put back elsewhere.
//!
//! The rows are one snapshot of the database, in a form that either engine takes back; the documents are copied after
//! them, so that every row's bytes are there; the manifest comes last, and only what it names counts. A directory that
//! holds an older backup keeps it until the new one is written, and what is there of rows and documents is not copied
//! again. A document that is lost or damaged is reported, and does not stop the backup or the restore.

mod copies;
mod documents;
mod increments;
mod manifest;
mod pages;
mod progress;
mod prune;
mod restore;
mod rows;
mod take;
mod verify;

pub use copies::{Copies, Faults, Thoroughness};
pub use increments::IncrementBackup;
pub(crate) use increments::PageRanges;
pub use manifest::{Manifest, Page};
pub use prune::{Pruned, prune};
pub use restore::{Restored, restore};
pub use take::{Taken, take};
pub use verify::{Verified, verify};

use crate::MasterKey;
use blobs::{Blobs, Location};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// Why a backup was not taken or put back.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database's part.
    #[error("the database")]
    Store(#[from] store::Error),
    /// The documents' part.
    #[error("the documents")]
    Blobs(#[from] blobs::Error),
    /// A file of the backup.
    #[error("{path}")]
    File {
        /// Which.
        path: PathBuf,
        /// What happened to it.
        source: std::io::Error,
    },
    /// The backup is not what it should be.
    #[error("{0}")]
    Damaged(String),
    /// It is not to be done here.
    #[error("{0}")]
    Refused(String),
}

impl From<tokio::task::JoinError> for BackupError {
    fn from(lost: tokio::task::JoinError) -> Self {
        Self::Damaged(lost.to_string())
    }
}

trait WithPath<T> {
    fn with_path(self, path: &Path) -> Result<T, BackupError>;
}

impl<T> WithPath<T> for std::io::Result<T> {
    fn with_path(self, path: &Path) -> Result<T, BackupError> {
        self.map_err(|source| BackupError::File {
            path: path.to_owned(),
            source,
        })
    }
}

/// Runs blocking work on a thread of the blocking pool.
async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, BackupError> + Send + 'static,
) -> Result<T, BackupError> {
    tokio::task::spawn_blocking(work).await?
}

/// The folder of a backup that has the documents.
const DOCUMENTS: &str = "documents";

/// The files of a backup: both kinds are named by their hashes, and checked as documents are everywhere.
#[derive(Debug, Clone)]
struct BackupFiles {
    documents: Blobs,
    /// The rows.
    pages: Blobs,
}

impl BackupFiles {
    async fn open(directory: &Path) -> Result<Self, BackupError> {
        let directory = directory.to_owned();
        run_blocking(move || {
            let open = |name| {
                let location = Location::Directory(directory.join(name));
                Blobs::open(&location, &directory.join("incoming"))
            };
            Ok(Self {
                documents: open(DOCUMENTS)?,
                pages: open("rows")?,
            })
        })
        .await
    }
}

/// Identifies a master key without revealing it.
pub fn fingerprint(master: &MasterKey) -> String {
    let hash = Sha256::digest(master.derive("fingerprint"));
    data_encoding::HEXLOWER.encode(&hash[..8])
}
