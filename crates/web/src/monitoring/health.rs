//! Health and metrics. The public listener answers with one word. The listener for operators names the
//! failing part and has the metrics.

use crate::Web;
use crate::monitoring::metrics::Gauges;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use std::time::Duration;

/// The type of the text in which the metrics are.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// `GET /health`: the process is up.
pub(crate) async fn health() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], r#"{"status":"up"}"#)
}

/// Which parts answer.
#[derive(Debug, Clone, Copy)]
struct Readiness {
    database: bool,
    documents: bool,
}

impl Readiness {
    async fn check(web: &Web) -> Self {
        let reading = web.app.store.read(|tx| store::applied_version(tx).map(drop));
        let timeout = web.settings.part_timeout;
        let (read, written, documents) = tokio::join!(
            tokio::time::timeout(timeout, reading),
            web.write_probe.check(&web.app, timeout),
            tokio::time::timeout(timeout, web.app.blobs.check()),
        );
        Self {
            database: matches!(read, Ok(Ok(()))) && written,
            documents: matches!(documents, Ok(Ok(()))),
        }
    }

    const fn are_up(self) -> bool {
        self.database && self.documents
    }

    const fn status(self) -> StatusCode {
        if self.are_up() {
            StatusCode::OK
        } else {
            StatusCode::SERVICE_UNAVAILABLE
        }
    }
}

const fn word(up: bool) -> &'static str {
    if up { "up" } else { "down" }
}

/// `GET /ready`: every part answers.
pub(crate) async fn ready(State(web): State<Web>) -> impl IntoResponse {
    let readiness = Readiness::check(&web).await;
    let body = serde_json::json!({ "status": word(readiness.are_up()) });
    (readiness.status(), axum::Json(body))
}

/// `GET /ready` for operators: which part does not.
pub(crate) async fn ready_by_part(State(web): State<Web>) -> impl IntoResponse {
    let readiness = Readiness::check(&web).await;
    let body = serde_json::json!({
        "status": word(readiness.are_up()),
        "parts": { "database": word(readiness.database), "documents": word(readiness.documents) },
    });
    (readiness.status(), axum::Json(body))
}

/// `GET /metrics`.
pub(crate) async fn metrics(State(web): State<Web>) -> impl IntoResponse {
    let waiting = web
        .app
        .store
        .read(|tx| Ok::<_, store::Error>((tx.outbox_age()?, tx.webhooks_backlog()?, tx.scrub_report()?)));
    let waiting = tokio::time::timeout(web.settings.part_timeout, waiting).await;
    // An unavailable database must not hide the other metrics.
    let waiting = waiting.ok().and_then(Result::ok);
    let now = web.app.clock.now();
    let depths = web.app.store.queue_depths();
    let gauges = Gauges {
        reads: depths.reads,
        writes: depths.writes,
        records: web.app.recorder.depth(),
        unlogged_requests: web.app.request_log.dropped(),
        webhooks: waiting.map(|(_, webhooks, _)| webhooks),
        scrub: waiting.map(|(.., scrub)| scrub),
        outbox: waiting.map(|(age, ..)| {
            (
                age.waiting,
                age.given_up,
                age.oldest.map_or(Duration::ZERO, |oldest| now.since(oldest)),
            )
        }),
    };
    let text = web
        .metrics
        .render(&gauges, &web.app.delivery_counts, &web.app.sweep_counts);
    text.map(|text| ([(CONTENT_TYPE, OPEN_METRICS)], text))
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
}
