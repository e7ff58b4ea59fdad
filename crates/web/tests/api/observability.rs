//! What an operator sees from outside.

use reqwest::Method;
use testkit::{TestApp, folio};

#[tokio::test]
async fn the_process_is_up_and_every_part_answers() {
    let app = TestApp::start().await;
    let nobody = app.company("Acme").await.saying(None);
    assert_eq!(nobody.get("/health").await.text(), r#"{"status":"up"}"#);
    assert_eq!(nobody.get("/ready").await.text(), r#"{"status":"up"}"#);
    insta::assert_snapshot!("ready", app.monitoring("/ready").await.shown());
}

#[tokio::test]
async fn an_instance_is_ready_on_a_newer_schema_only_if_that_is_for_it_too() {
    let app = TestApp::start().await;
    let nobody = app.company("Acme").await.saying(None);
    let (known, newer) = (store::LATEST_VERSION, store::LATEST_VERSION + 1);
    app.tamper(&format!(
        "INSERT INTO migrations (version, name, needs_program) VALUES ({newer}, 'newer', {known})"
    ))
    .await;
    assert_eq!(nobody.get("/ready").await.status, 200);
    app.tamper(&format!(
        "UPDATE migrations SET needs_program = {newer} WHERE version = {newer}"
    ))
    .await;
    let refused = nobody.get("/ready").await;
    assert_eq!(
        (refused.status, refused.text().as_str()),
        (503, r#"{"status":"outdated"}"#)
    );
}

#[tokio::test]
async fn strangers_get_no_metrics_and_operators_no_pages() {
    let app = TestApp::start().await;
    let nobody = app.company("Acme").await.saying(None);
    let refused = nobody.get("/metrics").await;
    assert_eq!(refused.status, 404, "{}", refused.text());
    assert_eq!(app.monitoring("/health").await.status, 200);
    assert_eq!(app.monitoring("/metrics").await.status, 200);
    for elsewhere in ["/", "/panel", "/docs", "/api/integrations/consult"] {
        assert_eq!(app.monitoring(elsewhere).await.status, 404, "{elsewhere}");
    }
}

#[tokio::test]
async fn every_answer_forbids_guessing_its_type_and_asks_for_https_where_there_is_https() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let document = acme.document_of(&id).await;
    let mut answers = vec![acme.read(&id).await, acme.download(&document).await];
    for path in [
        "consult",
        "/api/nothing",
        "/nothing",
        "/health",
        "/ready",
        "/docs",
        "/openapi.json",
        "/authority/root.crt",
        "/authority/nothing",
        "/panel/sign-in",
        "/panel/nothing",
        "/sign/nothing",
        "/verify",
        "/mailbox",
        "/assets/nothing",
    ] {
        answers.push(acme.get(path).await);
    }
    for answer in &answers {
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(
            answer.header("strict-transport-security"),
            Some("max-age=31536000")
        );
    }
    for path in ["/metrics", "/ready", "/nothing"] {
        let answer = app.monitoring(path).await;
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
    let home = TestApp::builder().at_home().start().await;
    let plain = home.company("Acme").await.get("/health").await;
    assert_eq!(plain.header("strict-transport-security"), None);
    assert_eq!(plain.header("x-content-type-options"), Some("nosniff"));
}

#[tokio::test]
async fn requests_are_counted_by_operation_and_status() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    acme.read(&id).await.ok();
    acme.read(&id).await.ok();
    acme.read("x").await.refused(400, "");
    acme.saying(None).read(&id).await.refused(401, "");
    app.advance(std::time::Duration::from_secs(90));
    let answer = app.monitoring("/metrics").await;
    assert_eq!(
        answer.header("content-type"),
        Some("application/openmetrics-text; version=1.0.0; charset=utf-8")
    );
    let text = answer.text();
    for line in [
        r#"firmeza_requests_total{operation="create_folio",status="200"} 1"#,
        r#"firmeza_requests_total{operation="read_folio",status="200"} 2"#,
        r#"firmeza_requests_total{operation="read_folio",status="400"} 1"#,
        r#"firmeza_requests_total{operation="read_folio",status="401"} 1"#,
        r#"firmeza_request_seconds_count{operation="read_folio"} 4"#,
        r#"firmeza_request_seconds_bucket{le="+Inf",operation="read_folio"} 4"#,
        r#"firmeza_queue_depth{queue="reads"} 0"#,
        r#"firmeza_queue_depth{queue="writes"} 0"#,
        r#"firmeza_queue_depth{queue="records"} 0"#,
        "firmeza_request_log_dropped_total 0",
        "firmeza_outbox_waiting 2",
        "firmeza_outbox_age_seconds 90.0",
        "firmeza_webhooks_waiting 0",
        "firmeza_webhooks_disabled 0",
    ] {
        assert!(
            text.lines().any(|found| found == line),
            "{line} is not in\n{text}"
        );
    }
    assert!(!text.contains(&id) && !text.contains("Acme"));
}

#[tokio::test]
async fn the_metrics_are_in_the_text_format() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    acme.created(folio()).await;
    let text = app.monitoring("/metrics").await.text();
    let mut described = std::collections::HashSet::new();
    let text = text.strip_suffix("# EOF\n").unwrap();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap();
            assert!(
                ["counter", "gauge", "histogram", "info"].contains(&kind),
                "{line}"
            );
            assert!(described.insert(name.to_owned()), "{name} twice");
        } else if !line.starts_with("# HELP ") {
            let (series, value) = line.rsplit_once(' ').unwrap();
            assert!(value.parse::<f64>().is_ok(), "{line}");
            let name = series.split('{').next().unwrap();
            let base = ["_total", "_bucket", "_sum", "_count", "_info"]
                .iter()
                .find_map(|end| name.strip_suffix(end).filter(|base| described.contains(*base)));
            assert!(described.contains(base.unwrap_or(name)), "{line}");
        }
    }
}

#[tokio::test]
async fn a_request_has_a_name_in_and_out() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let with = |id: &str| acme.request(Method::GET, "consult").header("x-request-id", id);
    let same = "trace-01:AB_c.d/e=f+";
    assert_eq!(acme.send(with(same)).await.header("x-request-id"), Some(same));
    for evil in ["a b", "<script>", "a\"b", &"x".repeat(129)] {
        let given = acme.send(with(evil)).await;
        let given = given.header("x-request-id").unwrap();
        assert_ne!(given, evil);
        assert_eq!(given.len(), 32);
    }
    let (one, two) = (acme.get("consult").await, acme.get("/api/nothing").await);
    assert_ne!(one.header("x-request-id"), two.header("x-request-id"));
    assert!(two.header("x-request-id").is_some());
}

#[tokio::test]
async fn answers_are_not_cached_except_documents() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    for answer in [acme.read(&id).await, acme.read("x").await] {
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(
            answer.header("content-type"),
            Some("application/json; charset=utf-8")
        );
    }
}
