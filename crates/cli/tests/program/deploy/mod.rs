//! The examples in `deploy/` and the `Containerfile`.

mod container;
mod names;
mod proxies;
mod schemas;
mod unit;
