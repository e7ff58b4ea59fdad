//! The state of a document after its last byte: all that a later increment needs, in a few kilobytes.
//! With it, signing does not read the document again.

mod append_state;
mod codec;

pub use append_state::{AppendState, EncryptedState, ObjectCopy, SigningPermission, SlotField};

use sha2::Sha256;
use thiserror::Error;

/// A document that increments can be added to: its length, its SHA-256 so far, and the objects an increment may
/// restate.
///
/// Each increment yields the next state; [`Prepared::to_bytes`] stores it between two acts.
#[derive(Debug, Clone)]
pub struct Prepared {
    pub length: u64,
    pub hasher: Sha256,
    pub append_state: AppendState,
}

/// Stored bytes are not a state that this version can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the stored state is not readable by this version")]
pub struct Unreadable;

impl Prepared {
    /// The length of the document so far, in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The SHA-256 of the document so far.
    pub fn sha256(&self) -> [u8; 32] {
        use sha2::Digest;
        self.hasher.clone().finalize().into()
    }

    /// How many signatures and document timestamps the document carries so far.
    pub fn signatures(&self) -> u32 {
        self.append_state.signatures
    }

    /// The state as bytes to store, small and versioned.
    pub fn to_bytes(&self) -> Vec<u8> {
        codec::encode(self)
    }

    /// Reads a state that [`Prepared::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Unreadable> {
        codec::decode(bytes).ok_or(Unreadable)
    }
}
