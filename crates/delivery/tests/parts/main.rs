//! Messages by a real mail server and a real SMS gateway.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at anything unexpected"
)]

mod mail_server;
mod sms_gateway;
