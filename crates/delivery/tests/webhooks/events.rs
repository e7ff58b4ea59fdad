//! Which webhook events receivers get, and how they are signed.

use crate::{key, log, plan_webhook, started, tried, verified, webhook};
use app::Error;
use domain::{FolioState, SignerIndex};
use std::time::Duration;
use store::DeliveryState;
use testkit::{FolioAct, Receiver, Reply, TestApp, folio};

#[tokio::test]
async fn a_webhook_has_the_folio_as_the_api_shows_it() {
    let (app, receiver) = started().await;
    let company = app.company("Acme").await;
    let folio = company.created(folio()).await;
    let (id, secret) = webhook(&company, &app, &receiver.url()).await;
    assert_eq!(plan_webhook(&app, company.id, &folio).await, 1);
    let message = receiver.until(1).await.remove(0);
    let body = verified(&message, &secret, app.app().clock.now());
    assert_eq!(body["type"], "folio.created");
    assert_eq!(body["timestamp"], "2026-03-02T14:30:00Z");
    assert_eq!(body["data"]["event"], 1);
    let read = company.read(&folio).await.json();
    for part in ["folioData", "documents", "signers"] {
        assert_eq!(body["data"][part], read["data"][part], "{part}");
    }
    let (delivery, attempts) = tried(&app, company.id, id, 1).await;
    assert_eq!(
        (delivery.state, attempts[0].status),
        (DeliveryState::Sent, Some(204))
    );
    assert_eq!(message.header("webhook-id"), format!("msg_{}", delivery.id));
}

#[tokio::test]
async fn webhooks_go_to_addresses_of_the_company_only() {
    let (app, receiver) = started().await;
    let (ours, theirs) = (app.company("Acme").await, app.company("Otra").await);
    let folio = ours.created(folio()).await;
    assert_eq!(plan_webhook(&app, ours.id, &folio).await, 0);
    let (id, _) = webhook(&theirs, &app, &receiver.url()).await;
    assert_eq!(plan_webhook(&app, ours.id, &folio).await, 0);
    let inner = app.app();
    let strange = [
        inner.try_webhook(ours.id, id).await,
        inner.remove_webhook(ours.id, id).await,
        inner.set_webhook_enabled(ours.id, id, false).await,
        inner.rotate_webhook_secret(ours.id, id).await.map(drop),
        inner.webhook_log(ours.id, id, None, 10, 10).await.map(drop),
    ];
    for outcome in strange {
        assert!(matches!(outcome, Err(Error::NotFound)), "{outcome:?}");
    }
    assert!(inner.webhooks(ours.id).await.unwrap().is_empty());
    assert_eq!(inner.webhooks(theirs.id).await.unwrap().len(), 1);
    assert!(receiver.received().is_empty());
}

#[tokio::test]
async fn for_a_day_both_secrets_sign() {
    let (app, receiver) = started().await;
    let company = app.company("Acme").await;
    let (id, old) = webhook(&company, &app, &receiver.url()).await;
    let new = app.app().rotate_webhook_secret(company.id, id).await.unwrap();
    let new = key(new.reveal());
    app.app().try_webhook(company.id, id).await.unwrap();
    let message = receiver.until(1).await.remove(0);
    let now = app.app().clock.now();
    assert_eq!(verified(&message, &old, now)["type"], "webhook.test");
    verified(&message, &new, now);
    app.advance(Duration::from_hours(25));
    app.app().try_webhook(company.id, id).await.unwrap();
    let message = receiver.until(2).await.remove(1);
    verified(&message, &new, app.app().clock.now());
    assert!(!message.header("webhook-signature").contains(' '));
}

#[tokio::test]
async fn a_disabled_gone_or_removed_address_is_sent_nothing() {
    let (app, receiver) = started().await;
    let company = app.company("Acme").await;
    let folio = company.created(folio()).await;
    let (id, _) = webhook(&company, &app, &receiver.url()).await;
    let inner = app.app();
    inner.set_webhook_enabled(company.id, id, false).await.unwrap();
    assert_eq!(plan_webhook(&app, company.id, &folio).await, 0);
    assert!(matches!(
        inner.try_webhook(company.id, id).await,
        Err(Error::NotFound)
    ));
    inner.set_webhook_enabled(company.id, id, true).await.unwrap();

    receiver.will([Reply::Status(410)]);
    assert_eq!(plan_webhook(&app, company.id, &folio).await, 1);
    let (delivery, _) = tried(&app, company.id, id, 1).await;
    assert_eq!(delivery.state, DeliveryState::Dead);
    let (row, _) = log(inner, company.id, id).await;
    assert_eq!(
        (row.disabled_at.is_some(), row.note.as_deref()),
        (true, Some("gone"))
    );
    assert_eq!(plan_webhook(&app, company.id, &folio).await, 0);

    inner.set_webhook_enabled(company.id, id, true).await.unwrap();
    assert_eq!(log(inner, company.id, id).await.0.note, None);
    inner.remove_webhook(company.id, id).await.unwrap();
    assert_eq!(plan_webhook(&app, company.id, &folio).await, 0);
    assert!(inner.webhooks(company.id).await.unwrap().is_empty());
    assert_eq!(receiver.received().len(), 1);
}

