//! Messages to signers: leased from the outbox, composed, sent, settled.

pub mod compose;
pub(crate) mod recipient_queue;
pub mod settings;
pub(crate) mod settle;
pub mod worker;
