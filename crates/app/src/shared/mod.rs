//! What several acts need: access, idempotency, admission, secrets, clock, errors.

pub mod access;
pub mod admission;
pub mod api_key;
pub mod authenticate;
pub(crate) mod blocking;
pub mod clock;
pub mod delivery_counts;
pub mod error;
pub mod history_key;
pub mod idempotency;
pub mod networks;
pub mod reminder_counts;
pub mod secrets;
pub(crate) mod signing_state_key;
#[cfg(feature = "simulation")]
pub mod simulated;
pub mod sweep_counts;
