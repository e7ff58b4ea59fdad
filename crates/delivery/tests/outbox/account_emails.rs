//! Account emails: retried while their links are good, given up afterwards, their secrets wiped.

use crate::by;
use domain::Role;
use std::time::Duration;
use testkit::smtp::{SmtpFault, SmtpServer, SmtpStage};
use testkit::{PanelBrowser, TestApp, until};

const LUISA: &str = "luisa@example.com";

/// Requests a link to choose a password, as a browser without a session does.
async fn ask_for_new_password(app: &TestApp) {
    let person = PanelBrowser::new(app, LUISA);
    let asked = person.post_bare("/panel/forgotten", &[("email", LUISA)]).await;
    assert_eq!(asked.status, 303);
}

#[tokio::test]
async fn an_account_email_is_retried_and_arrives_once() {
    let server = SmtpServer::start().await;
    server.once(SmtpStage::Rcpt, SmtpFault::Says("450 4.2.0 greylisted"));
    let app = by(&server).start().await;
    let company = app.company("Acme").await;
    company.panel_user(LUISA, Role::Reader).await;
    ask_for_new_password(&app).await;
    until("the account email", async || {
        // The clock stands still while it is on its way.
        if app.account_email_leases().await == 0 {
            app.advance(Duration::from_secs(2));
        }
        (server.received().len() == 1).then_some(())
    })
    .await;
    let letter = server.received().remove(0);
    let id = letter.header("Message-ID").unwrap();
    assert!(
        id.starts_with("<p") && id.ends_with("@firmeza.example.com>"),
        "{id}"
    );
    until("nothing secret", async || {
        (app.account_email_secrets().await == 0).then_some(())
    })
    .await;
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn an_expired_link_is_not_sent() {
    let server = SmtpServer::start().await;
    server.always_to(LUISA, SmtpStage::Rcpt, SmtpFault::Says("450 later"));
    let app = by(&server).start().await;
    let company = app.company("Acme").await;
    company.panel_user(LUISA, Role::Reader).await;
    ask_for_new_password(&app).await;
    until("the account email to be given up", async || {
        if app.account_email_leases().await == 0 {
            app.advance(Duration::from_mins(2));
        }
        (app.account_email_secrets().await == 0).then_some(())
    })
    .await;
    server.mend();
    app.advance(Duration::from_hours(2));
    ask_for_new_password(&app).await;
    until("the next account email", async || {
        (server.received().len() == 1).then_some(())
    })
    .await;
}

#[tokio::test]
async fn an_orderly_stop_gives_back_an_email_that_is_under_way() {
    let server = SmtpServer::start().await;
    server.always_to(LUISA, SmtpStage::Rcpt, SmtpFault::Hangs);
    let app = by(&server)
        .worker(|worker| worker.shutdown_timeout = Duration::ZERO)
        .start()
        .await;
    let company = app.company("Acme").await;
    company.panel_user(LUISA, Role::Reader).await;
    ask_for_new_password(&app).await;
    until("the attempt that hangs", async || {
        (server.hanging() == 1).then_some(())
    })
    .await;
    let other = app.another_instance().await;
    // Before the stop: the other instance sends as soon as the email is given back.
    server.mend();
    drop(company);
    drop(app);
    // The clock does not move: a lease that was not given back would not end.
    until("the email", async || (server.received().len() == 1).then_some(())).await;
    until("nothing secret", async || {
        (other.account_email_secrets().await == 0).then_some(())
    })
    .await;
}
