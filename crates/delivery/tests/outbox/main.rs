//! The outbox at work, on a real server's data.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at anything unexpected"
)]

mod account_emails;
mod clock;
mod crashes;
mod dead_letters;
mod faults;
mod hostile;
mod mailbox;
mod order;
mod receipts;

use delivery::SmtpSettings;
use domain::event::ChainedEvent;
use serde_json::Value;
use store::{MessageRow, Undelivered};
use testkit::smtp::SmtpServer;
use testkit::{Builder, Company, FolioFields, TestApp, folio, signers, until};

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

/// The first messages that wait, or that were given up.
async fn undelivered(app: &TestApp, given_up: bool) -> Vec<Undelivered> {
    let listed = app
        .app()
        .store
        .read(move |tx| tx.undelivered(given_up, MessageRow::ZERO, 10));
    listed.await.unwrap()
}

/// Waits until the first message has failed and is postponed.
async fn until_postponed(app: &TestApp) {
    until("a message to be postponed", async || {
        let waiting = undelivered(app, false).await;
        waiting.first()?.last_error.is_some().then_some(())
    })
    .await;
}

/// What happened to a folio's messages, in order.
async fn deliveries(company: &Company<'_>, id: &str) -> Vec<Value> {
    let history = company.history(id).await;
    let events = history.iter().map(ChainedEvent::full_body);
    events
        .filter(|event| event["what"] == "delivered" || event["what"] == "undelivered")
        .collect()
}
