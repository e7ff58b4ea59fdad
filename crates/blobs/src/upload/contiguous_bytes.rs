//! A document in contiguous memory.

use std::iter;

use sha2::{Digest, Sha256};

use super::page_pool::{PAGE_BYTES, PooledPages};

/// Bytes that are hashed and copied in one step: full blocks of the hash, and few enough that the processor
/// overlaps both.
const HASH_STEP_BYTES: usize = 1024;

/// A document at the start of pooled pages.
#[derive(Debug)]
pub(crate) struct ContiguousBytes {
    pages: PooledPages,
    len: usize,
}

impl ContiguousBytes {
    pub(super) const fn new(pages: PooledPages) -> Self {
        Self { pages, len: 0 }
    }

    pub(super) fn capacity_left(&self) -> usize {
        self.pages.len() - self.len
    }

    /// Appends bytes that fit.
    pub(super) fn append(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len();
        self.pages[self.len..end].copy_from_slice(bytes);
        self.len = end;
    }

    /// Appends and hashes in small alternating steps. Each step of a hash waits for the one before it: the
    /// processor copies meanwhile, at next to no cost.
    pub(super) fn append_and_hash(&mut self, bytes: &[u8], hash: &mut Sha256) {
        let begun = self.len % HASH_STEP_BYTES;
        let (first, rest) = bytes.split_at(bytes.len().min(HASH_STEP_BYTES - begun));
        for step in iter::once(first).chain(rest.chunks(HASH_STEP_BYTES)) {
            hash.update(step);
            self.append(step);
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.pages[..self.len]
    }

    /// The bytes, and zeros up to the end of the last page.
    pub(crate) fn whole_pages(&mut self) -> &[u8] {
        let end = self.len.next_multiple_of(PAGE_BYTES);
        self.pages[self.len..end].fill(0);
        &self.pages[..end]
    }
}
