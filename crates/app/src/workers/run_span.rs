//! A worker's run, as the beginning of an exported trace.

use tracing::Span;

/// The span of one run of that worker. Without an exporter it costs nothing.
pub fn run_span(worker: &'static str) -> Span {
    tracing::trace_span!("run", otel.name = worker, otel.kind = "consumer")
}
