//! Signatures in PDFs written by our own generators: made, verified by us and by others, attacked.

#![allow(
    clippy::unwrap_used,
    clippy::format_collect,
    clippy::format_push_string,
    clippy::too_many_lines,
    clippy::type_complexity,
    clippy::semicolon_if_nothing_returned,
    reason = "generators of test files"
)]

mod against_pyhanko;
mod attacks;
mod by_hand;
#[path = "../../../pdf/tests/cases/mod.rs"]
#[allow(dead_code, reason = "shared with other tests, which use all of it")]
mod cases;
mod changes;
#[path = "../../../pki/tests/cms_tools/mod.rs"]
mod cms_tools;
mod encrypted;
mod foreign;
mod locks;
mod long_term;
mod mutations;
mod people;
mod pictures;
mod rendered;
mod repair;
mod revocation;
mod second_signatures;
mod security_store;
mod signing;
mod tools;
mod uploads;
mod verifying;

use cases::build;
