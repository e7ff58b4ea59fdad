//! Folios as a company works with them: one file per act.

pub mod approve;
pub mod batch;
pub mod cancel;
pub(crate) mod checked_versions;
pub mod contacts;
pub mod create;
pub mod download;
pub mod drafts;
pub mod drop;
pub mod erase;
pub mod import;
pub mod list;
pub(crate) mod mentions;
pub mod public_document;
pub mod read;
pub mod read_bulk;
pub(crate) mod reminder_schedule;
pub mod resend;
pub mod retention;
pub mod saved_searches;
mod search;
pub mod show;
pub mod signer_link;
pub mod start_bulk;
pub mod templates;

/// Folios of one page of a list.
pub const PAGE_SIZE: usize = 25;
