//! A company's webhooks: addresses, secrets, delivery log and test events.

mod address;
mod endpoints;
mod events;

pub use address::{BadAddress, WebhookPolicy, is_public};
pub(crate) use endpoints::PURPOSE;
pub use endpoints::{DeliveryLog, MAX_REPLAYED, MAX_WEBHOOKS, WebhookManager, WebhookSecret};
pub(crate) use events::webhook_events;
