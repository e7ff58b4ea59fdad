//! Sends email and text messages from the outbox, account emails to panel users, and webhook events.
//!
//! A message leaves at least once, in order per recipient, from any instance. Its outcome is recorded in
//! the folio's history. This crate has no rules about folios; it only decides when to retry.

mod backoff;
mod chain;
pub mod compose;
mod failure;
mod letters;
mod message_id;
pub mod panel_letter;
mod post;
pub mod samples;
mod settle;
pub mod sms;
pub mod smtp;
pub mod webhooks;
mod words;
mod worker;

pub use failure::Failure;
pub use message_id::MessageId;
pub use post::{EmailWay, Post, SmsWay};
pub use sms::{Format, Gateway, SmsSettings};
pub use smtp::{Smtp, SmtpSettings};
pub use webhooks::{Courier, CourierSettings};
pub use worker::{Settings, Worker};

/// An email address, perhaps with a name.
pub use lettre::message::Mailbox as Sender;
