//! What the panel says, in both languages side by side: a file per part.

mod account;
mod audit;
mod company;
mod frame;
mod keys;
mod sign_in;
mod users;
mod webhooks;
