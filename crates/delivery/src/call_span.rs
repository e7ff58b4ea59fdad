//! Calls to other servers, as spans of exported traces. A span has the kind of the call and whether it failed: addresses and
//! texts are personal.

use tracing::{Instrument, Span};

/// A call of that kind. Without an exporter it costs nothing.
pub(crate) fn call_span(kind: &'static str) -> Span {
    tracing::trace_span!(
        "call",
        otel.name = kind,
        otel.kind = "client",
        otel.status_code = tracing::field::Empty
    )
}

/// Marks the span of a call that failed.
pub(crate) fn note_failure(span: &Span) {
    span.record("otel.status_code", "ERROR");
}

/// Makes a call within its span.
pub(crate) async fn in_call_span<T, E>(
    kind: &'static str,
    call: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let span = call_span(kind);
    let outcome = call.instrument(span.clone()).await;
    if outcome.is_err() {
        note_failure(&span);
    }
    outcome
}
