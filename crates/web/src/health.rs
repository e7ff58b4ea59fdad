//! Whether the process is up, whether every part answers, and what was counted.

use crate::Web;
use crate::metrics::Gauges;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use std::time::Duration;

/// How long a part may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// `GET /health`: the process is up.
pub(crate) async fn health() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], r#"{"status":"up"}"#)
}

/// `GET /ready`: every part answers.
pub(crate) async fn ready(State(web): State<Web>) -> impl IntoResponse {
    let database = web.app.store.read(|tx| store::applied(tx).map(drop));
    let (database, documents) = tokio::join!(
        tokio::time::timeout(PATIENCE, database),
        tokio::time::timeout(PATIENCE, web.app.blobs.check()),
    );
    let database = matches!(database, Ok(Ok(())));
    let documents = matches!(documents, Ok(Ok(())));
    let word = |up| if up { "up" } else { "down" };
    let status = if database && documents {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let body = serde_json::json!({
        "status": word(status == StatusCode::OK),
        "parts": { "database": word(database), "documents": word(documents) },
    });
    (status, axum::Json(body))
}

/// `GET /metrics`.
pub(crate) async fn metrics(State(web): State<Web>) -> impl IntoResponse {
    let waiting = web
        .app
        .store
        .read(|tx| Ok::<_, store::Error>((tx.outbox_age()?, tx.webhooks_backlog()?)));
    let waiting = tokio::time::timeout(PATIENCE, waiting).await;
    // A database that is away must not take the other figures along.
    let waiting = waiting.ok().and_then(Result::ok);
    let now = web.app.clock.now();
    let depths = web.app.store.depths();
    let gauges = Gauges {
        reads: depths.reads,
        writes: depths.writes,
        records: web.app.recorder.depth(),
        webhooks: waiting.map(|(_, webhooks)| webhooks),
        outbox: waiting.map(|(age, _)| {
            (
                age.waiting,
                age.given_up,
                age.oldest.map_or(Duration::ZERO, |oldest| now.since(oldest)),
            )
        }),
    };
    (
        [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")],
        web.metrics.render(&gauges, &web.app.deliveries),
    )
}
