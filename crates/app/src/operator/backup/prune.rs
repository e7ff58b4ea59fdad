//! Removes old backups, and from the others the documents that their rows no longer name.

use super::manifest::{MANIFEST, MANIFEST_DRAFT, Manifest};
use super::take::{UNFINISHED, lock};
use super::{BackupError, BackupFiles, DOCUMENTS, WithPath, documents, run_blocking};
use blobs::BlobId;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Documents looked at in one step.
const PAGE_DOCUMENTS: usize = 500;

/// What was removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Whole backups, and those that were begun and never finished.
    pub backups: u64,
    /// Documents of backups that stay.
    pub documents: u64,
}

/// Looks at the backup in a directory, or at the backups in the directories below it. A backup that was taken before that
/// time is removed; of a younger one, documents that were copied before that time and that its rows do not name. Such
/// documents are of folios that were erased between two backups. What was begun before that time and has no manifest yet is
/// removed, too. A copy of the master key is never removed.
pub async fn prune(directory: &Path, before: jiff::Timestamp) -> Result<Pruned, BackupError> {
    let mut pruned = Pruned::default();
    for backup in backups(directory)? {
        // The first backup into a directory may be on its way.
        if !Manifest::is_in(&backup) && begun_at(&backup)? >= SystemTime::from(before) {
            continue;
        }
        let _lock = lock(&backup)?;
        let manifest = Manifest::is_in(&backup).then(|| Manifest::read(&backup));
        match manifest.transpose()? {
            Some(manifest) if taken_at(&manifest, &backup)? >= before => {
                pruned.documents += remove_unnamed(&backup, &manifest, SystemTime::from(before)).await?;
            }
            _ => {
                run_blocking(move || remove(&backup)).await?;
                pruned.backups += 1;
            }
        }
    }
    Ok(pruned)
}

fn taken_at(manifest: &Manifest, backup: &Path) -> Result<jiff::Timestamp, BackupError> {
    let taken_at: Result<jiff::Timestamp, _> = manifest.taken_at.parse();
    taken_at.map_err(|error| BackupError::Damaged(format!("{}: {error}", backup.display())))
}

/// When a backup was begun that is not finished.
fn begun_at(backup: &Path) -> Result<SystemTime, BackupError> {
    let mark = backup.join(UNFINISHED);
    let begun = fs::metadata(&mark).and_then(|found| found.modified());
    begun.with_path(&mark)
}

/// Whether there is a backup in a directory, or one was begun there.
fn is_backup(directory: &Path) -> bool {
    Manifest::is_in(directory) || directory.join(UNFINISHED).is_file()
}

/// The directory, if it is a backup, or those below it that are.
fn backups(directory: &Path) -> Result<Vec<PathBuf>, BackupError> {
    if is_backup(directory) {
        return Ok(vec![directory.to_owned()]);
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).with_path(directory)? {
        let path = entry.with_path(directory)?.path();
        if is_backup(&path) {
            found.push(path);
        }
    }
    found.sort();
    if found.is_empty() {
        return Err(BackupError::Refused(format!(
            "there is no backup in {}",
            directory.display()
        )));
    }
    Ok(found)
}

/// Removes a backup. What tells that it is one goes last: a removal that was interrupted is done by the next prune.
fn remove(backup: &Path) -> Result<(), BackupError> {
    for entry in fs::read_dir(backup).with_path(backup)? {
        let entry = entry.with_path(backup)?;
        let (name, path) = (entry.file_name(), entry.path());
        let is_ours = |name: &str| [DOCUMENTS, "rows", "incoming"].contains(&name);
        if name.to_str().is_some_and(is_ours) {
            fs::remove_dir_all(&path).with_path(&path)?;
        }
    }
    for name in ["lock", MANIFEST_DRAFT, UNFINISHED, MANIFEST] {
        let path = backup.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            removed => removed.with_path(&path)?,
        }
    }
    match fs::remove_dir(backup) {
        // The operator's own files, or the master key.
        Err(error) if error.kind() == std::io::ErrorKind::DirectoryNotEmpty => Ok(()),
        removed => removed.with_path(backup),
    }
}

/// Removes documents that no row of the backup names, if they were copied before that time. Returns how many.
async fn remove_unnamed(backup: &Path, manifest: &Manifest, before: SystemTime) -> Result<u64, BackupError> {
    let files = BackupFiles::open(backup).await?;
    let named: HashSet<BlobId> = documents::named(&files.pages, &manifest.documents_tables()?).await?;
    let kept = files.documents;
    let (mut removed, mut after) = (0, None);
    loop {
        let page = kept.list(after, PAGE_DOCUMENTS).await?;
        let Some(last) = page.last() else {
            return Ok(removed);
        };
        after = Some(last.id);
        for document in page {
            if document.modified < before && !named.contains(&document.id) {
                kept.delete(document.id).await?;
                removed += 1;
            }
        }
    }
}
