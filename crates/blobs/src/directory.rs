//! Blobs as files: `ab/<64 digits>` below one directory.
//!
//! Everything here does blocking I/O and is called off the async threads, except reads from the page cache.
//! A file is written elsewhere on the same file system, flushed, and renamed: a visible name always has all
//! its bytes.

mod cached;
mod list;

use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;

use crate::blocks::{BLOCK, Blocks};
use crate::error::During;
use crate::folders;
use crate::reader::{Fetched, Reader};
use crate::spool::{Spool, SpoolFile};
use crate::stage::{Body, Staged};
use crate::{BlobId, Error};

#[derive(Debug)]
pub(crate) struct Directory {
    root: PathBuf,
    blocks: Arc<Blocks>,
}

impl Directory {
    /// Opens the directory, and a directory of temporary files that can be renamed into it.
    pub(crate) fn open(root: &Path, spool: &Path, blocks: Arc<Blocks>) -> Result<(Self, Arc<Spool>), Error> {
        folders::create_all(root)?;
        let directory = Self {
            root: root.to_owned(),
            blocks,
        };
        directory.create_shards()?;
        let spool = Spool::open_unread(spool)?;
        if directory.accepts(&spool)? {
            return Ok((directory, spool));
        }
        Ok((directory, Spool::open_unread(&root.join(".incoming"))?))
    }

    /// Whether temporary files can be renamed to here; only a trial shows it (bind mounts, subvolumes).
    fn accepts(&self, spool: &Arc<Spool>) -> Result<bool, Error> {
        let target = self.root.join(".trial");
        match spool.create()?.move_to(&target) {
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

    pub(crate) fn persist(&self, spool: &Arc<Spool>, staged: Vec<Staged>) -> Result<(), Error> {
        let mut files = Vec::with_capacity(staged.len());
        for Staged { id, len, body } in staged {
            files.push((id, write(spool, len, body)?));
        }
        for (_, file) in &files {
            file.file.sync_all().during("flush", file.path())?;
        }
        let mut shards = Vec::with_capacity(files.len());
        for (id, mut file) in files {
            self.place(id, &mut file)?;
            shards.push(id.as_bytes()[0]);
        }
        shards.sort_unstable();
        shards.dedup();
        shards
            .into_iter()
            .try_for_each(|shard| folders::flush(&self.shard(shard)))
    }

    fn place(&self, id: BlobId, file: &mut SpoolFile) -> Result<(), Error> {
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
        let first = read_block(&file, id, first_of(&range), &self.blocks)?;
        Ok(self.reader(file, id, first, range))
    }

    /// Like `read`, if the start of the range is in the page cache.
    pub(crate) fn read_cached(&self, id: BlobId, range: Range<u64>) -> Option<Reader> {
        let file = cached::open(&self.path(id)).ok()?;
        let first = cached_block(&file, first_of(&range), &self.blocks)?;
        Some(self.reader(file, id, first, range))
    }

    /// A reader of the first frame, which is in memory, and of the following ones.
    fn reader(&self, file: File, id: BlobId, first: Bytes, range: Range<u64>) -> Reader {
        let rest = first_of(&range).end..range.end;
        if rest.is_empty() {
            return Reader::single(first);
        }
        let (file, blocks) = (Arc::new(file), Arc::clone(&self.blocks));
        let fetch = move |frame: Range<u64>| {
            if let Some(block) = cached_block(&file, frame.clone(), &blocks) {
                return Fetched::Here(block);
            }
            let (file, blocks) = (Arc::clone(&file), Arc::clone(&blocks));
            Fetched::Coming(tokio::task::spawn_blocking(move || {
                read_block(&file, id, frame, &blocks)
            }))
        };
        Reader::several(first, rest, BLOCK as u64, Box::new(fetch))
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

    fn path(&self, id: BlobId) -> PathBuf {
        let mut name = String::with_capacity(67);
        id.push_path(&mut name);
        self.root.join(name)
    }

    fn shard(&self, shard: u8) -> PathBuf {
        self.root.join(format!("{shard:02x}"))
    }
}

fn write(spool: &Arc<Spool>, len: u64, body: Body) -> Result<SpoolFile, Error> {
    match body {
        Body::Memory(bytes) => spool.write(&bytes),
        Body::Spooled(file) => {
            // Truncates the zeros after the document, and renews the modification time: the sweeper spares
            // new blobs.
            file.file.set_len(len).during("cut", file.path())?;
            Ok(file)
        }
    }
}

/// The first frame of the range.
fn first_of(range: &Range<u64>) -> Range<u64> {
    range.start..range.end.min(range.start.saturating_add(BLOCK as u64))
}

fn length(range: &Range<u64>) -> usize {
    usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(usize::MAX)
}

fn cached_block(file: &File, range: Range<u64>, blocks: &Arc<Blocks>) -> Option<Bytes> {
    blocks
        .filled(length(&range), |block| cached::fill(file, block, range.start))
        .ok()
}

fn read_block(file: &File, id: BlobId, range: Range<u64>, blocks: &Arc<Blocks>) -> Result<Bytes, Error> {
    blocks
        .filled(length(&range), |block| file.read_exact_at(block, range.start))
        .map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Error::Truncated(id),
            _ => Error::io(format!("cannot read blob {id}"), error),
        })
}
