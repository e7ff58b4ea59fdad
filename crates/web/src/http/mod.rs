//! HTTP without pages: connections, bodies, forms, conditional requests, rate limits, and who the client is.

pub(crate) mod accept;
pub(crate) mod body;
pub mod client_address;
pub(crate) mod conditional;
pub(crate) mod form;
pub(crate) mod multipart;
pub(crate) mod rate_limit;
pub(crate) mod request_id;
pub mod server;
pub(crate) mod trace_context;
pub(crate) mod unlisted_proxy;
