//! Signing: access, sessions, codes, bulk signatures and what acts append to documents.

pub(crate) mod access;
pub(crate) mod bulks;
pub(crate) mod codes;
pub(crate) mod extensions;
pub(crate) mod increment_moves;
pub(crate) mod increments;
pub(crate) mod reading;
pub(crate) mod sessions;
