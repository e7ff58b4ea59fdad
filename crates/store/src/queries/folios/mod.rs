//! Folios: their rows, lists, histories and documents.

pub(crate) mod apply_changes;
pub(crate) mod contacts;
pub(crate) mod documents;
pub(crate) mod erasure;
pub(crate) mod evidence;
pub(crate) mod folio;
pub(crate) mod history;
pub(crate) mod idempotency;
pub(crate) mod list;
pub(crate) mod person;
pub(crate) mod public_document;
