//! Delivery: messages to signers, emails to panel users, and webhooks.

pub(crate) mod account_emails;
pub(crate) mod dead_letters;
pub(crate) mod mailbox;
pub(crate) mod outbox;
pub(crate) mod outbox_leases;
pub(crate) mod reminders;
pub(crate) mod resends;
pub(crate) mod returns;
pub(crate) mod signed_folios;
pub(crate) mod webhook_endpoints;
pub(crate) mod webhook_leases;
pub(crate) mod webhook_outcomes;
