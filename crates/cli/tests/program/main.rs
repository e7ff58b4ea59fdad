//! The program as it is run: its commands, its settings, its faults and its crashes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at anything unexpected"
)]

mod clients;
mod commands;
mod crash;
mod database;
mod deploy;
mod faults;
mod monitoring;
mod support;
