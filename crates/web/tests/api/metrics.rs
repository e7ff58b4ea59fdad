//! What the metrics say of signers, pages and the installation.

use app::Clock;
use app::signing::sign::Signed;
use domain::{Code, FolioId, FolioState, SignerIndex};
use std::time::Duration;
use store::FolioQueue;
use testkit::{TestApp, folio};

/// Asserts that each of these lines is among the metrics.
async fn assert_lines(app: &TestApp, lines: &[&str]) {
    let text = app.monitoring("/metrics").await.text();
    for line in lines {
        assert!(
            text.lines().any(|found| found == *line),
            "{line} is not in\n{text}"
        );
    }
}

/// The value of the metric of that name and those labels.
async fn value(app: &TestApp, series: &str) -> f64 {
    let text = app.monitoring("/metrics").await.text();
    let found = text.lines().find_map(|line| line.strip_prefix(series));
    let found = found.unwrap_or_else(|| panic!("{series} is not in\n{text}"));
    found.trim().parse().unwrap()
}

#[tokio::test]
async fn codes_and_signatures_are_counted() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let first = SignerIndex(0);
    assert_lines(
        &app,
        &[
            r#"firmeza_codes_total{outcome="sent"} 0"#,
            "firmeza_time_to_sign_seconds_count 0",
            "firmeza_rejections_total 0",
        ],
    )
    .await;
    app.advance(Duration::from_hours(2));
    app.send_code(&id, first).await;
    let code = app.code_for("maria.1001@example.com").await;
    let wrong = if code.as_str() == "111111" {
        "222222"
    } else {
        "111111"
    };
    let wrong = app.give_code(&id, first, Code::typed(wrong).unwrap()).await;
    assert!(matches!(wrong, Signed::WrongCode { .. }), "{wrong:?}");
    let signed = app.give_code(&id, first, code).await;
    assert!(matches!(signed, Signed::Done(_)), "{signed:?}");
    assert_lines(
        &app,
        &[
            r#"firmeza_codes_total{outcome="sent"} 1"#,
            r#"firmeza_codes_total{outcome="refused"} 1"#,
            r#"firmeza_codes_total{outcome="accepted"} 1"#,
            r#"firmeza_codes_total{outcome="expired"} 0"#,
            "firmeza_time_to_sign_seconds_count 1",
            r#"firmeza_time_to_sign_seconds_bucket{le="3600.0"} 0"#,
            r#"firmeza_time_to_sign_seconds_bucket{le="21600.0"} 1"#,
        ],
    )
    .await;
}

