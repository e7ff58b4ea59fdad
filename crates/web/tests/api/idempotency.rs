//! `Idempotency-Key`: the same answer again, and the act done once.

use crate::base64;
use futures_util::future::join_all;
use serde_json::json;
use std::time::Duration;
use testkit::{TestApp, correction, folio, pdf, signer};

const DAY: Duration = Duration::from_hours(24);
const REUSED: &str = "El encabezado (Idempotency-Key) ya fue utilizado con otra solicitud.";

#[tokio::test]
async fn a_create_is_done_once() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await.once("k-1");
    let first = acme.create(folio()).await;
    let again = acme.create(folio()).await;
    assert_eq!(again.body, first.body);
    assert_eq!(first.header("idempotency-replayed"), None);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(app.census().await.of("folios"), 1);
}

#[tokio::test]
async fn another_request_under_the_same_key_is_refused() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await.once("k-1");
    let id = acme.created(folio()).await;
    let other_file = folio().documents([("contrato.pdf", pdf::saying("otro"))]);
    acme.create(other_file).await.refused(409, REUSED);
    let other_name = folio().with("folioName", "Otro");
    acme.create(other_name).await.refused(409, REUSED);
    let answer = acme
        .resend(&id, &[correction("1001", "a@example.com", "3001234567")])
        .await;
    answer.refused(409, REUSED);
    assert!(answer.json()["error"].is_object());
    acme.cancel([&id], "Se cancela por error.")
        .await
        .refused(409, REUSED);
    assert_eq!(acme.history(&id).await.len(), 1);
}

#[tokio::test]
async fn every_act_is_done_once() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let maria = [correction("1001", "maria.1001@example.com", "3001234567")];
    let resend = acme.once("resend");
    assert_eq!(
        resend.resend(&id, &maria).await.body,
        resend.resend(&id, &maria).await.body
    );
    let bulk = acme.once("bulk");
    let started = bulk.start_bulk([&id], &signer("1001")).await;
    assert_eq!(bulk.start_bulk([&id], &signer("1001")).await.body, started.body);
    let read = acme.once("read");
    let before = read.read_several(&[&id]).await;
    let cancel = acme.once("cancel");
    let cancelled = cancel.cancel([&id], "Se cancela por error.").await;
    assert_eq!(cancelled.ok()["success"], true);
    assert_eq!(
        cancel.cancel([&id], "Se cancela por error.").await.body,
        cancelled.body
    );
    // The first answer, although the folio has changed meanwhile.
    assert_eq!(read.read_several(&[&id]).await.body, before.body);
    assert_eq!(acme.history(&id).await.len(), 4);
}

#[tokio::test]
async fn a_refusal_is_the_same_refusal_again() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let faulty = || folio().with("folioName", "");
    let unfit = || folio().documents([("x.pdf", pdf::not_a_pdf())]);
    let (bad, worse) = (acme.once("bad"), acme.once("worse"));
    assert_eq!(bad.create(faulty()).await.body, bad.create(faulty()).await.body);
    assert_eq!(bad.create(folio()).await.status, 409);
    assert_eq!(worse.create(unfit()).await.status, 409);
    let again = worse.create(unfit()).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    let cancel = acme.once("late");
    acme.cancel([&id], "Se cancela por error.").await.ok();
    let stranger = [correction("9999", "a@example.com", "3001234567")];
    let first = cancel.resend(&id, &stranger).await;
    assert_eq!(
        (first.status, cancel.resend(&id, &stranger).await.body),
        (400, first.body)
    );
}

#[tokio::test]
async fn twenty_at_once_make_one_folio() {
    let app = TestApp::start().await;
    let other = app.another_instance().await;
    let acme = app.company("Acme").await.once("k-1");
    let there = acme.at(&other);
    let here = (0..10).map(|_| acme.create(folio()));
    let answers = join_all(here.chain((0..10).map(|_| there.create(folio())))).await;
    for answer in &answers {
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.body, answers[0].body);
    }
    assert_eq!(app.census().await.of("folios"), 1);
}

