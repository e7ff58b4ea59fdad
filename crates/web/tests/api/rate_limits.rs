//! How often a key may ask.

use std::time::Duration;
use testkit::{TestApp, folio};

const TOO_OFTEN: &str = "Demasiadas solicitudes, intente nuevamente más tarde.";

#[tokio::test]
async fn past_the_limit_the_answer_says_when_to_come_back() {
    let app = TestApp::builder().rate_limits(4, 2).start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    acme.create(folio()).await.ok();
    let answer = acme.create(folio()).await;
    answer.refused(429, TOO_OFTEN);
    assert_eq!(answer.header("retry-after"), Some("60"));
    acme.read(&id).await.ok();
    acme.read(&id).await.ok();
    let answer = acme.read(&id).await;
    answer.refused(429, TOO_OFTEN);
    assert_eq!(answer.header("retry-after"), Some("60"));
    let download = acme.download(&id).await;
    download.refused(429, TOO_OFTEN);
    assert!(download.json()["error"].is_object());
    app.advance(Duration::from_secs(59));
    let answer = acme.read(&id).await;
    answer.refused(429, TOO_OFTEN);
    assert_eq!(answer.header("retry-after"), Some("1"));
    app.advance(Duration::from_secs(1));
    for _ in 0..4 {
        acme.read(&id).await.ok();
    }
    acme.read(&id).await.refused(429, TOO_OFTEN);
    assert_eq!(app.census().await.of("folios"), 2);
}

#[tokio::test]
async fn each_key_has_its_own_count() {
    let app = TestApp::builder().rate_limits(1, 0).start().await;
    let acme = app.company("Acme").await;
    let second = acme.showing(&acme.new_key(None).await);
    let id = acme.created(folio()).await;
    acme.read(&id).await.refused(429, TOO_OFTEN);
    second.read(&id).await.ok();
    second.read(&id).await.refused(429, TOO_OFTEN);
}

#[tokio::test]
async fn without_limits_no_request_is_counted() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    for _ in 0..200 {
        acme.read(&id).await.ok();
    }
}

#[tokio::test]
async fn a_rate_limited_request_is_not_stored_under_its_idempotency_key() {
    let app = TestApp::builder().rate_limits(0, 1).start().await;
    let acme = app.company("Acme").await;
    acme.create(folio()).await.ok();
    let once = acme.once("k-1");
    once.create(folio()).await.refused(429, TOO_OFTEN);
    app.advance(Duration::from_mins(1));
    once.create(folio()).await.ok();
}
