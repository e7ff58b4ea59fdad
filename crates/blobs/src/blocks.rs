//! Buffers of one size, lent and taken back.
//!
//! Moving large documents would otherwise ask the allocator for a large buffer per step: fresh pages to be
//! faulted in and zeroed each time, and holes that are never given back.

use std::io;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;

/// The size of a block, and of the largest document that stays in memory.
pub(crate) const BLOCK: usize = 256 * 1024;

/// Below this an exact buffer is as fast, and a slow reader does not hold a whole block.
const WORTH_A_BLOCK: usize = 64 * 1024;

/// How many idle blocks are kept.
const KEPT: usize = 16;

#[derive(Debug, Default)]
pub(crate) struct Blocks {
    idle: Mutex<Vec<Box<[u8]>>>,
}

impl Blocks {
    /// Lets `fill` write `len` bytes, at most a block, and freezes them.
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
        let mut lent = Lent {
            block: self.take(),
            len,
            home: Arc::clone(self),
        };
        fill(&mut lent.block[..len])?;
        Ok(Bytes::from_owner(lent))
    }

    fn take(&self) -> Box<[u8]> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| vec![0; BLOCK].into_boxed_slice())
    }
}

struct Lent {
    block: Box<[u8]>,
    len: usize,
    home: Arc<Blocks>,
}

impl AsRef<[u8]> for Lent {
    fn as_ref(&self) -> &[u8] {
        &self.block[..self.len]
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let mut idle = self.home.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(mem::take(&mut self.block));
        }
    }
}
