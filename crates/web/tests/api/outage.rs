//! A database or storage that is lost for a while: reported in the envelope, and used again without a restart.

use testkit::{Part, TestApp, folio, until};

#[tokio::test]
async fn a_lost_part_is_an_internal_failure_until_it_is_back() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let document = acme.document_of(&id).await;
    let lost = app.lose_a_part().await;

    let answer = acme.create(folio()).await;
    assert!(matches!(answer.status, 500 | 503), "{}", answer.text());
    assert_eq!(answer.json()["success"], false);
    assert!(!answer.text().contains("postgres") && !answer.text().contains("documents"));
    let download = acme.download(&document).await;
    assert!(matches!(download.status, 500 | 503), "{}", download.text());
    assert!(download.json()["error"]["message"].is_string());
    for answer in [&answer, &download] {
        let named = answer.json()["requestId"].as_str().map(str::to_owned);
        assert_eq!(named.as_deref(), answer.header("x-request-id"));
    }
    if lost == Part::Documents {
        acme.read(&id).await.ok();
        acme.cancel([&id], "Se cancela por error.").await.ok();
    }
    assert_eq!(acme.get("/health").await.status, 200);
    assert_eq!(app.monitoring("/metrics").await.status, 200);
    // Without documents the instance still reads, cancels and sends again: a balancer keeps it.
    let (part, status, word) = match lost {
        Part::Documents => ("documents", 200, "up"),
        Part::Database => ("database", 503, "down"),
    };
    let told = acme.get("/ready").await;
    assert_eq!(
        (told.status, told.text()),
        (status, format!(r#"{{"status":"{word}"}}"#))
    );
    let ready = app.monitoring("/ready").await;
    assert_eq!((ready.status, ready.at("/status").as_str()), (status, word));
    assert_eq!(ready.at(&format!("/parts/{part}")), "down");
    let unwritable = format!(r#"firmeza_writable{{part="{part}"}} 0"#);
    let metrics = app.monitoring("/metrics").await.text();
    assert!(metrics.contains(&unwritable), "{metrics}");

    app.bring_it_back(lost).await;
    until("a create that is done again", async || {
        (acme.create(folio()).await.status == 200).then_some(())
    })
    .await;
    assert_eq!(acme.get("/ready").await.status, 200);
    assert_eq!(acme.download(&document).await.status, 200);
}
