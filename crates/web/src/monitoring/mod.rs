//! What operators and their tools ask: whether the service works, and its metrics.

pub(crate) mod disks;
pub(crate) mod health;
pub(crate) mod installation;
pub(crate) mod metrics;
pub(crate) mod single_flight;
pub(crate) mod storage_probe;
pub(crate) mod write_probe;