#[tokio::test]
async fn two_instances_send_every_webhook_once() {
    let app = TestApp::builder().with_webhooks().start().await;
    let other = app.another_instance().await;
    let receivers = [Receiver::start().await, Receiver::start().await];
    let company = app.company("Acme").await;
    let folio = company.created(folio()).await;
    for receiver in &receivers {
        webhook(&company, &app, &receiver.url()).await;
    }
    for _ in 0..20 {
        assert_eq!(plan_webhook(&app, company.id, &folio).await, 2);
        other.app().wakeups.webhooks.notify();
    }
    for receiver in &receivers {
        let messages = receiver.until(20).await;
        let mut ids: Vec<_> = messages
            .iter()
            .map(|one| one.header("webhook-id").to_owned())
            .collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!((messages.len(), ids.len()), (20, 20));
    }
}

#[tokio::test]
async fn a_company_has_a_few_addresses_at_the_most() {
    let (app, receiver) = started().await;
    let company = app.company("Acme").await;
    for _ in 0..app::webhooks::MAX_WEBHOOKS {
        webhook(&company, &app, &receiver.url()).await;
    }
    let address = app.app().policy.webhooks.address(&receiver.url()).unwrap();
    let one_more = app
        .app()
        .add_webhook(company.id, address, String::new(), domain::WantedKinds::All)
        .await;
    assert!(one_more.unwrap().is_none());
}

#[tokio::test]
async fn every_change_of_a_folio_becomes_a_webhook_event() {
    let (app, receiver) = started().await;
    let company = app.company("Acme").await;
    let (_, secret) = webhook(&company, &app, &receiver.url()).await;
    let signed = company.created(folio()).await;
    for place in 0..2 {
        let email = format!("maria.{}@example.com", 1001 + place);
        app.sign_by_email(&signed, SignerIndex(place), &email).await;
    }
    let cancelled = company.created(folio()).await;
    let corrected = testkit::correction("1001", "otra@example.com", "3001234567");
    assert_eq!(company.resend(&cancelled, &[corrected]).await.status, 200);
    company.cancel([&cancelled], "Se firmó en papel.").await;
    let settled = app.app().project_changes().await.unwrap();
    assert_eq!(
        settled, 6,
        "created, signed, completed; created, resent, cancelled"
    );
    let messages = receiver.until(7).await;
    let now = app.app().clock.now();
    let events = messages.iter().map(|message| {
        let body = verified(message, &secret, now);
        let id = body["data"]["folioData"]["folioId"].as_str().unwrap() == signed;
        (
            !id,
            body["data"]["event"].as_i64().unwrap(),
            body["type"].as_str().unwrap().to_owned(),
        )
    });
    let mut events: Vec<_> = events.collect();
    events.sort();
    let kinds: Vec<&str> = events.iter().map(|(_, _, kind)| kind.as_str()).collect();
    assert_eq!(
        kinds,
        [
            "folio.created",
            "folio.signer_signed",
            "folio.signer_signed",
            "folio.signed",
            "folio.created",
            "folio.resent",
            "folio.cancelled"
        ]
    );
    let history = company.history(&signed).await;
    for (_, event, kind) in events.iter().filter(|(other, ..)| !other) {
        let body = &history[usize::try_from(event - 1).unwrap()].body;
        let what = match kind.as_str() {
            "folio.signed" => "completed",
            "folio.signer_signed" => "signed",
            _ => "created",
        };
        assert!(body.contains(&format!("\"what\":\"{what}\"")), "{kind}: {body}");
    }
    assert_eq!(app.app().project_changes().await.unwrap(), 0);
}

#[tokio::test]
async fn rejections_approvals_and_drops_are_sent_like_any_change() {
    let (app, receiver) = started().await;
    let company = app.company("Acme").await;
    let (_, secret) = webhook(&company, &app, &receiver.url()).await;
    let signed = [
        "folio.created",
        "folio.signer_signed",
        "folio.signer_signed",
        "folio.signed",
    ];
    let mut expected = Vec::new();
    for (state, drop, kinds) in [
        (
            FolioState::RejectedBySigner,
            false,
            &["folio.created", "folio.rejected"][..],
        ),
        (
            FolioState::Approved,
            false,
            &[&signed[..], &["folio.approved"]].concat(),
        ),
        (
            FolioState::Disapproved,
            true,
            &[&signed[..], &["folio.disapproved", "folio.dropped"]].concat(),
        ),
    ] {
        let id = company.created_in(state, folio()).await;
        if drop {
            company.act(&id, FolioAct::Drop).await;
        }
        expected.push((id, kinds.to_vec()));
    }
    while app.app().project_changes().await.unwrap() > 0 {}
    let count = expected.iter().map(|(_, kinds)| kinds.len()).sum();
    let now = app.app().clock.now();
    let messages = receiver.until(count).await;
    let bodies: Vec<_> = messages
        .iter()
        .map(|message| verified(message, &secret, now))
        .collect();
    for (id, kinds) in expected {
        let mut of_folio: Vec<_> = bodies
            .iter()
            .filter(|body| body["data"]["folioData"]["folioId"] == id)
            .collect();
        of_folio.sort_by_key(|body| (body["data"]["event"].as_i64(), body["type"] == "folio.signed"));
        let found: Vec<_> = of_folio
            .iter()
            .map(|body| body["type"].as_str().unwrap())
            .collect();
        assert_eq!(found, kinds);
        let read = company.read(&id).await.json();
        assert_eq!(
            of_folio.last().unwrap()["data"]["folioData"],
            read["data"]["folioData"]
        );
    }
}
