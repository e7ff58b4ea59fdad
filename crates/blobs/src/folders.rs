//! Making and flushing directories.

use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use crate::Error;
use crate::error::During;

/// Creates a directory and its parents, durably, and closed to other users: the documents in it are
/// confidential.
pub(crate) fn create_all(path: &Path) -> Result<(), Error> {
    if path.is_dir() {
        return Ok(());
    }
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    create_all(parent)?;
    create(path).during("create", path)?;
    flush(parent)
}

/// Makes one directory, if it is not there.
pub(crate) fn create(path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// Makes the names in a directory durable.
pub(crate) fn flush(path: &Path) -> Result<(), Error> {
    File::open(path)
        .and_then(|directory| directory.sync_all())
        .during("flush", path)
}
