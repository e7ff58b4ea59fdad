//! Whole stories, from a company's create to a sealed document, as people live them in a browser.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

mod bulk;
mod checking;
mod double_submit;
mod embedding;
mod installation;
mod language;
mod picture;
mod reading;
mod refusing;
#[path = "../../../render/tests/render/scan.rs"]
mod scan;
mod signing;
mod speed;
