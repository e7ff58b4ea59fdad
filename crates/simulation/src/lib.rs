//! Deterministic simulation: the real acts and workers of several instances, on one thread, with simulated time,
//! network and storage. Faults come from a seed; a seed that fails is run again, and fails again.
//!
//! The database is `SQLite` in memory, but behaves as a server: instances reach it over a network that loses requests and
//! answers. Transactions run one after the other; what isolation levels do is tested on a real server.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a simulation may stop at anything unexpected"
)]
#![allow(clippy::large_futures, reason = "a simulation has few of them")]

mod chance;
mod client;
mod cluster;
mod database;
mod faults;
mod instance;
mod invariants;
mod run;
mod site;
mod takeover;
mod timestamps;
mod world;

pub use run::{Run, run};
pub use takeover::{LeasedQueue, takeover};
