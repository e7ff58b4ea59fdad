//! Instances that come and go: what one leaves behind, another takes over; together they send nothing twice.

use crate::{by, deliveries, single, undelivered};
use std::collections::HashMap;
use std::time::Duration;
use testkit::smtp::{SmtpFault, SmtpServer, SmtpStage};
use testkit::{folio, until};

#[tokio::test]
async fn what_a_killed_instance_had_taken_is_taken_over_when_its_heartbeat_ends() {
    let server = SmtpServer::start().await;
    server.always_to("@", SmtpStage::Rcpt, SmtpFault::Hangs);
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    until("both messages taken", async || {
        (app.leases_held().await == 2).then_some(())
    })
    .await;
    let survivor = app.another_instance().await;
    let there = acme.at(&survivor);
    app.kill();
    server.mend();
    survivor.end_other_heartbeats().await;
    until("both messages", async || {
        (server.received().len() == 2).then_some(())
    })
    .await;
    until("both outcomes", async || {
        Some(deliveries(&there, &id).await)
            .filter(|events| events.iter().filter(|event| event["what"] == "delivered").count() >= 2)
    })
    .await;
}

#[tokio::test]
async fn a_crash_after_handing_over_brings_one_duplicate_at_the_most() {
    let server = SmtpServer::start().await;
    for _ in 0..8 {
        // Taken, but the answer never comes: the instance dies without knowing.
        server.once(SmtpStage::End, SmtpFault::Hangs);
    }
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    for number in 0..8 {
        let signer = testkit::signer(&format!("20{number:02}"));
        acme.created(folio().with("signers", serde_json::json!([signer]).to_string()))
            .await;
    }
    until("all taken", async || (server.received().len() == 8).then_some(())).await;
    let survivor = app.another_instance().await;
    app.kill();
    survivor.end_other_heartbeats().await;
    until("all again", async || {
        (server.received().len() == 16).then_some(())
    })
    .await;
    until("nothing left", async || {
        let age = survivor.app().store.read(|tx| tx.outbox_age()).await.unwrap();
        (age.waiting == 0).then_some(())
    })
    .await;
    let mut seen: HashMap<String, usize> = HashMap::new();
    for one in server.received() {
        *seen.entry(one.header("message-id").unwrap()).or_default() += 1;
    }
    assert_eq!(seen.len(), 8);
    assert!(seen.values().all(|times| *times == 2), "{seen:?}");
}

#[tokio::test]
async fn three_instances_send_every_message_once() {
    let server = SmtpServer::start().await;
    let app = by(&server).start().await;
    let others = [app.another_instance().await, app.another_instance().await];
    let acme = app.company("Acme").await;
    for number in 0..30 {
        let at = [&app, &others[0], &others[1]][number % 3];
        let signers: Vec<_> = (0..4)
            .map(|n| testkit::signer(&format!("{}", 3000 + number % 5 * 10 + n)))
            .collect();
        acme.at(at)
            .created(folio().with("signers", serde_json::json!(signers).to_string()))
            .await;
    }
    until("all messages", async || {
        (server.received().len() >= 120).then_some(())
    })
    .await;
    until("nothing left", async || {
        let age = app.app().store.read(|tx| tx.outbox_age()).await.unwrap();
        (age.waiting == 0).then_some(())
    })
    .await;
    let mut last: HashMap<String, i64> = HashMap::new();
    let received = server.received();
    assert_eq!(received.len(), 120);
    for one in received {
        let name = one.header("message-id").unwrap();
        let seq: i64 = name
            .trim_start_matches('<')
            .split('.')
            .next()
            .unwrap()
            .parse()
            .unwrap();
        let before = last.insert(one.to.clone(), seq).unwrap_or(0);
        assert!(before < seq, "{} received {before} before {seq}", one.to);
    }
}

#[tokio::test]
async fn an_orderly_stop_gives_back_what_it_did_not_send() {
    let server = SmtpServer::start().await;
    server.once(SmtpStage::Rcpt, SmtpFault::IsSlow(Duration::from_millis(200)));
    let app = by(&server).start().await;
    let other = app.another_instance_that_sends_nothing().await;
    let acme = app.company("Acme").await;
    for _ in 0..5 {
        acme.created(single()).await;
    }
    drop(acme);
    drop(app);
    let waiting = undelivered(&other, false).await;
    let leased = other.leases_held().await;
    assert_eq!(leased, 0, "{waiting:?}");
    assert_eq!(waiting.len() + server.received().len(), 5, "{waiting:?}");
}
