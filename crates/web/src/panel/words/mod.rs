//! What the panel says, in both languages side by side: a file per part.

mod account;
mod frame;
mod sign_in;
mod users;
mod webhooks;
