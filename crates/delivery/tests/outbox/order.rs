//! Messages to one recipient leave in their order, also when the first of them has to wait.

use crate::{FIRST, by, single, undelivered, until_postponed};
use domain::{Channel, FolioId, SentCode, SignerIndex};
use std::time::Duration;
use store::{CodeMessage, CodeRow};
use testkit::smtp::{SmtpFault, SmtpServer, SmtpStage};
use testkit::{Company, TestApp, until};

fn subjects(server: &SmtpServer) -> Vec<String> {
    server
        .received()
        .iter()
        .filter_map(|one| one.header("subject"))
        .collect()
}

#[tokio::test]
async fn messages_behind_a_postponed_one_wait_too() {
    let server = SmtpServer::start().await;
    server.always_to("1001", SmtpStage::Rcpt, SmtpFault::Says("450 later"));
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    for number in 0..5 {
        acme.created(single().with("folioName", format!("Folio {number}")))
            .await;
    }
    until_postponed(&app).await;
    let tried = |waiting: &[store::Undelivered]| waiting.iter().filter(|one| one.attempts > 0).count();
    let waiting = undelivered(&app, false).await;
    assert_eq!((waiting.len(), tried(&waiting)), (5, 1), "{waiting:?}");
    server.mend();
    until("all five", async || {
        // The clock stands still while one is on its way.
        if app.leases_held().await == 0 {
            app.advance(Duration::from_secs(2));
        }
        (server.received().len() == 5).then_some(())
    })
    .await;
    let ends: Vec<String> = subjects(&server)
        .iter()
        .map(|subject| subject.chars().last().unwrap().to_string())
        .collect();
    assert_eq!(ends.concat(), "01234");
}

/// Queues a code as the act does.
async fn code(app: &TestApp, company: &Company<'_>, folio: &str, digits: &str) {
    let (company, id): (_, FolioId) = (company.id, folio.parse().unwrap());
    let secret = app.app().outbox_secrets.seal("code", digits.as_bytes());
    let at = app.app().clock.now();
    let queued = app.app().store.write(move |tx| {
        let folio = tx.lock_folios(company, &[id])?.pop().unwrap();
        let session = domain::SignerSessionId::from_bytes([5; 16]);
        let row = CodeRow {
            channel: Channel::Email,
            id: domain::CodeId::from_bytes([6; 16]),
            digest: [0; 32],
            sent: SentCode {
                sent_at: at,
                expires_at: at.after(std::time::Duration::from_mins(10)),
                tries: 0,
            },
        };
        tx.put_code(session, b"signer", &row, 3)?;
        tx.queue_code(&CodeMessage {
            company,
            folio: folio.seq,
            signer: SignerIndex(0),
            others: &[],
            bulk: None,
            session,
            channel: Channel::Email,
            recipient: FIRST,
            code: domain::CodeId::from_bytes([6; 16]),
            secret: &secret,
            at,
        })
    });
    queued.await.unwrap();
    app.app().wakeups.outbox.notify();
}

#[tokio::test]
async fn a_code_overtakes_a_postponed_message_and_its_secret_is_wiped() {
    let server = SmtpServer::start().await;
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    server.once(SmtpStage::Rcpt, SmtpFault::Says("450 later"));
    let id = acme.created(single()).await;
    until_postponed(&app).await;
    code(&app, &acme, &id, "271828").await;
    until("the code", async || (server.received().len() == 1).then_some(())).await;
    assert!(server.received()[0].data.contains("271828"));
    let events = until("the code in the history", async || {
        let mut events = acme.events(&id).await;
        events.retain(|event| event["template"] == "code");
        (!events.is_empty()).then_some(events)
    });
    let events = events.await;
    assert_eq!(events[0]["what"], "delivered");
    assert_eq!(events[0]["code"], "06".repeat(16), "which code it carried");
    assert_eq!(events[0]["reply"], "250 2.0.0 taken");
    until("no secret left", async || {
        (app.secrets_kept().await == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_code_does_not_wait_for_what_a_killed_instance_had_taken() {
    let server = SmtpServer::start().await;
    server.once(SmtpStage::Rcpt, SmtpFault::Hangs);
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(single()).await;
    until("the invitation taken", async || {
        (app.leases_held().await == 1).then_some(())
    })
    .await;
    let survivor = app.another_instance().await;
    let acme = acme.at(&survivor);
    app.kill();
    // The heartbeat of the killed instance has not ended yet.
    code(&survivor, &acme, &id, "314159").await;
    until("the code", async || (!server.received().is_empty()).then_some(())).await;
    assert!(server.received()[0].data.contains("314159"));
}

#[tokio::test]
async fn a_code_that_expired_or_was_replaced_is_not_sent() {
    let mut server = SmtpServer::start().await;
    server.stop().await;
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(single().with("sendEmail", "false")).await;
    code(&app, &acme, &id, "111111").await;
    until_postponed(&app).await;
    app.advance(Duration::from_mins(2));
    until("the older one tried again", async || {
        let waiting = undelivered(&app, false).await;
        (waiting.first()?.due_at > app.app().clock.now()).then_some(())
    })
    .await;
    code(&app, &acme, &id, "222222").await;
    // Long enough for it to be tried again, and not for it to be worthless.
    app.advance(Duration::from_secs(200));
    until(
        "the older one superseded, the newer one tried again",
        async || {
            let waiting = undelivered(&app, false).await;
            (waiting.len() == 1 && waiting[0].due_at > app.app().clock.now()).then_some(())
        },
    )
    .await;
    assert!(undelivered(&app, true).await.is_empty(), "it is no dead letter");
    app.advance(Duration::from_mins(10));
    let dead = until("the newer one given up", async || {
        undelivered(&app, true).await.into_iter().next()
    });
    assert_eq!(
        dead.await.last_error.as_deref(),
        Some("the code expired before it could be sent")
    );
    assert_eq!(app.secrets_kept().await, 0);
    assert!(server.received().is_empty());
}
