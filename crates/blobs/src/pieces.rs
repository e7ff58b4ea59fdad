//! The received chunks of a document that are not written yet. They are not copied.

use bytes::{Bytes, BytesMut};

/// Smaller chunks are joined: otherwise a client that sends single bytes would cost forty times their
/// memory.
const CRUMB: usize = 4 * 1024;

#[derive(Debug, Default)]
pub(crate) struct Pieces {
    whole: Vec<Bytes>,
    crumbs: BytesMut,
    len: usize,
}

impl Pieces {
    pub(crate) fn push(&mut self, chunk: Bytes) {
        self.len += chunk.len();
        if chunk.len() < CRUMB {
            self.crumbs.extend_from_slice(&chunk);
        } else {
            self.sweep();
            self.whole.push(chunk);
        }
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn into_chunks(mut self) -> Vec<Bytes> {
        self.sweep();
        self.whole
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

    fn sweep(&mut self) {
        if !self.crumbs.is_empty() {
            self.whole.push(self.crumbs.split().freeze());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_kept_and_crumbs_are_gathered() {
        let mut pieces = Pieces::default();
        let mut expected = Vec::new();
        for (fill, len) in [
            (1, 1),
            (2, CRUMB - 1),
            (3, CRUMB),
            (4, 0),
            (5, 7),
            (6, 9),
            (7, CRUMB * 3),
        ] {
            let chunk = vec![fill; len];
            expected.extend_from_slice(&chunk);
            pieces.push(chunk.into());
        }
        assert_eq!(pieces.len(), expected.len());
        assert_eq!(pieces.whole.len(), 4);
        assert_eq!(pieces.into_bytes(), expected);
    }

    #[test]
    fn a_single_chunk_is_not_copied() {
        let chunk = Bytes::from(vec![1; CRUMB]);
        let mut pieces = Pieces::default();
        pieces.push(chunk.clone());
        assert_eq!(pieces.into_bytes().as_ptr(), chunk.as_ptr());
    }
}
