//! A clock that jumps holds nothing back.

use crate::{by, single, undelivered, until_postponed};
use std::time::Duration;
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
