//! The state of a document that an increment is added to.

use std::collections::{BTreeMap, BTreeSet};

use crate::file::Encryption;
use crate::syntax::Ref;

/// The state of a document that an increment is added to.
#[derive(Debug, Clone, PartialEq)]
pub struct AppendState {
    /// Where the newest cross-reference section starts.
    pub startxref: u64,
    /// The next free object number.
    pub size: u32,
    /// Whether increments are written with cross-reference streams.
    pub streams: bool,
    /// Whether the last byte ends a line.
    pub ends_line: bool,
    pub root: Ref,
    pub pages: Ref,
    /// The page that new fields are put on.
    pub field_page: Ref,
    pub page_count: u32,
    /// Width and height of the first page, in points: the sheet has the same.
    pub paper: [f64; 2],
    /// The trailer's `/Info` and `/ID`, as written.
    pub info: Vec<u8>,
    pub id: Vec<u8>,
    /// How the document is encrypted. The copies of its objects are not.
    pub encryption: Option<EncryptedState>,
    pub signatures: u32,
    pub permission: SigningPermission,
    /// Empty signature fields.
    pub slots: Vec<SlotField>,
    /// The first parts of all field names.
    pub field_names: BTreeSet<Vec<u8>>,
    /// The SHA-256 of each certificate and revocation list in the document's store.
    pub validation_data: BTreeSet<[u8; 32]>,
    /// Copies of the objects that an increment may restate, by number.
    pub objects: BTreeMap<u32, ObjectCopy>,
}

/// How an increment of an encrypted document is encrypted.
#[derive(Debug, Clone, PartialEq)]
pub struct EncryptedState {
    /// The trailer's `/Encrypt`, as written.
    pub stated: Vec<u8>,
    pub encryption: Encryption,
}

/// Whether the signatures of a document allow another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SigningPermission {
    /// Nothing forbids further signatures.
    Open,
    /// Certified, with further signatures allowed.
    Certified,
    /// A signature forbids any other.
    Locked,
}

/// The newest version of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectCopy {
    pub generation: u16,
    pub body: Vec<u8>,
}

/// An empty signature field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotField {
    pub name: Vec<u8>,
    pub id: Ref,
}
