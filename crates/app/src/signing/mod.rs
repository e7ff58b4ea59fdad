//! What signers do: links, sessions, codes, pages, and the signature itself.

pub mod accept;
pub mod codes;
pub mod consent;
pub(crate) mod context;
pub mod counts;
pub mod document_checks;
pub mod language;
pub mod links;
pub(crate) mod one_message_per_person;
pub mod open;
pub mod pages;
pub mod party;
pub mod prove_contact;
pub mod reject;
pub mod send_code;
pub mod session;
mod sheets;
pub mod sign;
pub mod unlock_signer;
pub mod visits;
