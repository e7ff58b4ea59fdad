//! A pool of buffers of one size.
//!
//! Without it, moving a large document asks the allocator for a large buffer per step: fresh pages are
//! faulted in and zeroed each time, and the heap fragments. A pooled buffer is a mapping of its own, and
//! returns to the system at once when the pool does not retain it.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use memmap2::MmapMut;

/// The size of a buffer, and of the largest document that stays in memory until its request ends.
pub(crate) const BLOCK: usize = 256 * 1024;

/// Below this an exact allocation is as fast, and a slow reader does not hold a full buffer.
const WORTH_A_BLOCK: usize = 64 * 1024;

/// Idle buffers that the pool retains.
const KEPT: usize = 16;

#[derive(Debug, Default)]
pub(crate) struct Blocks {
    idle: Mutex<Vec<MmapMut>>,
}

impl Blocks {
    /// Has `fill` write `len` bytes, at most [`BUFFER_BYTES`], and freezes them.
    pub(crate) fn filled(
        self: &Arc<Self>,
        len: usize,
        fill: impl FnOnce(&mut [u8]) -> io::Result<()>,
    ) -> io::Result<Bytes> {
        if !(WORTH_A_BLOCK..=BLOCK).contains(&len) {
            let mut exact = vec![0; len];
            fill(&mut exact)?;
            return Ok(exact.into());
        }
        let mut block = self.take()?;
        fill(&mut block[..len])?;
        Ok(Bytes::from_owner(Lent {
            block: Some(block),
            len,
            home: Arc::clone(self),
        }))
    }

    fn take(&self) -> io::Result<MmapMut> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.map_or_else(|| MmapMut::map_anon(BLOCK), Ok)
    }

    fn give_back(&self, block: MmapMut) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(block);
        }
    }
}

struct Lent {
    block: Option<MmapMut>,
    len: usize,
    home: Arc<Blocks>,
}

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        self.block.as_ref().map_or(&[], |block| &block[..self.len])
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(block) = self.block.take() {
            self.home.give_back(block);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back_and_only_some_are_kept() {
        let blocks = Arc::new(Blocks::default());
        let idle = || blocks.idle.lock().unwrap().len();
        let one = |len: usize| {
            let fill = |block: &mut [u8]| {
                block.fill(7);
                Ok(())
            };
            let bytes = blocks.filled(len, fill).unwrap();
            assert_eq!(bytes, vec![7; len]);
            bytes
        };
        drop(one(1));
        assert_eq!(idle(), 0);
        drop((one(BLOCK), one(WORTH_A_BLOCK)));
        assert_eq!(idle(), 2);
        drop((0..2 * KEPT).map(|_| one(BLOCK)).collect::<Vec<_>>());
        assert_eq!(idle(), KEPT);
        assert!(
            blocks
                .filled(BLOCK, |_| Err(io::ErrorKind::UnexpectedEof.into()))
                .is_err()
        );
    }
}
