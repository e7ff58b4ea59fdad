//! Reads from the page cache that never wait for a disk.

use std::fs::File;
use std::io::{self, IoSliceMut};
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
use rustix::io::{ReadWriteFlags, preadv2};

/// Opens a file whose path is in the dentry cache; `WouldBlock` otherwise.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let file = openat2(CWD, path, flags, Mode::empty(), ResolveFlags::CACHED)?;
    Ok(File::from(file))
}

/// Fills the buffer from an offset of the file; `WouldBlock` if a part is not in the page cache.
pub(super) fn fill(file: &File, buffer: &mut [u8], from: u64) -> io::Result<()> {
    let wanted = buffer.len();
    let read = preadv2(file, &mut [IoSliceMut::new(buffer)], from, ReadWriteFlags::NOWAIT)?;
    if read == wanted {
        Ok(())
    } else {
        Err(io::ErrorKind::WouldBlock.into())
    }
}
