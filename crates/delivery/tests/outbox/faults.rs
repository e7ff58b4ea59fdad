//! A mail server that refuses, hangs, answers 4xx and 5xx, or hangs up: nothing is lost, nothing is sent without need.

use crate::{FIRST, by, deliveries, single};
use delivery::SmsSettings;
use domain::SignerIndex;
use std::time::Duration;
use testkit::smtp::{SmtpFault, SmtpServer, SmtpStage};
use testkit::{TestApp, until};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Moves the clock on until the mail server has taken that many messages.
async fn in_time(app: &TestApp, server: &SmtpServer, messages: usize) {
    later(app, &format!("{messages} messages"), || {
        server.received().len() >= messages
    })
    .await;
}

/// Moves the clock on until the condition holds.
async fn later(app: &TestApp, what: &str, condition: impl Fn() -> bool) {
    until(what, async || {
        // The clock stands still while a message is on its way.
        if app.leases_held().await == 0 {
            app.advance(Duration::from_secs(2));
        }
        condition().then_some(())
    })
    .await;
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_arrives_once() {
    for (stage, wrong, said) in [
        (
            SmtpStage::Greeting,
            SmtpFault::Says("421 later"),
            "connecting: 421 later",
        ),
        (SmtpStage::Greeting, SmtpFault::HangsUp, "connecting"),
        (
            SmtpStage::Mail,
            SmtpFault::Says("451 later"),
            "MAIL FROM: 451 later",
        ),
        (
            SmtpStage::Mail,
            SmtpFault::Says("550 not you"),
            "MAIL FROM: 550 not you",
        ),
        (
            SmtpStage::Rcpt,
            SmtpFault::Says("450 4.2.0 greylisted"),
            "RCPT TO: 450 4.2.0 greylisted",
        ),
        (SmtpStage::Rcpt, SmtpFault::HangsUp, "RCPT TO"),
        (SmtpStage::Data, SmtpFault::Says("451 later"), "DATA: 451 later"),
        (
            SmtpStage::End,
            SmtpFault::Says("452 full"),
            "the message: 452 full",
        ),
    ] {
        let server = SmtpServer::start().await;
        server.once(stage, wrong);
        let app = by(&server).start().await;
        let acme = app.company("Acme").await;
        let id = acme.created(single()).await;
        in_time(&app, &server, 1).await;
        let events = until("the end of it", async || {
            Some(deliveries(&acme, &id).await).filter(|events| events.len() == 2)
        });
        let events = events.await;
        let case = format!("{stage:?} {wrong:?}: {events:?}");
        assert_eq!(events[0]["what"], "undelivered", "{case}");
        assert_eq!(events[0]["given_up"], false, "{case}");
        assert!(events[0]["reason"].as_str().unwrap().contains(said), "{case}");
        assert_eq!(events[1]["what"], "delivered", "{case}");
        assert_eq!(events[1]["attempt"], 2, "{case}");
        assert_eq!(events[0]["message_id"], events[1]["message_id"], "{case}");
        assert_eq!(server.received().len(), 1, "{case}");
    }
}

#[tokio::test]
async fn a_refusal_of_the_recipient_or_the_message_is_for_good() {
    for (stage, wrong) in [
        (SmtpStage::Rcpt, SmtpFault::Says("550 5.1.1 nobody here")),
        (SmtpStage::Data, SmtpFault::Says("554 no")),
        (SmtpStage::End, SmtpFault::Says("552 too large")),
    ] {
        let server = SmtpServer::start().await;
        server.once(stage, wrong);
        let app = by(&server).start().await;
        let acme = app.company("Acme").await;
        let id = acme.created(single()).await;
        let events = until("the end of it", async || {
            Some(deliveries(&acme, &id).await).filter(|events| !events.is_empty())
        });
        let events = events.await;
        assert_eq!(events[0]["given_up"], true, "{events:?}");
        let age = app.app().store.read(|tx| tx.outbox_age()).await.unwrap();
        assert_eq!((age.waiting, age.given_up), (0, 1), "{stage:?}");
        assert!(server.received().is_empty());
    }
}

/// A gateway that refuses every request, and repeats it.
async fn echo() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/send", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut asked = Vec::<u8>::new();
            while asked.last() != Some(&b'}') {
                assert_ne!(stream.read_buf(&mut asked).await.unwrap(), 0);
            }
            let asked = String::from_utf8_lossy(&asked);
            let (_, said) = asked.split_once("\r\n\r\n").unwrap();
            let answer = format!(
                "HTTP/1.1 400 Bad Request\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{said}",
                said.len()
            );
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    url
}

