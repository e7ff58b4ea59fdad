//! Files with the master key: readable by their owner alone, whole or absent whenever the machine stops.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Puts the key into the file, in place of what is there.
pub(crate) fn write(path: &Path, key: &str) -> io::Result<()> {
    let draft = write_draft(path, key)?;
    replace(&draft, path)
}

/// Puts the key into the file, unless there is one. Returns whether there was none.
pub(crate) fn create(path: &Path, key: &str) -> io::Result<bool> {
    let draft = write_draft(path, key)?;
    // A link fails where there is a file; renaming would replace it.
    let linked = fs::hard_link(&draft, path);
    fs::remove_file(&draft)?;
    match linked {
        Ok(()) => sync_directory(path).map(|()| true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Puts a file in the place of another one beside it.
pub(crate) fn replace(draft: &Path, path: &Path) -> io::Result<()> {
    fs::rename(draft, path)?;
    sync_directory(path)
}

fn write_draft(path: &Path, key: &str) -> io::Result<PathBuf> {
    let draft = path.with_extension(format!("draft-{}", std::process::id()));
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&draft)?;
    file.write_all(key.as_bytes())?;
    file.sync_all()?;
    Ok(draft)
}

/// A new name is durable only with its directory.
fn sync_directory(path: &Path) -> io::Result<()> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    File::open(directory.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_key_is_written_for_its_owner_and_made_once() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("master.key");
        assert!(create(&path, "first").unwrap());
        assert!(!create(&path, "second").unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        write(&path, "third").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "third");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(
            fs::read_dir(directory.path()).unwrap().count(),
            1,
            "no draft is left"
        );
    }
}
