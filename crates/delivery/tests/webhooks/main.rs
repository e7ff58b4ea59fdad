//! Webhooks at work, on a real server's data, against a real receiver.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at anything unexpected"
)]

mod events;
mod inside;
mod retries;

use app::App;
use domain::{CompanyId, Timestamp, WantedKinds, WebhookId, WebhookKind};
use store::{AttemptRow, DeliveryState, WebhookDelivery, WebhookEvent, WebhookRow};
use testkit::{Company, Receiver, TestApp, until};

/// A webhook to that address, and the key that signs its events.
async fn webhook(company: &Company<'_>, app: &TestApp, address: &str) -> (WebhookId, Vec<u8>) {
    let address = app.app().policy.webhooks.address(address).unwrap();
    let added = app
        .app()
        .add_webhook(company.id, address, "pruebas".to_owned(), WantedKinds::All);
    let (id, secret) = added.await.unwrap().unwrap();
    (id, key(secret.reveal()))
}

/// The bytes of a secret, as a receiver decodes it.
fn key(secret: &str) -> Vec<u8> {
    let text = secret.strip_prefix("whsec_").unwrap();
    data_encoding::BASE64.decode(text.as_bytes()).unwrap()
}

/// Plans the webhook event that a folio was created; returns for how many addresses.
async fn plan_webhook(app: &TestApp, company: CompanyId, folio: &str) -> usize {
    let (id, now) = (folio.parse().unwrap(), app.app().clock.now());
    let planned = app.app().store.write(move |tx| {
        let folio = tx.folios(company, &[id])?[0].seq;
        let created = WebhookEvent {
            company,
            folio,
            kind: WebhookKind::Created,
            event: 1,
            at: now,
        };
        tx.plan_webhooks(&[created], now, &mut app::SystemRandom)
    });
    let planned: Result<usize, store::Error> = planned.await;
    app.app().wakeups.webhooks.notify();
    planned.unwrap()
}

/// A webhook and its deliveries, each with its attempts.
async fn log(
    app: &App,
    company: CompanyId,
    id: WebhookId,
) -> (WebhookRow, Vec<(WebhookDelivery, Vec<AttemptRow>)>) {
    let (webhook, mut log) = app.webhook_log(company, id, None, 100, 100).await.unwrap();
    let with_attempts = log.deliveries.into_iter().map(|delivery| {
        let attempts = log.attempts.remove(&delivery.seq).unwrap_or_default();
        (delivery, attempts)
    });
    (webhook, with_attempts.collect())
}

/// Waits until the last message has been tried that often.
async fn tried(
    app: &TestApp,
    company: CompanyId,
    id: WebhookId,
    times: usize,
) -> (WebhookDelivery, Vec<AttemptRow>) {
    until("an attempt to be written down", async || {
        let (_, log) = log(app.app(), company, id).await;
        log.into_iter()
            .next()
            .filter(|(_, attempts)| attempts.len() >= times)
    })
    .await
}

/// Verifies a message as the published scheme has it, and gives it as JSON.
fn verified(received: &testkit::ReceivedRequest, key: &[u8], now: Timestamp) -> serde_json::Value {
    use aws_lc_rs::hmac;
    let (id, seconds) = (
        received.header("webhook-id"),
        received.header("webhook-timestamp"),
    );
    assert_eq!(seconds.parse(), Ok(now.as_micros() / 1_000_000));
    let mut text = format!("{id}.{seconds}.").into_bytes();
    text.extend_from_slice(&received.body);
    let key = hmac::Key::new(hmac::HMAC_SHA256, key);
    let signatures = received.header("webhook-signature").split(' ');
    let valid = signatures.filter_map(|one| one.strip_prefix("v1,")).any(|one| {
        let signature = data_encoding::BASE64.decode(one.as_bytes()).unwrap();
        hmac::verify(&key, &text, &signature).is_ok()
    });
    assert!(valid, "{received:?}");
    assert_eq!(received.header("content-type"), "application/json");
    received.json()
}

async fn started() -> (TestApp, Receiver) {
    (
        TestApp::builder().with_webhooks().start().await,
        Receiver::start().await,
    )
}

fn ended(delivery: &WebhookDelivery) -> bool {
    delivery.state != DeliveryState::Waiting
}
