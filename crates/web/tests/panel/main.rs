//! The panel below the browser: who gets in, who may do what, and what every answer carries.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

mod approval;
mod audit;
mod company;
mod company_sign_in;
mod drafts;
mod folios;
mod forms;
mod keys;
mod language;
mod lists;
mod matrix;
mod overview;
mod passwords;
mod requests;
mod second_factor;
mod sessions;
mod sign_in;
mod templates;
mod users;
mod webhooks;
