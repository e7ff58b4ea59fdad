//! What the panel says, in both languages side by side: a file per part.

mod account;
mod audit;
mod company;
mod folios;
pub(crate) mod history;
mod identity_provider;
mod keys;
mod layout;
mod overview;
mod people;
mod sign_in;
mod templates;
mod users;
mod webhooks;
