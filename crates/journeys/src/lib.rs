//! Whole stories in a real browser: the stories are in `tests`, the browser is here.
//!
//! A few requests of the `WebDriver` protocol are all it takes; a crate for it would bring a second HTTP client.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at anything unexpected"
)]

mod axe;
mod browser;
mod device;
mod driver;
mod screenshots;

pub use browser::Browser;
pub use device::Device;
