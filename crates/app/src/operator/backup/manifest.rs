//! What a backup says about itself.

use super::{BackupError, WithPath};
use blobs::BlobId;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

/// The form of what is described here.
pub(super) const FORMAT: u32 = 1;
/// Its file.
pub(super) const MANIFEST: &str = "manifest.json";
/// Its file while it is written.
pub(super) const MANIFEST_DRAFT: &str = "manifest.new";

/// What a backup consists of.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    /// The form of the backup.
    pub format: u32,
    /// The version of the program that took it.
    pub program: String,
    /// The schema of the rows.
    pub migration: i64,
    /// When it was begun.
    pub taken_at: String,
    /// Tells the master key that opens what is sealed from others; the key itself is not here.
    pub master_key: String,
    /// The tables.
    pub tables: Vec<TableFile>,
    /// The documents that the rows name.
    pub documents: Documents,
}

/// What every manifest says, whatever its form.
#[derive(Deserialize)]
struct Form {
    format: u32,
    program: String,
}

/// The tables that name documents: those of folios, and those of templates.
const DOCUMENT_TABLES: [&str; 2] = ["documents", "template_documents"];

/// A table's rows: pages with a JSON array a line, bytes as `{"base64": …}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TableFile {
    /// The table.
    pub name: String,
    /// Its columns, in the order of each line.
    pub columns: Vec<TableColumn>,
    /// How many rows.
    pub rows: u64,
    /// The files with these rows, in their order.
    pub pages: Vec<Page>,
}

/// A file with some of a table's rows: `rows/ab/ab…`, named by its hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// SHA-256, hexadecimal.
    pub sha256: String,
    /// How long it is.
    pub bytes: u64,
}

impl Page {
    /// The name of its file.
    pub(super) fn id(&self) -> Result<BlobId, BackupError> {
        let id = self.sha256.parse();
        id.map_err(|_| BackupError::Damaged("the manifest names a strange page of rows".to_owned()))
    }
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableColumn {
    /// What it is called.
    pub name: String,
    /// `int`, `text` or `bytes`.
    pub kind: String,
}

/// Documents as they were sent, or pages of rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Documents {
    /// How many, those of several folios in a row counted once.
    pub count: u64,
    /// How large they are together.
    pub bytes: u64,
}

impl Manifest {
    /// Reads the manifest of a backup.
    pub fn read(directory: &Path) -> Result<Self, BackupError> {
        let path = directory.join(MANIFEST);
        let text = fs::read(&path).with_path(&path)?;
        let broken = |error| BackupError::Damaged(format!("{}: {error}", path.display()));
        let form: Form = serde_json::from_slice(&text).map_err(broken)?;
        if form.format != FORMAT {
            return Err(BackupError::Refused(format!(
                "the backup has form {}, and this program knows {FORMAT}: use the version that took it, {}",
                form.format, form.program
            )));
        }
        serde_json::from_slice(&text).map_err(broken)
    }

    /// The rows that name the documents.
    pub(super) fn documents_tables(&self) -> Result<Vec<TableFile>, BackupError> {
        let found = DOCUMENT_TABLES.map(|name| self.tables.iter().find(|table| table.name == name).cloned());
        let all: Option<Vec<TableFile>> = found.into_iter().collect();
        all.ok_or_else(|| BackupError::Damaged("the backup has no documents".to_owned()))
    }

    /// How many rows there are in all tables.
    pub(super) fn row_count(&self) -> u64 {
        self.tables.iter().map(|table| table.rows).sum()
    }

    /// Whether a directory is a backup.
    pub(super) fn is_in(directory: &Path) -> bool {
        directory.join(MANIFEST).is_file()
    }

    /// Writes it, in place of an older one: from here on the backup counts.
    pub(super) fn write(&self, directory: &Path) -> Result<(), BackupError> {
        let (path, new) = (directory.join(MANIFEST), directory.join(MANIFEST_DRAFT));
        let text =
            serde_json::to_vec_pretty(self).map_err(|error| BackupError::Damaged(error.to_string()))?;
        let mut file = File::create(&new).with_path(&new)?;
        file.write_all(&text)
            .and_then(|()| file.sync_all())
            .with_path(&new)?;
        fs::rename(&new, &path).with_path(&path)?;
        File::open(directory)
            .and_then(|directory| directory.sync_all())
            .with_path(directory)
    }
}
