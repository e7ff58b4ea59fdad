//! The panel as a company's people live it, in a browser.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

mod door;
mod webhooks;
