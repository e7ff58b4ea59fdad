//! What operators and their tools ask: whether the service works, and its metrics.

pub(crate) mod health;
pub(crate) mod metrics;
pub(crate) mod write_probe;
