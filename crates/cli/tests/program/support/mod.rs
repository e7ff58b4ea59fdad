//! What the tests of the program share.

mod client;
mod database;
mod http;
mod installation;
mod integrity;
mod mail_server;
mod order;
mod pdf;
mod random;
mod relay;
mod time_stamping;

pub(crate) use client::*;
pub(crate) use database::*;
pub(crate) use http::{Connection, HttpResponse, Request};
pub(crate) use installation::*;
pub(crate) use integrity::{Checked, check_integrity};
pub(crate) use mail_server::{MailServer, Recipients};
pub(crate) use order::{Form, Order};
pub(crate) use pdf::pdf;
pub(crate) use random::TestRandom;
pub(crate) use relay::Relay;
pub(crate) use time_stamping::{stamped_by_another, time_stamping};

use std::time::{Duration, Instant};

/// How long anything may take that takes a moment: a busy machine may halt any process for a while.
pub(crate) const STALL_TIMEOUT: Duration = Duration::from_mins(2);

/// Waits for a condition that must come about.
pub(crate) fn wait_for(what: &str, mut condition: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(
            begun.elapsed() < STALL_TIMEOUT,
            "waited {STALL_TIMEOUT:?} for {what}"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Runs a future to its end.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(future)
}
