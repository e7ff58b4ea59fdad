//! The test application: a real server on throwaway data, clients that speak in sentences, and fixtures.
//!
//! `FIRMEZA_TEST_STACK` chooses its database and storage: `embedded` (a file and a directory, the default) or
//! `distributed` (a database on a server and an S3 prefix of its own). A test application that is dropped stops
//! in good order, and fails its test where work was left undone.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at anything unexpected"
)]

mod app;
mod authenticator;
mod backup;
mod codes;
mod company;
mod deadlocks;
mod fixtures;
mod form;
mod invariants;
mod mailbox;
mod operations;
mod outage;
mod panel_browser;
pub mod pdf;
mod query_plans;
mod raw_connection;
mod raw_rows;
mod receiver;
mod redact;
mod response;
mod row_counts;
mod server;
mod signer_secrets;
mod signing;
pub mod smtp;
mod stack;
mod states;
mod stored_data;
mod table_sizes;
mod transport_settings;
mod validators;
mod wait;

pub use app::{Builder, EMAIL_REPORTS_TOKEN, MAILBOX_TOKEN, START, TestApp};
pub use authenticator::Authenticator;
pub use company::Company;
pub use fixtures::{FolioFields, correction, folio, signer, signers};
pub use form::Form;
pub use outage::Part;
pub use panel_browser::{PASSWORD, PanelBrowser, encoded};
pub use raw_connection::RawConnection;
pub use receiver::{ReceivedRequest, Receiver, Reply};
pub use redact::redacted;
pub use response::TestResponse;
pub use row_counts::RowCounts;
pub use signer_secrets::NamedSecret;
pub use signing::{SIGNER_ADDRESS, attempt, typed};
pub use stack::master_key;
pub use states::{FolioAct, SIGNED_FROM};
pub use stored_data::Cell;
pub use validators::{Validation, validate, validate_all, validate_archived, validate_long_term};
pub use wait::{PROMPT, until};
