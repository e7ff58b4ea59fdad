//! Messages to signers: leased from the outbox, composed, sent, settled.

pub(crate) mod attachments;
pub mod compose;
pub mod settings;
pub(crate) mod settle;
pub mod worker;
