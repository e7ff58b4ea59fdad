//! What an increment must know of the document it is added to.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::Ref;

/// What an increment must know of the document it is added to.
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
    /// Width and height of the first page, in points, which a sheet follows.
    pub paper: [f64; 2],
    /// The trailer's `/Info` and `/ID`, as written.
    pub info: Vec<u8>,
    pub id: Vec<u8>,
    pub signatures: u32,
    pub permission: SigningPermission,
    /// Signature fields that wait to be filled.
    pub slots: Vec<SlotField>,
    /// The names of fields at the top of the tree.
    pub field_names: BTreeSet<Vec<u8>>,
    /// The SHA-256 of what the document's store of evidence holds.
    pub evidence: BTreeSet<[u8; 32]>,
    /// Objects that may have to be restated, by number.
    pub objects: BTreeMap<u32, ObjectCopy>,
}

/// What the signatures of a document allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SigningPermission {
    /// Nothing forbids further signatures.
    Open,
    /// Certified, with further signatures allowed.
    Certified,
    /// A signature forbids any other.
    Locked,
}

/// An object as it stands in the file.
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
