//! Logs: one line an event, to standard error; as text, or as JSON for machines. Spans also go to the collector, if there is
//! one.

use crate::settings::Settings;
use crate::terminal::Log;
use opentelemetry_sdk::trace::SdkTracer;
use tracing::{Level, Metadata};
use tracing_subscriber::filter::{FilterExt, LevelFilter, filter_fn};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// Starts logging as the settings say, and exporting spans if there is a tracer.
pub(crate) fn start(settings: &Settings, tracer: Option<SdkTracer>) {
    let lines = fmt::layer().with_writer(Log {
        json: settings.log_json,
    });
    let lines = if settings.log_json {
        lines.json().flatten_event(true).with_span_list(false).boxed()
    } else {
        lines.with_ansi(false).boxed()
    };
    // Without the hint, every event of the level TRACE would be looked at.
    let no_spans_of_traces =
        filter_fn(|metadata| !is_for_collector(metadata)).with_max_level_hint(LevelFilter::TRACE);
    let log = settings.log.clone().and(no_spans_of_traces);
    // Spans have no events: a line of the log may name what a span must not.
    let spans = tracer.map(|tracer| {
        let layer = tracing_opentelemetry::layer().with_tracer(tracer);
        let layer = layer.with_location(false).with_threads(false).with_target(false);
        let layer = layer
            .with_tracked_inactivity(false)
            .with_context_activation(false);
        layer.with_filter(filter_fn(|metadata| metadata.is_span()))
    });
    tracing_subscriber::registry()
        .with(lines.with_filter(log))
        .with(spans)
        .init();
}

/// Whether a span is not for the log, whose lines name the request around it.
fn is_for_collector(metadata: &Metadata<'_>) -> bool {
    metadata.is_span() && *metadata.level() == Level::TRACE
}
