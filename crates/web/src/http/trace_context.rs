//! The trace that a request belongs to: the client's or the proxy's (W3C `traceparent`) where it is valid, a new one
//! elsewhere. Every line of the log that is written for the request names it. Where traces are exported, the request is a
//! span of the trace. The span names the route and never the address, which may have a token.

use super::request_id;
use axum::http::{HeaderMap, Method, StatusCode};
use opentelemetry::Context;
use opentelemetry::trace::{
    SpanContext, SpanId, Status, TraceContextExt as _, TraceFlags, TraceId, TraceState,
};
use std::sync::atomic::{AtomicBool, Ordering};
use tracing::Span;
use tracing::field::Empty;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

const HEADER: &str = "traceparent";

/// Whether requests are spans of exported traces. The subscriber is the whole process's, and so is this. To ask the subscriber
/// (`span_enabled!`) would hide the next span from the log: its filters keep the answer until something is written.
static EXPORTED: AtomicBool = AtomicBool::new(false);

/// From now on, requests are spans of exported traces.
pub fn export_requests() {
    EXPORTED.store(true, Ordering::Relaxed);
}

fn is_exported() -> bool {
    EXPORTED.load(Ordering::Relaxed)
}

/// The span of a request.
pub(super) fn begin(method: &Method, headers: &HeaderMap) -> Span {
    let sent = headers.get(HEADER).and_then(|value| value.to_str().ok());
    let parent = sent.and_then(parse);
    if !is_exported() {
        let trace = parent.map_or_else(
            || request_id::generate().to_str().unwrap_or_default().to_owned(),
            |parent| parent.trace_id().to_string(),
        );
        return tracing::error_span!("request", trace);
    }
    let span = tracing::error_span!("request", trace = Empty, otel.kind = "server");
    if let Some(parent) = parent {
        // Fails only where no exporter listens; then the span is for the log alone.
        let _ = span.set_parent(Context::new().with_remote_span_context(parent));
    }
    span.set_attribute("http.request.method", name_of(method));
    // The exporter chooses the number of a new trace.
    let trace = span.context().span().span_context().trace_id();
    span.record("trace", trace.to_string());
    span
}

/// Names the current request after its route, as soon as it is known.
pub(crate) fn name_route(method: &Method, route: &str) {
    if is_exported() {
        let span = Span::current();
        let name = format!("{} {route}", name_of(method));
        span.context().span().update_name(name);
        span.set_attribute("http.route", route.to_owned());
    }
}

/// Adds what the current request does.
pub(crate) fn name_operation(operation: &'static str) {
    if is_exported() {
        Span::current().set_attribute("firmeza.operation", operation);
    }
}

/// Adds the status of the response.
pub(super) fn end(span: &Span, status: StatusCode) {
    if is_exported() {
        span.set_attribute("http.response.status_code", i64::from(status.as_u16()));
        if status.is_server_error() {
            span.set_status(Status::error(""));
        }
    }
}

/// A client may invent methods.
fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        _ => "other",
    }
}

/// The span that sent the request, in `version-trace-parent-flags`. Later versions may have more after that.
fn parse(sent: &str) -> Option<SpanContext> {
    let mut parts = sent.split('-');
    let version = parts.next().filter(|part| is_hex(part, 2) && *part != "ff")?;
    let trace = parts.next().filter(|part| is_hex(part, 32) && !is_zero(part))?;
    let parent = parts.next().filter(|part| is_hex(part, 16) && !is_zero(part))?;
    let flags = parts.next().filter(|part| is_hex(part, 2))?;
    if version == "00" && parts.next().is_some() {
        return None;
    }
    Some(SpanContext::new(
        TraceId::from_hex(trace).ok()?,
        SpanId::from_hex(parent).ok()?,
        TraceFlags::new(u8::from_str_radix(flags, 16).ok()?),
        true,
        TraceState::NONE,
    ))
}

fn is_hex(text: &str, digits: usize) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == digits && text.bytes().all(is_digit)
}

fn is_zero(text: &str) -> bool {
    text.bytes().all(|byte| byte == b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_valid_trace_is_taken_over_and_any_other_is_not() {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        let good = format!("00-{trace}-00f067aa0ba902b7-01");
        let later = format!("01-{trace}-00f067aa0ba902b7-01-more");
        for sent in [&good, &later] {
            let parent = parse(sent).unwrap();
            assert_eq!(parent.trace_id().to_string(), trace, "{sent}");
            assert_eq!(parent.span_id().to_string(), "00f067aa0ba902b7", "{sent}");
            assert!(parent.is_sampled() && parent.is_remote(), "{sent}");
        }
        let zeros = "0".repeat(32);
        for bad in [
            format!("{good}-more"),
            format!("ff-{trace}-00f067aa0ba902b7-01"),
            format!("00-{zeros}-00f067aa0ba902b7-01"),
            format!("00-{trace}-0000000000000000-01"),
            format!("00-{}-00f067aa0ba902b7-01", trace.to_uppercase()),
            format!("00-{trace}-00f067aa0ba902b7"),
            trace.to_owned(),
            String::new(),
        ] {
            assert_eq!(parse(&bad), None, "{bad}");
        }
    }
}