#[tokio::test]
async fn what_the_other_side_repeats_of_a_message_is_not_kept() {
    let server = SmtpServer::start().await;
    let said = "550 5.1.1 <Maria.1001@Example.com> nobody here";
    server.once(SmtpStage::Rcpt, SmtpFault::Says(said));
    let gateway = SmsSettings {
        url: url::Url::parse(&echo().await).unwrap(),
        format: "json".parse().unwrap(),
        from: None,
        authorization: None,
        accepted: None,
    };
    let app = by(&server).sms(gateway).start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(single().with("signatureType", "2")).await;
    app.send_code(&id, SignerIndex(0)).await;
    let events = until("both outcomes", async || {
        Some(deliveries(&acme, &id).await).filter(|events| events.len() == 2)
    });
    let events = events.await;
    let reason = |channel: &str| {
        let event = events.iter().find(|event| event["channel"] == channel).unwrap();
        event["reason"].as_str().unwrap().to_owned()
    };
    let (email, sms) = (reason("email"), reason("sms"));
    assert!(email.contains("<…> nobody here"), "{email}");
    assert!(sms.starts_with("400 Bad Request: "), "{sms}");
    assert!(sms.contains("… es su codigo"), "{sms}");
    assert!(!sms.contains("3001234567"), "{sms}");
}

#[tokio::test]
async fn an_ambiguous_end_brings_a_duplicate_with_the_same_name() {
    let server = SmtpServer::start().await;
    server.once(SmtpStage::End, SmtpFault::HangsUp);
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(single()).await;
    in_time(&app, &server, 2).await;
    let received = server.received();
    assert_eq!(received.len(), 2);
    assert_eq!(received[0].header("message-id"), received[1].header("message-id"));
    let events = until("the end of it", async || {
        Some(deliveries(&acme, &id).await).filter(|events| events.len() == 2)
    });
    let name = format!("<{}>", events.await[1]["message_id"].as_str().unwrap());
    assert_eq!(received[0].header("message-id"), Some(name));
}

#[tokio::test]
async fn a_server_that_hangs_holds_up_no_other_recipient() {
    let server = SmtpServer::start().await;
    server.always_to("1001", SmtpStage::Rcpt, SmtpFault::Hangs);
    let patience = Duration::from_secs(3);
    let app = by(&server)
        .worker(|worker| worker.attempt = patience)
        .start()
        .await;
    let acme = app.company("Acme").await;
    let id = acme.created(testkit::folio()).await;
    let received = |number: &str| server.received().iter().any(|one| one.to.contains(number));
    // On a busy machine this attempt, too, may take too long; the next one is made later.
    later(&app, "the other's message", || received("1002")).await;
    until("the outcome of the attempt that hung", async || {
        let events = deliveries(&acme, &id).await;
        let hung = events
            .iter()
            .any(|event| event["recipient"] == FIRST && event["reason"] == "no answer in time");
        hung.then_some(())
    })
    .await;
    server.mend();
    later(&app, "the message that hung", || received("1001")).await;
}

#[tokio::test]
async fn a_mail_server_that_hangs_holds_up_no_text_message() {
    let server = SmtpServer::start().await;
    server.always_to("@example.com", SmtpStage::Rcpt, SmtpFault::Hangs);
    let app = by(&server).worker(|worker| {
        // Nothing that hangs gives way before the test ends.
        worker.attempt = Duration::from_mins(10);
        worker.lease = Duration::from_mins(20);
        worker.shutdown_timeout = Duration::from_millis(100);
    });
    let app = app.start().await;
    let acme = app.company("Acme").await;
    for ten in 200..203 {
        let signers: serde_json::Value = (0..10).map(|n| testkit::signer(&format!("{ten}{n}"))).collect();
        acme.created(testkit::folio().signers(&signers)).await;
    }
    until(
        "messages on every connection that is not reserved for codes",
        async || (app.leases_held().await >= 12).then_some(()),
    )
    .await;
    let quiet = single().with("signatureType", "2").with("sendEmail", "false");
    let id = acme.created(quiet).await;
    app.send_code(&id, SignerIndex(0)).await;
    app.mail_to("+573001234567", "codigo").await;
    assert!(server.received().is_empty());
}

#[tokio::test]
async fn a_server_that_is_away_is_found_again() {
    let mut server = SmtpServer::start().await;
    server.stop().await;
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(single()).await;
    until("a failure", async || {
        let events = deliveries(&acme, &id).await;
        events
            .iter()
            .any(|event| event["given_up"] == false)
            .then_some(())
    })
    .await;
    server.start_again().await;
    in_time(&app, &server, 1).await;
    assert_eq!(server.received()[0].to, FIRST);
}

/// Gives the next event of the first folio the number of one that is there: the database refuses it.
const REFUSE_EVENTS: &str = "UPDATE folios SET history_length = history_length - 1 WHERE seq = 1";
const TAKE_EVENTS: &str = "UPDATE folios SET history_length = history_length + 1 WHERE seq = 1";

