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
pub(crate) const BUFFER_BYTES: usize = 256 * 1024;

/// Below this an exact allocation is as fast, and a slow reader does not hold a full buffer.
const MIN_POOLED_BYTES: usize = 64 * 1024;

/// Idle buffers that the pool retains.
const MAX_IDLE_BUFFERS: usize = 16;

#[derive(Debug, Default)]
pub(crate) struct BufferPool {
    idle: Mutex<Vec<MmapMut>>,
}

impl BufferPool {
    /// Has `fill` write `len` bytes, at most [`BUFFER_BYTES`], and freezes them.
    pub(crate) fn fill_with(
        self: &Arc<Self>,
        len: usize,
        fill: impl FnOnce(&mut [u8]) -> io::Result<()>,
    ) -> io::Result<Bytes> {
        if !(MIN_POOLED_BYTES..=BUFFER_BYTES).contains(&len) {
            let mut exact = vec![0; len];
            fill(&mut exact)?;
            return Ok(exact.into());
        }
        let mut buffer = self.checkout()?;
        fill(&mut buffer[..len])?;
        Ok(Bytes::from_owner(PooledBuffer {
            buffer: Some(buffer),
            len,
            pool: Arc::clone(self),
        }))
    }

    fn checkout(&self) -> io::Result<MmapMut> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.map_or_else(|| MmapMut::map_anon(BUFFER_BYTES), Ok)
    }

    fn put_back(&self, buffer: MmapMut) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MAX_IDLE_BUFFERS {
            idle.push(buffer);
        }
    }
}

struct PooledBuffer {
    buffer: Option<MmapMut>,
    len: usize,
    pool: Arc<BufferPool>,
}

impl AsRef<[u8]> for PooledBuffer {
    fn as_ref(&self) -> &[u8] {
        self.buffer.as_ref().map_or(&[], |buffer| &buffer[..self.len])
    }
}

impl Drop for PooledBuffer {
    fn drop(&mut self) {
        if let Some(buffer) = self.buffer.take() {
            self.pool.put_back(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_come_back_and_only_some_are_kept() {
        let buffers = Arc::new(BufferPool::default());
        let idle = || buffers.idle.lock().unwrap().len();
        let one = |len: usize| {
            let fill = |buffer: &mut [u8]| {
                buffer.fill(7);
                Ok(())
            };
            let bytes = buffers.fill_with(len, fill).unwrap();
            assert_eq!(bytes, vec![7; len]);
            bytes
        };
        drop(one(1));
        assert_eq!(idle(), 0);
        drop((one(BUFFER_BYTES), one(MIN_POOLED_BYTES)));
        assert_eq!(idle(), 2);
        drop(
            (0..2 * MAX_IDLE_BUFFERS)
                .map(|_| one(BUFFER_BYTES))
                .collect::<Vec<_>>(),
        );
        assert_eq!(idle(), MAX_IDLE_BUFFERS);
        assert!(
            buffers
                .fill_with(BUFFER_BYTES, |_| Err(io::ErrorKind::UnexpectedEof.into()))
                .is_err()
        );
    }
}
