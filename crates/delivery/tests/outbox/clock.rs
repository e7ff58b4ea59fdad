//! A clock that jumps holds nothing back.

use crate::{by, single, undelivered, until_postponed};
use domain::FolioId;
use std::time::Duration;
use store::{FolioQueue, MAX_LEASE, NO_TIMESTAMP_AUTHORITY_PREFIX};
use testkit::smtp::{SmtpFault, SmtpServer, SmtpStage};
use testkit::{TestApp, until};

const HOUR: Duration = Duration::from_hours(1);
const TWO_DAYS: Duration = Duration::from_hours(48);

/// What every instance does a few times a minute.
async fn look_at_clock(app: &TestApp) {
    app.app().check_clock_and_instances().await.unwrap();
}

#[tokio::test]
async fn a_message_that_was_put_off_is_sent_after_the_clock_went_back() {
    for back in [HOUR, TWO_DAYS] {
        let server = SmtpServer::start().await;
        server.once(SmtpStage::Rcpt, SmtpFault::Says("450 later"));
        let app = by(&server).start().await;
        let acme = app.company("Acme").await;
        for _ in 0..2 {
            acme.created(single()).await;
        }
        until_postponed(&app).await;
        app.set_back(back);
        look_at_clock(&app).await;
        until("both messages", async || {
            (server.received().len() == 2).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn a_message_that_was_written_ahead_is_sent_after_the_clock_went_back() {
    for jump in [HOUR, TWO_DAYS] {
        let silent = TestApp::start().await;
        let acme = silent.company("Acme").await;
        silent.advance(jump);
        acme.created(single()).await;
        silent.set_back(jump);
        look_at_clock(&silent).await;
        let due = undelivered(&silent, false).await;
        let now = silent.app().clock.now();
        assert!(due.iter().all(|message| message.due_at <= now), "{due:?}");
    }
}

/// An answer of another hour is refused, and the pauses between the tries grow to six hours.
#[tokio::test]
async fn an_extension_that_got_no_timestamp_is_tried_after_the_clock_went_forward() {
    let app = TestApp::start().await;
    look_at_clock(&app).await;
    let acme = app.company("Acme").await;
    let id: FolioId = acme.created(single()).await.parse().unwrap();
    let (store, company, heartbeat) = (&app.app().store, acme.id, app.app().heartbeat.clone());
    let now = app.app().clock.now();
    let put_off = store.write(move |tx| {
        let folio = tx.folios(company, &[id])?.remove(0).seq;
        tx.plan_extensions(&[folio], now)?;
        let lease = heartbeat.lease(tx, MAX_LEASE)?;
        let leased = tx.lease_extension(now, &lease)?.unwrap();
        let why = format!("{NO_TIMESTAMP_AUTHORITY_PREFIX}: its clock is wrong");
        tx.postpone_folio(FolioQueue::Extensions, &leased, now, now.after(6 * HOUR), &why)
    });
    assert!(put_off.await.unwrap());
    let due = async || {
        let now = app.app().clock.now();
        store.read(move |tx| tx.due_extensions(now)).await.unwrap()
    };
    look_at_clock(&app).await;
    assert_eq!(due().await, 0, "it waits for good reason");
    app.advance(HOUR);
    assert_eq!(due().await, 0);
    look_at_clock(&app).await;
    assert_eq!(due().await, 1);
}
