//! Checks which blobs a backup already has, and whether they are whole.

use super::manifest::Documents;
use blobs::{BlobId, Blobs};
use std::time::SystemTime;

/// Blobs that are copied or hashed at once: a bucket answers each of them late.
pub(super) const MAX_CONCURRENT_BLOBS: usize = 96;
/// Faults that are listed one by one.
const MAX_LISTED_FAULTS: usize = 100;

/// How existing copies are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thoroughness {
    /// Only whether a copy was cut short.
    Length,
    /// Copies are hashed; damaged ones are copied anew.
    Copy,
    /// The same, and the documents of the source are hashed as well: damage there is reported.
    Both,
}

/// What is there of a blob.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CopyState {
    Whole,
    /// A copy that was interrupted wrote it, and hashed it then.
    JustCopied,
    Damaged,
    Nothing,
}

impl CopyState {
    pub(super) const fn is_there(self) -> bool {
        matches!(self, Self::Whole | Self::JustCopied)
    }
}

/// Checks whether the backup has a blob. `interrupted`: when the interrupted copy began.
pub(super) async fn check_copy(
    blobs: &Blobs,
    id: BlobId,
    size: u64,
    thoroughness: Thoroughness,
    interrupted: Option<SystemTime>,
) -> CopyState {
    if thoroughness == Thoroughness::Length || interrupted.is_some() {
        // The last byte: a file that was cut short is there as well.
        match blobs.read(id, size.saturating_sub(1)..size).await {
            Ok(reader) if interrupted.is_some() && reader.modified() > interrupted => {
                return CopyState::JustCopied;
            }
            Ok(_) if thoroughness == Thoroughness::Length => return CopyState::Whole,
            Ok(_) => {}
            Err(error) => return what_is_wrong(&error),
        }
    }
    match blobs.verify(id, size).await {
        Ok(_) => CopyState::Whole,
        Err(error) => what_is_wrong(&error),
    }
}

const fn what_is_wrong(error: &blobs::Error) -> CopyState {
    match error {
        blobs::Error::Damaged(_) | blobs::Error::Truncated(_) => CopyState::Damaged,
        // If the storage does not answer, writing to it says so.
        _ => CopyState::Nothing,
    }
}

/// What was copied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Copies {
    /// What was not there, or damaged.
    pub new: Documents,
    /// How many of the new ones were damaged before.
    pub mended: u64,
}

impl Copies {
    pub(super) fn add(&mut self, size: u64, found: CopyState) {
        if !found.is_there() {
            self.new.count += 1;
            self.new.bytes += size;
        }
        self.mended += u64::from(found == CopyState::Damaged);
    }
}

/// What could not be copied, because it is not what it should be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    /// How many.
    pub count: u64,
    /// The first of them, in words.
    pub messages: Vec<String>,
}

impl Faults {
    pub(super) fn add(&mut self, what: String) {
        self.count += 1;
        if self.messages.len() < MAX_LISTED_FAULTS {
            self.messages.push(what);
        }
    }
}
