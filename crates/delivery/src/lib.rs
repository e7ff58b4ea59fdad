//! What leaves the house: email and text messages, out of the outbox that acts write into; letters to people of the
//! panel; and what webhooks are told.
//!
//! A message leaves at least once, in order per recipient, by whichever instance takes it; its outcome stands in
//! the folio's history. Knows no rule about folios, and decides nothing but when to try again.

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