#[tokio::test]
async fn it_is_forgotten_after_a_day_of_the_databases_clock() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await.once("k-1");
    let first = acme.create(folio()).await;
    // The clock of the instance jumps.
    for _ in 0..3 {
        app.advance(DAY);
        app.app().delete_old_responses().await.unwrap();
        assert_eq!(acme.create(folio()).await.body, first.body);
    }
    assert_eq!(app.census().await.of("folios"), 1);

    let day_ago = format!(
        "UPDATE idempotency_keys SET created_at = created_at - {}",
        DAY.as_micros()
    );
    app.tamper(&day_ago).await;
    assert_ne!(acme.create(folio()).await.body, first.body);
    assert_eq!(app.census().await.of("folios"), 2);
    assert_eq!(app.census().await.of("idempotency_keys"), 1);
    assert_eq!(app.rows_of("idempotency_folios").await.len(), 1);
    app.tamper(&day_ago).await;
    assert_eq!(app.app().delete_old_responses().await.unwrap(), 1);
    assert_eq!(app.rows_of("idempotency_folios").await.len(), 0);
}

#[tokio::test]
async fn a_response_of_before_the_databases_clock_went_back_is_kept_for_a_day_more() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await.once("k-1");
    let first = acme.create(folio()).await;
    // As after a restart of the machine, with which SQLite's clock begins.
    let year = 365 * DAY.as_micros();
    app.tamper(&format!(
        "UPDATE idempotency_keys SET created_at = created_at + {year}"
    ))
    .await;
    assert_eq!(acme.create(folio()).await.body, first.body);
    assert_eq!(app.app().delete_old_responses().await.unwrap(), 0);
    app.tamper(&format!(
        "UPDATE idempotency_keys SET created_at = created_at - {}",
        DAY.as_micros()
    ))
    .await;
    assert_eq!(app.app().delete_old_responses().await.unwrap(), 1);
}

#[tokio::test]
async fn companies_do_not_meet() {
    let app = TestApp::start().await;
    let (acme, globex) = (app.company("Acme").await, app.company("Globex").await);
    let (one, two) = (
        acme.once("k-1").create(folio()).await,
        globex.once("k-1").create(folio()).await,
    );
    assert_ne!(one.ok(), two.ok());
}

#[tokio::test]
async fn a_refusal_with_429_is_not_stored() {
    let app = TestApp::builder()
        .policy(|policy| policy.resends_in_ten_minutes = 1)
        .start()
        .await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let maria = [correction("1001", "maria.1001@example.com", "3001234567")];
    acme.resend(&id, &maria).await.ok();
    let once = acme.once("k-1");
    once.resend(&id, &maria).await.refused(429, "Demasiadas");
    app.advance(Duration::from_mins(10));
    once.resend(&id, &maria).await.ok();
}

#[tokio::test]
async fn a_key_that_is_none_is_refused() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    for key in [" ".to_owned(), "k".repeat(256)] {
        let answer = acme.once(&key).create(folio()).await;
        answer.refused(400, "Idempotency-Key");
        assert_eq!(answer.json()["errors"][0]["field"], json!("Idempotency-Key"));
    }
    acme.once(&"k".repeat(255)).create(folio()).await.ok();
    assert_eq!(app.census().await.of("folios"), 1);
}

#[tokio::test]
async fn what_was_wrong_with_a_body_tells_it_from_the_right_one() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let list = json!([{ "name": "a.pdf", "content": base64(&pdf::contract()) }]).to_string();
    let broken = acme.once("base64");
    let cut = &list[..list.len() - 1];
    assert_eq!(broken.create(folio().base64(cut)).await.status, 400);
    broken
        .create(folio().base64(list.as_str()))
        .await
        .refused(409, REUSED);
    let unreadable = acme.once("text");
    let bad = folio().with("folioMessage", b"\xff".to_vec());
    assert_eq!(unreadable.create(bad).await.status, 400);
    let empty = folio().with("folioMessage", "");
    unreadable.create(empty).await.refused(409, REUSED);
    let reading = acme.once("reading");
    let malformed = reading.post("consult", "application/json", "{").await;
    assert_eq!(malformed.status, 400);
    let again = reading.post("consult", "application/json", "{").await;
    assert_eq!(again.body, malformed.body);
    let id = acme.created(folio()).await;
    assert_eq!(reading.read_several(&[&id]).await.status, 409);
}
