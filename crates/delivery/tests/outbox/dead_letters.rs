//! Messages that were given up are listed, and retried by hand.

use crate::{by, deliveries, single, undelivered};
use std::time::Duration;
use store::MessageRow;
use testkit::smtp::{SmtpFault, SmtpServer, SmtpStage};
use testkit::until;

#[tokio::test]
async fn a_given_up_message_can_be_tried_again() {
    let server = SmtpServer::start().await;
    server.always_to("1001", SmtpStage::Rcpt, SmtpFault::Says("550 5.1.1 nobody here"));
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(single()).await;
    let store = &app.app().store;
    let dead = until("a message given up", async || {
        undelivered(&app, true).await.into_iter().next()
    });
    let dead = dead.await;
    assert!(dead.last_error.unwrap().contains("nobody here"));
    assert_eq!(
        (dead.company.as_str(), dead.folio.to_string()),
        ("Acme", id.clone())
    );

    server.mend();
    app.advance(Duration::from_hours(100));
    let now = app.app().clock.now();
    let seq = dead.seq;
    assert_eq!(
        store
            .write(move |tx| tx.retry_messages(now, Some(&[seq, MessageRow(999)])))
            .await
            .unwrap(),
        1
    );
    until("the message", async || {
        (server.received().len() == 1).then_some(())
    })
    .await;
    let events = until("its outcome", async || {
        Some(deliveries(&acme, &id).await).filter(|events| events.len() == 2)
    });
    assert_eq!(events.await[1]["attempt"], 2);
    assert_eq!(
        store.write(move |tx| tx.retry_messages(now, None)).await.unwrap(),
        0
    );
}

#[tokio::test]
async fn a_message_is_given_up_after_two_days() {
    let server = SmtpServer::start().await;
    server.always_to("1001", SmtpStage::Rcpt, SmtpFault::Says("450 later"));
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(single()).await;
    let mut tries = 0;
    loop {
        let events = until("the next attempt", async || {
            Some(deliveries(&acme, &id).await).filter(|events| events.len() > tries)
        });
        let events = events.await;
        if events[tries]["given_up"] == true {
            break;
        }
        tries += 1;
        app.advance(Duration::from_mins(76));
    }
    assert!((30..60).contains(&tries), "{tries}");
    let dead = undelivered(&app, true).await;
    assert_eq!(dead.len(), 1);
}

#[tokio::test]
async fn attempts_are_counted_by_channel_and_outcome() {
    let server = SmtpServer::start().await;
    server.always_to("1001", SmtpStage::Rcpt, SmtpFault::Says("550 nobody"));
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    acme.created(testkit::folio()).await;
    until("both counted", async || {
        let text = app.monitoring("/metrics").await.text();
        let has = |line: &str| text.lines().any(|found| found == line);
        (has(r#"firmeza_deliveries_total{channel="email",outcome="sent"} 1"#)
            && has(r#"firmeza_deliveries_total{channel="email",outcome="given_up"} 1"#)
            && has("firmeza_outbox_given_up 1"))
        .then_some(())
    })
    .await;
}
