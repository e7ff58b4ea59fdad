//! Temporary files, and what becomes of those that a crash left behind.
//!
//! Every opened store has a directory of its own in the spool, and holds a lock in it for as long as it
//! lives. A directory whose lock is free belongs to nobody any more: the next one to open removes it.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::Error;
use crate::error::During;
use crate::folders;

const GATE: &str = ".gate";
const LOCK: &str = "lock";
const PREFIX: &str = "stage-";

#[derive(Debug)]
pub(crate) struct Spool {
    directory: PathBuf,
    next: AtomicU64,
    _lock: File,
}

impl Spool {
    pub(crate) fn open(base: &Path) -> Result<Arc<Self>, Error> {
        folders::create_all(base)?;
        // Held until the new directory has its lock, so that nobody takes it for a left-over.
        let gate = base.join(GATE);
        let _gate = lock(&gate).during("lock", &gate)?;
        for entry in fs::read_dir(base).during("list", base)? {
            let entry = entry.during("list", base)?;
            if entry.file_name().to_string_lossy().starts_with(PREFIX) {
                remove_if_left(&entry.path())?;
            }
        }
        let directory = create_own(base).during("make a directory in", base)?;
        let path = directory.join(LOCK);
        let lock = lock(&path).during("lock", &path)?;
        Ok(Arc::new(Self {
            directory,
            next: AtomicU64::new(0),
            _lock: lock,
        }))
    }

    /// A new file, gone when it is dropped unless it was moved.
    pub(crate) fn create(self: &Arc<Self>) -> Result<SpoolFile, Error> {
        let name = self.next.fetch_add(1, Ordering::Relaxed).to_string();
        let path = self.directory.join(name);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true).mode(0o600);
        let file = options.open(&path).during("create", &path)?;
        Ok(SpoolFile {
            file,
            path,
            moved: false,
            _spool: Arc::clone(self),
        })
    }

    /// A new file with these bytes in it.
    pub(crate) fn write(self: &Arc<Self>, bytes: &[u8]) -> Result<SpoolFile, Error> {
        let mut file = self.create()?;
        file.file.write_all(bytes).during("write", file.path())?;
        Ok(file)
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        // Nothing is lost if this fails: the next one to open removes it.
        let _ = fs::remove_dir_all(&self.directory);
    }
}

#[derive(Debug)]
pub(crate) struct SpoolFile {
    pub(crate) file: File,
    path: PathBuf,
    moved: bool,
    _spool: Arc<Spool>,
}

impl SpoolFile {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn move_to(&mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.moved = true;
        Ok(())
    }
}

impl Drop for SpoolFile {
    fn drop(&mut self) {
        if !self.moved {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn create_own(base: &Path) -> io::Result<PathBuf> {
    let mut attempt = 0u64;
    loop {
        // Processes in different containers may share a number, and a spool.
        let path = base.join(format!("{PREFIX}{}-{attempt}", std::process::id()));
        match DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => attempt += 1,
            Err(error) => return Err(error),
        }
    }
}

fn lock(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)?;
    file.lock()?;
    Ok(file)
}

fn remove_if_left(directory: &Path) -> Result<(), Error> {
    let path = directory.join(LOCK);
    match File::open(&path) {
        Ok(file) => match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error).during("lock", &path),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error).during("open", &path),
    }
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error).during("remove", directory),
        _ => Ok(()),
    }
}