#[tokio::test]
async fn pages_are_counted_by_route_and_never_by_address() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    for party in [format!("{id}-0"), format!("{id}-1")] {
        acme.get(&format!("/sign/{party}")).await;
    }
    acme.get("/panel/folios").await;
    acme.get("/sign/a/b/c/d").await;
    acme.get("/secret.php").await;
    acme.read(&id).await.ok();
    let text = app.monitoring("/metrics").await.text();
    let counted = |labels: &str| {
        let of_route =
            |line: &&str| line.starts_with("firmeza_page_requests_total{") && line.contains(labels);
        let counts = text.lines().filter(of_route).map(|line| {
            let (_, count) = line.rsplit_once(' ').unwrap();
            count.parse::<u64>().unwrap()
        });
        counts.sum::<u64>()
    };
    assert_eq!(
        counted(r#"area="signer",method="GET",route="/sign/{party}""#),
        2,
        "{text}"
    );
    assert_eq!(
        counted(r#"area="panel",method="GET",route="/panel/folios",status="303""#),
        1,
        "{text}"
    );
    assert_eq!(
        counted(r#"area="other",method="GET",route="none",status="404""#),
        2,
        "{text}"
    );
    assert_eq!(counted(r#"route="/api"#), 0, "the API has its own");
    assert!(
        text.contains(r#"firmeza_page_seconds_count{area="signer",route="/sign/{party}"} 2"#),
        "{text}"
    );
    assert!(!text.contains(&id) && !text.contains("secret"));
}

#[tokio::test]
async fn overdue_extensions_have_their_reason_and_messages_the_age_since_they_were_written() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    for _ in 0..4 {
        acme.created(folio()).await;
    }
    let far = i64::MAX;
    app.tamper(&format!(
        "INSERT INTO extensions (folio, due_at, due_set_at, attempts, last_error) VALUES
             (1, 5, 5, 0, NULL), (2, {far}, 5, 3, 'timestamp authority: tsa.example: connection refused'),
             (3, {far}, 5, 1, 'the stored state was changed'), (4, {far}, NULL, 0, NULL)"
    ))
    .await;
    app.advance(Duration::from_mins(10));
    // Put off after a failure: they are due again much later than they were written.
    app.tamper(&format!("UPDATE outbox SET due_at = {far}")).await;
    assert_lines(
        &app,
        &[
            r#"firmeza_extensions_overdue{reason="due"} 1"#,
            r#"firmeza_extensions_overdue{reason="timestamp_authority"} 1"#,
            r#"firmeza_extensions_overdue{reason="other"} 1"#,
            "firmeza_outbox_age_seconds 600.0",
        ],
    )
    .await;
    // So do emails to panel users. One that was sent or given up does not count.
    app.tamper(&format!(
        "INSERT INTO account_emails (company, template, recipient, name, state, created_at, due_at)
             SELECT 1, 'new_password', 'a@b.co', 'A', state, created_at - seconds * 1000000, {far}
             FROM (SELECT MIN(created_at) AS created_at FROM outbox) o,
                 (SELECT 'waiting' AS state, 300 AS seconds UNION ALL SELECT 'sent', 400 UNION ALL SELECT 'dead', 500) e"
    ))
    .await;
    let late = "firmeza_outbox_late_recipients 1";
    assert_lines(&app, &["firmeza_outbox_age_seconds 900.0", late]).await;
    app.advance(Duration::from_mins(5));
    let late = "firmeza_outbox_late_recipients 3";
    assert_lines(&app, &[late]).await;
}

#[tokio::test]
async fn moves_that_wait_have_an_age_that_a_failure_does_not_change() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    assert_lines(
        &app,
        &[
            "firmeza_increment_moves_waiting 0",
            "firmeza_increment_moves_failed 0",
            "firmeza_increment_moves_age_seconds 0.0",
        ],
    )
    .await;
    let id: FolioId = acme
        .created_in(FolioState::Signed, folio())
        .await
        .parse()
        .unwrap();
    let (store, now) = (&app.app().store, app.app().clock.now());
    let (company, heartbeat) = (acme.id, app.app().heartbeat.clone());
    app.advance(Duration::from_mins(10));
    let later = app.app().clock.now();
    let failed = store.write(move |tx| {
        let folio = tx.folios(company, &[id])?.remove(0).seq;
        tx.plan_increment_moves(&[folio], now)?;
        let lease = heartbeat.lease(tx, store::MAX_LEASE)?;
        let leased = tx.lease_increment_moves(later, &lease, 8)?.remove(0);
        tx.postpone_folio(FolioQueue::IncrementMoves, &leased, later, later, "S3: 503")
    });
    assert!(failed.await.unwrap());
    assert_lines(
        &app,
        &[
            "firmeza_increment_moves_waiting 1",
            "firmeza_increment_moves_failed 1",
            "firmeza_increment_moves_age_seconds 600.0",
        ],
    )
    .await;
    let why = store.read(|tx| tx.last_move_error()).await.unwrap();
    assert_eq!(why.as_deref(), Some("S3: 503"));
}

#[tokio::test]
async fn the_installation_says_what_it_is_and_what_it_can_write() {
    let app = TestApp::start().await;
    app.company("Acme").await;
    let version = env!("CARGO_PKG_VERSION");
    let build = format!(
        r#"firmeza_build_info{{version="{version}",migration="{}"}} 1"#,
        store::LATEST_VERSION
    );
    assert_lines(
        &app,
        &[
            &build,
            r#"firmeza_writable{part="database"} 1"#,
            r#"firmeza_writable{part="documents"} 1"#,
            r#"firmeza_queue_depth{queue="page_images"} 0"#,
            r#"firmeza_queue_depth{queue="writes"} 0"#,
            "firmeza_backup_finished_timestamp_seconds 0",
            "firmeza_scrub_round_seconds 2592000",
        ],
    )
    .await;
    assert!(value(&app, r#"firmeza_disk_free_bytes{place="data"}"#).await > 0.0);
    assert!(value(&app, r#"firmeza_disk_free_inodes{place="data"}"#).await > 0.0);
    // The same machine, however long it took to answer.
    let skew = value(&app, r#"firmeza_clock_skew_seconds{against="database"}"#).await;
    assert!(skew.abs() < 3_600.0, "{skew}");
}

#[tokio::test]
async fn a_backup_is_noted() {
    let app = TestApp::start().await;
    app.company("Acme").await.created(folio()).await;
    let directory = tempfile::tempdir().unwrap();
    let before = Clock::System.now();
    app.back_up(directory.path()).await;
    let finished = app
        .app()
        .store
        .read(|tx| tx.last_backup())
        .await
        .unwrap()
        .unwrap();
    assert!(finished.finished_at >= before);
    let seconds = finished.finished_at.as_micros() / 1_000_000;
    assert_lines(
        &app,
        &[
            &format!("firmeza_backup_finished_timestamp_seconds {seconds}"),
            "firmeza_backup_missing_documents 0",
        ],
    )
    .await;
}
