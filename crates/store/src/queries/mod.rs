//! The queries, one file per noun, as methods of [`crate::Tx`].

pub(crate) mod authority;
pub(crate) mod bulks;
mod changes;
pub(crate) mod codes;
mod companies;
pub(crate) mod dead_letters;
pub(crate) mod downloads;
pub(crate) mod evidence;
pub(crate) mod extensions;
pub(crate) mod folios;
mod history;
pub(crate) mod idempotency;
pub(crate) mod increments;
pub(crate) mod keys;
pub(crate) mod known;
pub(crate) mod mailbox;
pub(crate) mod outbox;
pub(crate) mod resends;
pub(crate) mod sending;
pub(crate) mod signing;
pub(crate) mod sweeping;
mod words;
