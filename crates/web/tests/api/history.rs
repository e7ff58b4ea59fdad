//! What is recorded of every act.

use domain::event::hash_after;
use reqwest::Method;
use std::time::Duration;
use testkit::{TestApp, correction, folio, redacted, signer, until};

#[tokio::test]
async fn every_act_is_an_event_bound_to_the_one_before_it() {
    let app = TestApp::builder().trusted_proxies("127.0.0.1").start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    app.advance(Duration::from_secs(1));
    acme.resend(&id, &[correction("1001", "nueva@example.com", "3001234567")])
        .await
        .ok();
    acme.start_bulk([&id], &signer("1002")).await.ok();
    let document = acme.document_of(&id).await;
    let from_afar = acme
        .request(Method::GET, &format!("download?documentId={document}"))
        .header("x-forwarded-for", "198.51.100.9");
    assert_eq!(acme.send(from_afar).await.status, 200);
    until("the download in the history", async || {
        (acme.history(&id).await.len() == 4).then_some(())
    })
    .await;
    acme.cancel([&id], "El cliente desistió.").await.ok();
    let mut before = [0; 32];
    let mut shown = String::new();
    for (place, event) in acme.history(&id).await.into_iter().enumerate() {
        assert_eq!(usize::try_from(event.number).unwrap(), place + 1);
        assert_eq!(event.hash, hash_after(&before, &event.body));
        before = event.hash;
        let body = event.full_body();
        assert_eq!(body["folio"], id.as_str());
        shown += &serde_json::to_string_pretty(&body).unwrap();
        shown += "\n";
    }
    insta::assert_snapshot!("events", redacted(&shown));
}

#[tokio::test]
async fn each_download_of_bytes_is_one_event_and_nothing_else_is() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let path = format!("download?documentId={}", acme.document_of(&id).await);
    let etag = acme.get(&path).await.header("etag").unwrap().to_owned();
    let part = acme.request(Method::GET, &path).header("range", "bytes=0-9");
    assert_eq!(acme.send(part).await.status, 206);
    let known = acme.request(Method::GET, &path).header("if-none-match", etag);
    assert_eq!(acme.send(known).await.status, 304);
    assert_eq!(acme.send(acme.request(Method::HEAD, &path)).await.status, 200);
    let beyond = acme
        .request(Method::GET, &path)
        .header("range", "bytes=99999999-");
    assert_eq!(acme.send(beyond).await.status, 416);
    let other = acme.request(Method::GET, &path).header("if-match", "\"x\"");
    assert_eq!(acme.send(other).await.status, 412);
    until("two downloads", async || {
        (acme.history(&id).await.len() == 3).then_some(())
    })
    .await;
    until("an empty queue", async || {
        (app.app().recorder.depth() == 0).then_some(())
    })
    .await;
    assert_eq!(acme.history(&id).await.len(), 3);
}

#[tokio::test]
async fn an_orderly_stop_loses_no_download() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let document = acme.document_of(&id).await;
    {
        let other = app.another_instance().await;
        let there = acme.at(&other);
        let downloads = (0..50).map(|_| there.download(&document));
        for answer in futures_util::future::join_all(downloads).await {
            assert_eq!(answer.status, 200);
        }
    }
    assert_eq!(acme.history(&id).await.len(), 51);
}

#[tokio::test]
async fn a_download_that_the_database_refuses_to_record_holds_up_no_other() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let (damaged, sound) = (acme.created(folio()).await, acme.created(folio()).await);
    // The next event of the first folio has the number of one that is there.
    app.tamper("UPDATE folios SET history_length = history_length - 1 WHERE seq = 1")
        .await;
    for id in [&damaged, &sound, &damaged, &sound] {
        let document = acme.document_of(id).await;
        assert_eq!(acme.download(&document).await.status, 200);
    }
    until("the downloads of the other folio", async || {
        (acme.history(&sound).await.len() == 3).then_some(())
    })
    .await;
    until("an empty queue", async || {
        (app.app().recorder.depth() == 0).then_some(())
    })
    .await;
    app.tamper("UPDATE folios SET history_length = history_length + 1 WHERE seq = 1")
        .await;
    // Events are written again, after those that are still on their way.
    until("the next download of the first folio", async || {
        let document = acme.document_of(&damaged).await;
        assert_eq!(acme.download(&document).await.status, 200);
        (acme.history(&damaged).await.len() > 1).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_refused_act_leaves_no_event() {
    let app = TestApp::start().await;
    let (acme, globex) = (app.company("Acme").await, app.company("Globex").await);
    let id = acme.created(folio()).await;
    let before = app.census().await;
    globex
        .cancel([&id], "No es mío, pero quiero.")
        .await
        .refused(403, "");
    globex
        .resend(&id, &[correction("1001", "mala@example.com", "3001234567")])
        .await
        .refused(403, "");
    globex.start_bulk([&id], &signer("1001")).await.refused(403, "");
    globex
        .download(&acme.document_of(&id).await)
        .await
        .refused(403, "");
    acme.cancel([&id], "corto").await.refused(400, "");
    assert_eq!(app.census().await, before);
}
