//! The test application: a real server on throwaway data, clients that speak in sentences, and fixtures.
//!
//! `FIRMEZA_TEST_STACK` chooses what stands behind it: `embedded` (a file and a directory, the default) or
//! `distributed` (a database on a server and an S3 prefix of its own). A test application that is dropped stops
//! in good order, and fails its test where work was left undone.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at anything unexpected"
)]

mod answer;
mod app;
mod census;
mod codes;
mod company;
mod fixtures;
mod form;
mod judges;
mod leftovers;
mod mailbox;
mod operations;
mod outage;
pub mod pdf;
mod person;
mod phone;
mod plans;
mod raw;
mod receiver;
mod redact;
mod server;
mod signing;
pub mod smtp;
mod stack;
mod states;
mod wait;
mod ways;

pub use answer::Answer;
pub use app::{Builder, MAILBOX_TOKEN, START, TestApp};
pub use census::Census;
pub use company::Company;
pub use fixtures::{FolioFields, correction, folio, signer, signers};
pub use form::Form;
pub use judges::{Judgement, judge, judge_all};
pub use outage::Part;
pub use person::{PASSWORD, Person, encoded};
pub use phone::Phone;
pub use raw::Raw;
pub use receiver::{Received, Receiver, Reply};
pub use redact::redacted;
pub use server::master_key;
pub use signing::{SIGNER_ADDRESS, attempt, typed};
pub use states::{FolioAct, SIGNED_FROM};
pub use wait::until;
