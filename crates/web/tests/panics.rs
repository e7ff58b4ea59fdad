//! What is written after the response is written after a panic, too.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Mutex;
use store::ApiRequestFilter;
use testkit::{TestApp, folio, until};
use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

/// Workers that panic when they begin to write.
static PANICS: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());

struct Panics;

impl<S: Subscriber> Layer<S> for Panics {
    fn on_new_span(&self, span: &Attributes<'_>, _: &Id, _: Context<'_, S>) {
        let mut worker = Worker(String::new());
        span.record(&mut worker);
        let panics = PANICS.lock().unwrap().remove(worker.0.as_str());
        assert!(!panics, "the {} panics, as it should", worker.0);
    }
}

/// The worker of which a span is a run.
struct Worker(String);

impl Visit for Worker {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "otel.name" {
            value.clone_into(&mut self.0);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

// One test in a program of its own: the spans are the whole process's.
#[tokio::test]
async fn what_waits_to_be_recorded_outlasts_a_panic() {
    let subscriber = tracing_subscriber::registry().with(Panics);
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let document = acme.document_of(&id).await;
    PANICS.lock().unwrap().extend(["recorder", "request log"]);
    assert_eq!(acme.download(&document).await.status, 200);
    until("both panics", async || {
        PANICS.lock().unwrap().is_empty().then_some(())
    })
    .await;
    let logged = async || {
        let logged = app.app().api_requests(acme.id, ApiRequestFilter::default());
        logged.await.unwrap().len()
    };
    let before = logged().await;
    assert_eq!(acme.download(&document).await.status, 200);
    until("both downloads in the history", async || {
        (acme.history(&id).await.len() == 3).then_some(())
    })
    .await;
    until("requests in the log", async || {
        (logged().await > before).then_some(())
    })
    .await;
}
