//! Temporary files, and the removal of those that a crash left behind.
//!
//! Every open store has a subdirectory, and holds a file lock in it. A subdirectory whose lock is free
//! belongs to a dead process: the next store to open removes it.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::MmapMut;
use rustix::fs::OFlags;

use super::contiguous_bytes::ContiguousBytes;
use super::page_pool::PAGE_BYTES;
use crate::Error;
use crate::error::During;
use crate::folders;

const CREATE_LOCK: &str = ".create-lock";
const LOCK_FILE: &str = "lock";
const DIR_PREFIX: &str = "upload-";
/// Writes bypass the page cache.
const O_DIRECT: i32 = OFlags::DIRECT.bits().cast_signed();

#[derive(Debug)]
pub(crate) struct TempFiles {
    directory: PathBuf,
    next: AtomicU64,
    /// Whether complete documents are written with `O_DIRECT`: they are renamed, and not read from here.
    direct: bool,
    _lock: File,
}

impl TempFiles {
    pub(crate) fn open(base: &Path) -> Result<Arc<Self>, Error> {
        Self::make(base).map(Arc::new)
    }

    /// Like `open`, for files that are renamed without being read.
    pub(crate) fn open_direct(base: &Path) -> Result<Arc<Self>, Error> {
        let mut temp_files = Self::make(base)?;
        temp_files.direct = temp_files.supports_o_direct();
        Ok(Arc::new(temp_files))
    }

    fn make(base: &Path) -> Result<Self, Error> {
        folders::create_all(base)?;
        // Held until the new directory has its lock: another process would remove it otherwise.
        let create_lock = base.join(CREATE_LOCK);
        let _create_lock = lock(&create_lock).during("lock", &create_lock)?;
        for entry in fs::read_dir(base).during("list", base)? {
            let entry = entry.during("list", base)?;
            if entry.file_name().to_string_lossy().starts_with(DIR_PREFIX) {
                remove_if_abandoned(&entry.path())?;
            }
        }
        let directory = create_unique(base).during("make a directory in", base)?;
        let path = directory.join(LOCK_FILE);
        let lock = lock(&path).during("lock", &path)?;
        Ok(Self {
            directory,
            next: AtomicU64::new(0),
            direct: false,
            _lock: lock,
        })
    }

    /// Whether the file system accepts `O_DIRECT`; only a write shows it.
    fn supports_o_direct(&self) -> bool {
        let path = self.directory.join("trial");
        let written = MmapMut::map_anon(PAGE_BYTES).and_then(|page| {
            let file = options().custom_flags(O_DIRECT).open(&path)?;
            file.write_at(&page, 0)
        });
        let removed = fs::remove_file(&path);
        matches!(written, Ok(PAGE_BYTES)) && removed.is_ok()
    }

    /// A new file, gone when it is dropped unless it was moved.
    pub(crate) fn create(self: &Arc<Self>) -> Result<TempFile, Error> {
        self.create_with(&options())
    }

    fn create_with(self: &Arc<Self>, options: &OpenOptions) -> Result<TempFile, Error> {
        let name = self.next.fetch_add(1, Ordering::Relaxed).to_string();
        let path = self.directory.join(name);
        let file = options.open(&path).during("create", &path)?;
        Ok(TempFile {
            file,
            path,
            moved: false,
            _temp_files: Arc::clone(self),
        })
    }

    /// A new file with these bytes in it.
    pub(crate) fn write(self: &Arc<Self>, bytes: &[u8]) -> Result<TempFile, Error> {
        let mut file = self.create()?;
        file.file.write_all(bytes).during("write", file.path())?;
        Ok(file)
    }

    /// A new file with a document that is in memory. Zeros may follow it: `Directory::persist` truncates
    /// them.
    pub(crate) fn write_pages(self: &Arc<Self>, memory: &mut ContiguousBytes) -> Result<TempFile, Error> {
        if !self.direct {
            return self.write(memory.bytes());
        }
        let file = self.create_with(options().custom_flags(O_DIRECT))?;
        let mut at = 0;
        while let Some(rest) = memory.whole_pages().get(at..).filter(|rest| !rest.is_empty()) {
            let written = match file.file.write_at(rest, at as u64) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // The file system accepted the trial, and refuses this write.
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                    return self.write(memory.bytes());
                }
                written => written.during("write", file.path())?,
            };
            // A short write within a page means that the disk is full.
            if written < PAGE_BYTES {
                return Err(io::Error::from(io::ErrorKind::StorageFull)).during("write", file.path());
            }
            at += written / PAGE_BYTES * PAGE_BYTES;
        }
        Ok(file)
    }
}

impl Drop for TempFiles {
    fn drop(&mut self) {
        // If this fails, the next store to open removes it.
        let _ = fs::remove_dir_all(&self.directory);
    }
}

#[derive(Debug)]
pub(crate) struct TempFile {
    pub(crate) file: File,
    path: PathBuf,
    moved: bool,
    _temp_files: Arc<TempFiles>,
}

impl TempFile {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn move_to(&mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.moved = true;
        Ok(())
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        if !self.moved {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true).mode(0o600);
    options
}

fn create_unique(base: &Path) -> io::Result<PathBuf> {
    let mut attempt = 0u64;
    loop {
        // Processes in different containers may have the same process id, and share this directory.
        let path = base.join(format!("{DIR_PREFIX}{}-{attempt}", std::process::id()));
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

fn remove_if_abandoned(directory: &Path) -> Result<(), Error> {
    let path = directory.join(LOCK_FILE);
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
