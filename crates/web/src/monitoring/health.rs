//! Health and metrics. The public listener answers with one word. The listener for operators names the
//! failing part and has the metrics.

use crate::Web;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;

/// The type of the text in which the metrics are.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// `GET /health`: the process is up.
pub(crate) async fn health() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json")], r#"{"status":"up"}"#)
}

/// Whether requests should be sent to this instance. Without its documents it still reads, cancels and sends again. A storage
/// outage hits all instances: if all were unready, the balancer would have none left.
#[derive(Debug, Clone, Copy)]
struct Readiness {
    database: bool,
    /// Whether a newer program has changed the database so that this one cannot work with it.
    outdated: bool,
    stopping: bool,
}

impl Readiness {
    async fn check(web: &Web) -> Self {
        let reading = web.app.store.read(store::is_schema_known);
        let timeout = web.settings.part_timeout;
        let (read, written) = tokio::join!(
            tokio::time::timeout(timeout, reading),
            web.write_probe.check(&web.app, timeout),
        );
        Self {
            database: matches!(read, Ok(Ok(_))) && written,
            outdated: matches!(read, Ok(Ok(false))),
            stopping: web.is_stopping(),
        }
    }

    const fn status(self) -> StatusCode {
        if self.database && !self.outdated && !self.stopping {
            StatusCode::OK
        } else {
            StatusCode::SERVICE_UNAVAILABLE
        }
    }

    const fn word(self) -> &'static str {
        if self.stopping {
            "stopping"
        } else if self.outdated {
            "outdated"
        } else {
            word(self.database)
        }
    }
}

const fn word(up: bool) -> &'static str {
    if up { "up" } else { "down" }
}

/// `GET /ready`: whether a balancer should send requests. Does not wait for the storage.
pub(crate) async fn ready(State(web): State<Web>) -> impl IntoResponse {
    let readiness = Readiness::check(&web).await;
    let body = serde_json::json!({ "status": readiness.word() });
    (readiness.status(), axum::Json(body))
}

/// `GET /ready` for operators: also which part does not answer.
pub(crate) async fn ready_by_part(State(web): State<Web>) -> impl IntoResponse {
    let blobs = web.app.blobs.clone();
    let documents = async move { blobs.check().await.is_ok() };
    let documents = web.storage_check.ask(web.settings.part_timeout, documents);
    let (readiness, documents) = tokio::join!(Readiness::check(&web), documents);
    let documents = documents.unwrap_or(false);
    let body = serde_json::json!({
        "status": readiness.word(),
        "parts": { "database": word(readiness.database), "documents": word(documents) },
    });
    (readiness.status(), axum::Json(body))
}

/// `GET /metrics`.
pub(crate) async fn metrics(State(web): State<Web>) -> impl IntoResponse {
    let text = web.metrics_text().await;
    text.map(|text| ([(CONTENT_TYPE, OPEN_METRICS)], text))
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
}