/// How many messages wait, and how many were given up.
async fn waiting_and_given_up(app: &TestApp) -> (i64, i64) {
    let age = app.app().store.read(|tx| tx.outbox_age()).await.unwrap();
    (age.waiting, age.given_up)
}

#[tokio::test]
async fn an_outcome_that_the_database_refuses_holds_up_no_other_message() {
    let mut server = SmtpServer::start().await;
    server.stop().await;
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    let damaged = acme.created(single()).await;
    let to_another = |number: &str| testkit::folio().signers(&serde_json::json!([testkit::signer(number)]));
    let sound = acme.created(to_another("2002")).await;
    for id in [&damaged, &sound] {
        until("a failure", async || {
            (!deliveries(&acme, id).await.is_empty()).then_some(())
        })
        .await;
    }
    app.tamper(REFUSE_EVENTS).await;
    server.start_again().await;
    in_time(&app, &server, 2).await;
    until("both are settled", async || {
        (waiting_and_given_up(&app).await == (0, 0)).then_some(())
    })
    .await;
    let events = deliveries(&acme, &sound).await;
    assert_eq!(events.last().unwrap()["what"], "delivered", "{events:?}");

    // Nothing is sent again, and the worker goes on.
    app.advance(Duration::from_hours(1));
    acme.created(to_another("2003")).await;
    until("the next message is settled", async || {
        (server.received().len() >= 3 && waiting_and_given_up(&app).await == (0, 0)).then_some(())
    })
    .await;
    assert_eq!(server.received().len(), 3);
    app.tamper(TAKE_EVENTS).await;
}

#[tokio::test]
async fn a_message_whose_failures_the_database_refuses_is_given_up() {
    let mut server = SmtpServer::start().await;
    server.stop().await;
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(single()).await;
    until("a failure", async || {
        (!deliveries(&acme, &id).await.is_empty()).then_some(())
    })
    .await;
    app.tamper(REFUSE_EVENTS).await;
    until("the message is given up", async || {
        if app.leases_held().await == 0 {
            app.advance(Duration::from_secs(2));
        }
        (waiting_and_given_up(&app).await == (0, 1)).then_some(())
    })
    .await;
    assert_eq!(deliveries(&acme, &id).await.len(), 1);
    app.tamper(TAKE_EVENTS).await;
}

#[tokio::test]
async fn a_connection_that_was_kept_and_died_costs_nothing() {
    let mut server = SmtpServer::start().await;
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    acme.created(single()).await;
    until("the first", async || (server.received().len() == 1).then_some(())).await;
    server.stop().await;
    server.start_again().await;
    let id = acme.created(single()).await;
    until("the second", async || {
        (server.received().len() == 2).then_some(())
    })
    .await;
    let events = until("its outcome", async || {
        Some(deliveries(&acme, &id).await).filter(|events| !events.is_empty())
    });
    let events = events.await;
    assert_eq!(events[0]["what"], "delivered");
    let reply = events[0]["reply"].as_str().unwrap();
    assert!(reply.starts_with("250"), "what the server answered: {reply}");
}

#[tokio::test]
async fn slow_servers_get_their_messages_all_the_same() {
    let server = SmtpServer::start().await;
    for stage in [
        SmtpStage::Greeting,
        SmtpStage::Mail,
        SmtpStage::Rcpt,
        SmtpStage::Data,
        SmtpStage::End,
    ] {
        server.once(stage, SmtpFault::IsSlow(Duration::from_millis(30)));
    }
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    acme.created(single()).await;
    until("the message", async || {
        (server.received().len() == 1).then_some(())
    })
    .await;
}

#[tokio::test]
async fn an_address_beyond_ascii_fails_cleanly_where_the_server_cannot_take_it() {
    let server = SmtpServer::start().await;
    let app = by(&server).start().await;
    let acme = app.company("Acme").await;
    let mut signer = testkit::signer("1001");
    signer["email"] = "maría@ejemplo.com".into();
    let id = acme
        .created(testkit::folio().with("signers", serde_json::json!([signer]).to_string()))
        .await;
    let events = until("its outcome", async || {
        Some(deliveries(&acme, &id).await).filter(|events| !events.is_empty())
    });
    let events = events.await;
    assert_eq!(events[0]["given_up"], true, "{events:?}");
    assert!(
        events[0]["reason"].as_str().unwrap().contains("SMTPUTF8"),
        "{events:?}"
    );

    signer["email"] = "maria@compañía.com".into();
    acme.created(testkit::folio().with("signers", serde_json::json!([signer]).to_string()))
        .await;
    until("the message", async || {
        (server.received().len() == 1).then_some(())
    })
    .await;
    assert!(
        server.received()[0].to.starts_with("maria@xn--"),
        "{:?}",
        server.received()
    );
}
