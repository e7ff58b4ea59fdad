//! Sends email and text messages from the outbox, account emails to panel users, and webhook events; asks
//! another authority for timestamps, and identity providers who is signing in.
//!
//! A message leaves at least once, in order per recipient, from any instance. Its outcome is recorded in
//! the folio's history. This crate has no rules about folios; it only decides when to retry.

pub mod account_emails;
mod backoff;
mod call_span;
mod failure;
mod identity_providers;
mod lease_worker;
pub mod outbox;
pub mod reports;
mod safe_text;
pub mod samples;
#[cfg(feature = "simulation")]
pub mod simulated;
pub mod sms;
pub mod smtp;
mod texts;
mod timestamps;
mod tls;
mod transports;
pub mod webhooks;

pub use app::messages::MessageId;
pub use failure::{Failure, Reason};
pub use identity_providers::ProviderClient;
pub use outbox::settings::OutboxSettings;
pub use outbox::worker::OutboxWorker;
pub use sms::{Format, Gateway, SmsSettings};
pub use smtp::{Smtp, SmtpSettings};
pub use timestamps::{BadIdentity, ClientIdentity, TimestampClient, TimestampError};
pub use tls::https_connector;
pub use transports::{EmailTransport, SmsTransport, Transports};
pub use webhooks::{WebhookWorker, WebhookWorkerSettings};

/// An email address, perhaps with a name.
pub use lettre::message::Mailbox as Sender;
