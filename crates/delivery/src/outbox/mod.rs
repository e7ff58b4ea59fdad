//! Messages to signers: leased from the outbox, composed, sent, settled.

pub mod compose;
pub mod settings;
pub(crate) mod settle;
pub mod worker;
