//! Which webhook events are retried, how often, and what ends the retries.

use crate::{ended, log, plan_webhook, started, tried, verified, webhook};
use std::time::Duration;
use store::DeliveryState;
use testkit::{Reply, folio, until};

/// The pauses of the published schedule, in seconds.
const PAUSES: [u64; 9] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

#[tokio::test]
async fn a_failing_receiver_is_tried_ten_times_over_three_days() {
    let (app, receiver) = started().await;
    let company = app.company("Acme").await;
    let folio = company.created(folio()).await;
    let (id, secret) = webhook(&company, &app, &receiver.url()).await;
    receiver.will([Reply::Status(500); 10]);
    plan_webhook(&app, company.id, &folio).await;
    for (made, pause) in PAUSES.iter().enumerate() {
        let (delivery, attempts) = tried(&app, company.id, id, made + 1).await;
        assert_eq!(delivery.state, DeliveryState::Waiting);
        let until_next = delivery.due_at.since(attempts[made].at).as_secs();
        assert!(
            (*pause..=pause + pause / 10).contains(&until_next),
            "{until_next} after {made}"
        );
        app.advance(Duration::from_secs(pause + pause / 10 + 1));
    }
    let (delivery, attempts) = tried(&app, company.id, id, 10).await;
    assert_eq!(delivery.state, DeliveryState::Dead);
    assert!(attempts.iter().all(|attempt| attempt.status == Some(500)));
    let messages = receiver.received();
    assert_eq!(messages.len(), 10);
    assert!(
        messages.iter().all(|one| one.body == messages[0].body),
        "always the same"
    );
    let name = messages[0].header("webhook-id");
    assert!(messages.iter().all(|one| one.header("webhook-id") == name));
    let (row, _) = log(app.app(), company.id, id).await;
    assert!(
        row.failing_since.is_some() && row.disabled_at.is_none(),
        "{row:?}"
    );

    // A user resends it; it arrives, and the address no longer counts as failing.
    app.app().resend_webhook(company.id, delivery.id).await.unwrap();
    let message = receiver.until(11).await.remove(10);
    verified(&message, &secret, app.app().clock.now());
    let (delivery, _) = tried(&app, company.id, id, 11).await;
    assert_eq!(delivery.state, DeliveryState::Sent);
    assert_eq!(log(app.app(), company.id, id).await.0.failing_since, None);
}

#[tokio::test]
async fn an_address_that_fails_for_days_is_disabled_with_a_note() {
    let (app, receiver) = started().await;
    let company = app.company("Acme").await;
    let (id, _) = webhook(&company, &app, &receiver.url()).await;
    receiver.will([Reply::Status(503); 100]);
    app.app().try_webhook(company.id, id).await.unwrap();
    tried(&app, company.id, id, 1).await;
    // The second one ends more than five days after the first failure.
    app.advance(Duration::from_hours(50));
    app.app().try_webhook(company.id, id).await.unwrap();
    let (row, _) = until("the address to be disabled", async || {
        // The clock stands still while one is on its way.
        if app.webhook_leases().await == 0 {
            app.advance(Duration::from_hours(27));
        }
        app.app().wakeups.webhooks.notify();
        let found = log(app.app(), company.id, id).await;
        found.0.disabled_at.is_some().then_some(found)
    })
    .await;
    assert_eq!(row.note.as_deref(), Some("failing"));
}

#[tokio::test]
async fn redirects_are_not_followed_and_endless_answers_end() {
    let (app, receiver) = started().await;
    let company = app.company("Acme").await;
    let (id, _) = webhook(&company, &app, &receiver.url()).await;
    receiver.will([Reply::Redirect, Reply::Endless]);
    app.app().try_webhook(company.id, id).await.unwrap();
    let (delivery, attempts) = tried(&app, company.id, id, 1).await;
    assert!(!ended(&delivery));
    assert_eq!(attempts[0].status, Some(302));
    assert_eq!(attempts[0].error.as_deref(), Some("redirects are not followed"));
    app.advance(Duration::from_secs(6));
    let (delivery, attempts) = tried(&app, company.id, id, 2).await;
    assert_eq!(
        (delivery.state, attempts[1].status),
        (DeliveryState::Sent, Some(200))
    );
    assert_eq!(receiver.received().len(), 2);
}

#[tokio::test]
async fn webhooks_leased_by_a_dead_instance_are_sent_by_another() {
    let (app, receiver) = started().await;
    let company = app.company("Acme").await;
    let (id, _) = webhook(&company, &app, &receiver.url()).await;
    let now = app.app().clock.now();
    // An instance that took it and died.
    app.app()
        .set_webhook_enabled(company.id, id, false)
        .await
        .unwrap();
    app.app().set_webhook_enabled(company.id, id, true).await.unwrap();
    let company_id = company.id;
    let dead = domain::InstanceId::from_bytes([7; 16]);
    let taken = app.app().store.write(move |tx| {
        tx.queue_test_delivery(company_id, id, domain::DeliveryId::from_bytes([9; 16]), now)?;
        let clock = tx.database_clock()?;
        tx.beat(dead, clock.after(store::HEARTBEAT_LIFETIME))?;
        let lease = store::Lease::new(dead, clock, store::MAX_LEASE);
        tx.take_webhooks(now, &lease, 1, 1, &[])
    });
    assert_eq!(taken.await.unwrap().len(), 1);
    app.app().wakeups.webhooks.notify();
    assert!(receiver.received().is_empty());
    app.end_other_heartbeats().await;
    assert_eq!(receiver.until(1).await.len(), 1);
    let (_, attempts) = tried(&app, company.id, id, 1).await;
    assert_eq!(attempts[0].number, 2, "the first one ended with its instance");
}

/// Longer than what is read of a response.
static LONG: [u8; 100_000] = [b'x'; 100_000];

#[tokio::test]
async fn the_beginning_of_each_response_is_stored() {
    let (app, receiver) = started().await;
    let company = app.company("Acme").await;
    let (id, _) = webhook(&company, &app, &receiver.url()).await;
    receiver.will([
        Reply::Body(400, b"no such folio"),
        Reply::Body(500, &LONG),
        Reply::Endless,
    ]);
    app.app().try_webhook(company.id, id).await.unwrap();
    tried(&app, company.id, id, 1).await;
    app.advance(Duration::from_secs(6));
    tried(&app, company.id, id, 2).await;
    app.advance(Duration::from_mins(6));
    let (delivery, attempts) = tried(&app, company.id, id, 3).await;
    assert_eq!(delivery.state, DeliveryState::Sent);
    let stored: Vec<_> = attempts.into_iter().map(|one| one.response.unwrap()).collect();
    assert_eq!(
        stored,
        ["no such folio".to_owned(), "x".repeat(1024), " ".repeat(1024)]
    );

    app.app().try_webhook(company.id, id).await.unwrap();
    let (delivery, attempts) = tried(&app, company.id, id, 1).await;
    assert_eq!(
        (delivery.state, &attempts[0].response),
        (DeliveryState::Sent, &None)
    );
}
