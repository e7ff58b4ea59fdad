//! The examples in `deploy/` and the `Containerfile`.

mod names;
mod proxies;
mod schemas;
