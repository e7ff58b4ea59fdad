//! Traces and metrics for an OpenTelemetry collector, where the settings name one (OTLP over HTTP, protobuf).

mod collector;
mod metrics;
mod open_metrics;
mod spans;

use crate::settings::{OtlpSettings, Settings};
use app::SystemRandom;
use collector::Collector;
use domain::InstanceId;
use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;
use web::Web;

/// How long the collector may take for the last spans when the service stops.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(3);

/// The exporters for the collector.
#[derive(Debug)]
pub(crate) struct Otlp {
    collector: Arc<Collector>,
    resource: Resource,
    provider: SdkTracerProvider,
    metrics_interval: Option<Duration>,
}

impl Otlp {
    /// Starts exporting, if the settings name a collector. Needs a tokio runtime.
    pub(crate) fn start(settings: &Settings) -> Result<Option<Self>, Box<dyn Error>> {
        let Some(otlp) = &settings.otlp else {
            return Ok(None);
        };
        let resource = resource(otlp);
        let collector = Arc::new(Collector::new(otlp)?);
        let provider = spans::provider(collector.clone(), &resource, otlp.sample_ratio);
        web::export_requests();
        Ok(Some(Self {
            collector,
            resource,
            provider,
            metrics_interval: otlp.metrics_interval,
        }))
    }

    /// Where spans go.
    pub(crate) fn tracer(&self) -> SdkTracer {
        self.provider.tracer("firmeza")
    }

    /// Sends the metrics in their interval, until the task is dropped.
    pub(crate) async fn run_metrics(&self, web: &Web) {
        if let Some(interval) = self.metrics_interval {
            metrics::send_each(interval, &self.collector, &self.resource, web).await;
        }
    }

    /// Sends the last spans. Spans that end later are lost.
    pub(crate) async fn stop(&self) {
        let provider = self.provider.clone();
        let flushed = tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(FLUSH_TIMEOUT));
        if !matches!(flushed.await, Ok(Ok(()))) {
            tracing::warn!("the last spans did not reach the collector");
        }
    }
}

/// What all spans and metrics say of their origin. Instances differ by a number of each start.
fn resource(otlp: &OtlpSettings) -> Resource {
    let instance = InstanceId::random(&mut SystemRandom).to_string();
    Resource::builder_empty()
        .with_attributes([
            KeyValue::new("service.name", otlp.service_name.clone()),
            KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
            KeyValue::new("service.instance.id", instance),
        ])
        .build()
}
