//! The received chunks of a document that are not written yet. They are not copied.

use bytes::{Bytes, BytesMut};

/// Smaller chunks are joined: otherwise a client that sends single bytes would cost forty times their
/// memory.
const SMALL_CHUNK_BYTES: usize = 4 * 1024;

#[derive(Debug, Default)]
pub(crate) struct ChunkBuffer {
    chunks: Vec<Bytes>,
    small: BytesMut,
    len: usize,
}

impl ChunkBuffer {
    pub(crate) fn push(&mut self, chunk: Bytes) {
        self.len += chunk.len();
        if chunk.len() < SMALL_CHUNK_BYTES {
            self.small.extend_from_slice(&chunk);
        } else {
            self.flush_small();
            self.chunks.push(chunk);
        }
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn into_chunks(mut self) -> Vec<Bytes> {
        self.flush_small();
        self.chunks
    }

    /// All in one; copies only if there are several.
    pub(crate) fn into_bytes(self) -> Bytes {
        let len = self.len;
        let mut chunks = self.into_chunks();
        if chunks.len() < 2 {
            return chunks.pop().unwrap_or_default();
        }
        let mut all = Vec::with_capacity(len);
        for chunk in &chunks {
            all.extend_from_slice(chunk);
        }
        all.into()
    }

    fn flush_small(&mut self) {
        if !self.small.is_empty() {
            self.chunks.push(self.small.split().freeze());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_kept_and_small_chunks_are_joined() {
        let mut buffered = ChunkBuffer::default();
        let mut expected = Vec::new();
        for (fill, len) in [
            (1, 1),
            (2, SMALL_CHUNK_BYTES - 1),
            (3, SMALL_CHUNK_BYTES),
            (4, 0),
            (5, 7),
            (6, 9),
            (7, SMALL_CHUNK_BYTES * 3),
        ] {
            let chunk = vec![fill; len];
            expected.extend_from_slice(&chunk);
            buffered.push(chunk.into());
        }
        assert_eq!(buffered.len(), expected.len());
        assert_eq!(buffered.chunks.len(), 4);
        assert_eq!(buffered.into_bytes(), expected);
    }

    #[test]
    fn a_single_chunk_is_not_copied() {
        let chunk = Bytes::from(vec![1; SMALL_CHUNK_BYTES]);
        let mut buffered = ChunkBuffer::default();
        buffered.push(chunk.clone());
        assert_eq!(buffered.into_bytes().as_ptr(), chunk.as_ptr());
    }
}
