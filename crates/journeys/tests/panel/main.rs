//! The panel as a company's people live it, in a browser.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

mod company;
mod company_sign_in;
mod drafts;
mod folios;
mod getting_in;
mod keys;
mod lists;
mod people;
mod sign_in;
mod templates;
mod webhooks;
