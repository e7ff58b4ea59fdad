//! The panel below the browser: who gets in, who may do what, and what every answer carries.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

mod forms;
mod matrix;
mod sessions;
mod sign_in;
mod webhooks;
