//! The outbox at work, on a real server's data.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at anything unexpected"
)]

mod account_emails;
mod crashes;
mod dead_letters;
mod faults;
mod hostile;
mod mailbox;
mod order;

use delivery::SmtpSettings;
use domain::event::ChainedEvent;
use serde_json::Value;
use testkit::smtp::SmtpServer;
use testkit::{Builder, Company, FolioFields, TestApp, folio, signers};

/// The first signer of the usual folio.
const FIRST: &str = "maria.1001@example.com";

/// An application whose emails go to that server.
fn by(server: &SmtpServer) -> Builder {
    TestApp::builder().smtp(SmtpSettings::parse(&server.url()).unwrap())
}

/// A folio with one signer.
fn single() -> FolioFields {
    folio().with("signers", signers(1).to_string())
}

/// What happened to a folio's messages, in order.
async fn deliveries(company: &Company<'_>, id: &str) -> Vec<Value> {
    let history = company.history(id).await;
    let events = history.iter().map(ChainedEvent::full_body);
    events
        .filter(|event| event["what"] == "delivered" || event["what"] == "undelivered")
        .collect()
}
