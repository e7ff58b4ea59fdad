//! Blobs as files: `ab/<64 digits>` below one directory.
//!
//! Everything here does blocking I/O and is called off the async threads, except reads from the page cache.
//! A file is written elsewhere on the same file system, flushed, and renamed: a visible name always has all
//! its bytes.

mod list;
mod page_cache;

use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;

use crate::buffer_pool::{BUFFER_BYTES, BufferPool};
use crate::checked_blobs::Version;
use crate::error::During;
use crate::folders;
use crate::reader::{Fetched, Reader};
use crate::upload::temp_files::{TempFile, TempFiles};
use crate::upload::{PendingBlob, PendingBody};
use crate::{BlobId, Error};

#[derive(Debug)]
pub(crate) struct Directory {
    root: PathBuf,
    buffers: Arc<BufferPool>,
}

impl Directory {
    /// Opens the directory, and a directory of temporary files that can be renamed into it.
    pub(crate) fn open(
        root: &Path,
        temp_files: &Path,
        buffers: Arc<BufferPool>,
    ) -> Result<(Self, Arc<TempFiles>), Error> {
        folders::create_all(root)?;
        let directory = Self {
            root: root.to_owned(),
            buffers,
        };
        directory.create_shards()?;
        let temp_files = TempFiles::open_direct(temp_files)?;
        if directory.can_rename_from(&temp_files)? {
            return Ok((directory, temp_files));
        }
        Ok((directory, TempFiles::open_direct(&root.join(".incoming"))?))
    }

    /// Whether temporary files can be renamed to here; only a trial shows it (bind mounts, subvolumes).
    fn can_rename_from(&self, temp_files: &Arc<TempFiles>) -> Result<bool, Error> {
        let target = self.root.join(".trial");
        match temp_files.create()?.move_to(&target) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => return Ok(false),
            moved => moved.during("move a file to", &target)?,
        }
        match fs::remove_file(&target) {
            // The trial of another process replaced ours and removed it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
            removed => removed.during("remove", &target).map(|()| true),
        }
    }

    /// Makes the 256 directories, once, so that no write has to. The root is flushed also if they were
    /// there: another process may have just made them.
    fn create_shards(&self) -> Result<(), Error> {
        for shard in 0..=u8::MAX {
            let path = self.shard(shard);
            folders::create(&path).during("create", &path)?;
        }
        folders::flush(&self.root)
    }

    pub(crate) fn persist(
        &self,
        temp_files: &Arc<TempFiles>,
        pending: Vec<PendingBlob>,
    ) -> Result<(), Error> {
        let mut files = Vec::with_capacity(pending.len());
        for PendingBlob { id, len, body } in pending {
            files.push((id, write(temp_files, len, body)?));
        }
        for (_, file) in &files {
            file.file.sync_all().during("flush", file.path())?;
        }
        let mut shards = Vec::with_capacity(files.len());
        for (id, mut file) in files {
            self.move_into_place(id, &mut file)?;
            shards.push(id.as_bytes()[0]);
        }
        shards.sort_unstable();
        shards.dedup();
        shards
            .into_iter()
            .try_for_each(|shard| folders::flush(&self.shard(shard)))
    }

    fn move_into_place(&self, id: BlobId, file: &mut TempFile) -> Result<(), Error> {
        let path = self.path(id);
        match file.move_to(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // An empty shard may have been deleted by hand, or be missing from a restored backup.
                self.create_shards()?;
                file.move_to(&path).during("move a file to", &path)
            }
            moved => moved.during("move a file to", &path),
        }
    }

    pub(crate) fn read(&self, id: BlobId, range: Range<u64>) -> Result<Reader, Error> {
        let path = self.path(id);
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Error::NotFound(id)),
            opened => opened.during("open", &path)?,
        };
        let first = read_frame(&file, id, first_frame(&range), &self.buffers)?;
        Ok(self.reader(file, id, first, range))
    }

    /// Like `read`, if the start of the range is in the page cache.
    pub(crate) fn read_cached(&self, id: BlobId, range: Range<u64>) -> Option<Reader> {
        let file = page_cache::open(&self.path(id)).ok()?;
        let first = cached_frame(&file, first_frame(&range), &self.buffers)?;
        Some(self.reader(file, id, first, range))
    }

    /// A reader of the first frame, which is in memory, and of the following ones.
    fn reader(&self, file: File, id: BlobId, first: Bytes, range: Range<u64>) -> Reader {
        let modified = file.metadata().and_then(|found| found.modified());
        let version = modified.map_or(Version::Unknown, Version::Modified);
        let rest = first_frame(&range).end..range.end;
        if rest.is_empty() {
            return Reader::single(first).with_version(version);
        }
        let (file, buffers) = (Arc::new(file), Arc::clone(&self.buffers));
        let fetch = move |frame: Range<u64>| {
            if let Some(buffer) = cached_frame(&file, frame.clone(), &buffers) {
                return Fetched::Ready(buffer);
            }
            let (file, buffers) = (Arc::clone(&file), Arc::clone(&buffers));
            Fetched::Pending(tokio::task::spawn_blocking(move || {
                read_frame(&file, id, frame, &buffers)
            }))
        };
        Reader::streamed(first, rest, BUFFER_BYTES as u64, Box::new(fetch)).with_version(version)
    }

    pub(crate) fn delete(&self, id: BlobId) -> Result<(), Error> {
        let path = self.path(id);
        match fs::remove_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.during("remove", &path),
        }
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        let shard = self.shard(0);
        match fs::metadata(&shard) {
            Ok(found) if found.is_dir() => Ok(()),
            Ok(_) => Err(Error::unavailable(
                format!("{} is no directory", shard.display()),
                "not a directory",
            )),
            Err(error) => Err(Error::unavailable(
                format!("cannot find {}", shard.display()),
                error,
            )),
        }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    fn path(&self, id: BlobId) -> PathBuf {
        let mut name = String::with_capacity(67);
        id.push_path(&mut name);
        self.root.join(name)
    }

    fn shard(&self, shard: u8) -> PathBuf {
        self.root.join(format!("{shard:02x}"))
    }
}

fn write(temp_files: &Arc<TempFiles>, len: u64, body: PendingBody) -> Result<TempFile, Error> {
    match body {
        PendingBody::Memory(bytes) => temp_files.write(&bytes),
        PendingBody::TempFile(file) => {
            // Truncates the zeros after the document, and renews the modification time: the sweeper spares
            // new blobs.
            file.file.set_len(len).during("cut", file.path())?;
            Ok(file)
        }
    }
}

/// The first frame of the range.
fn first_frame(range: &Range<u64>) -> Range<u64> {
    range.start..range.end.min(range.start.saturating_add(BUFFER_BYTES as u64))
}

fn length(range: &Range<u64>) -> usize {
    usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(usize::MAX)
}

fn cached_frame(file: &File, range: Range<u64>, buffers: &Arc<BufferPool>) -> Option<Bytes> {
    buffers
        .fill_with(length(&range), |buffer| {
            page_cache::fill(file, buffer, range.start)
        })
        .ok()
}

fn read_frame(file: &File, id: BlobId, range: Range<u64>, buffers: &Arc<BufferPool>) -> Result<Bytes, Error> {
    buffers
        .fill_with(length(&range), |buffer| file.read_exact_at(buffer, range.start))
        .map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Error::Truncated(id),
            _ => Error::io(format!("cannot read blob {id}"), error),
        })
}
