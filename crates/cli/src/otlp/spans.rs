//! Spans for the collector: which are kept, and how they leave.

use super::collector::Collector;
use opentelemetry::trace::{Link, SpanKind, TraceContextExt, TraceId, TraceState};
use opentelemetry::{Context, KeyValue};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::transform::common::tonic::ResourceAttributesWithSchema;
use opentelemetry_proto::transform::trace::tonic::group_spans_by_resource_and_scope;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, Sampler, SamplingDecision, SamplingResult, SdkTracerProvider,
    ShouldSample, SpanData, SpanExporter,
};
use std::sync::Arc;
use std::time::Duration;

/// Spans that wait for the collector; further ones are lost.
const MAX_WAITING_SPANS: usize = 4096;
/// Spans in one request.
const MAX_BATCH_SPANS: usize = 512;
/// How long a span waits for others.
const BATCH_DELAY: Duration = Duration::from_secs(2);

/// What makes spans, and sends them in batches from a thread of its own.
pub(super) fn provider(
    collector: Arc<Collector>,
    resource: &Resource,
    sample_ratio: f64,
) -> SdkTracerProvider {
    let exporter = Exporter {
        collector,
        resource: ResourceAttributesWithSchema::from(resource),
    };
    let batches = BatchConfigBuilder::default()
        .with_max_queue_size(MAX_WAITING_SPANS)
        .with_max_export_batch_size(MAX_BATCH_SPANS)
        .with_scheduled_delay(BATCH_DELAY)
        .build();
    let processor = BatchSpanProcessor::builder(exporter)
        .with_batch_config(batches)
        .build();
    SdkTracerProvider::builder()
        .with_sampler(RatioSampler(Sampler::TraceIdRatioBased(sample_ratio)))
        .with_resource(resource.clone())
        .with_span_processor(processor)
        .build()
}

#[derive(Debug)]
struct Exporter {
    collector: Arc<Collector>,
    resource: ResourceAttributesWithSchema,
}

impl SpanExporter for Exporter {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let request = ExportTraceServiceRequest {
            resource_spans: group_spans_by_resource_and_scope(batch, &self.resource),
        };
        if self.collector.send("traces", &request).await {
            Ok(())
        } else {
            Err(OTelSdkError::InternalFailure("not sent".to_owned()))
        }
    }
}

/// Keeps a share of the traces, chosen by their numbers, so that all services keep the same ones. A caller that does not
/// keep a trace is followed. One that does is not: clients may claim anything, and the share is a limit.
///
/// A trace begins with a request or with a worker's run. A transaction outside them, such as a heartbeat, is none.
#[derive(Debug, Clone)]
struct RatioSampler(Sampler);

impl ShouldSample for RatioSampler {
    fn should_sample(
        &self,
        parent: Option<&Context>,
        trace: TraceId,
        name: &str,
        kind: &SpanKind,
        attributes: &[KeyValue],
        links: &[Link],
    ) -> SamplingResult {
        let parent = parent.filter(|parent| parent.span().span_context().is_valid());
        let kept = match parent {
            Some(parent) => parent.span().span_context().is_sampled(),
            None => matches!(kind, SpanKind::Server | SpanKind::Consumer),
        };
        if kept {
            return self.0.should_sample(None, trace, name, kind, attributes, links);
        }
        SamplingResult {
            decision: SamplingDecision::Drop,
            attributes: Vec::new(),
            trace_state: TraceState::NONE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use opentelemetry::trace::{SpanContext, SpanId, TraceFlags};

    #[test]
    fn a_trace_begins_with_a_request_and_follows_a_caller_that_does_not_keep_it() {
        let is_kept = |ratio, parent: Option<TraceFlags>, kind| {
            let parent = parent.map(|flags| {
                let span = SpanContext::new(TraceId::from(1), SpanId::from(1), flags, true, TraceState::NONE);
                Context::new().with_remote_span_context(span)
            });
            let sampler = RatioSampler(Sampler::TraceIdRatioBased(ratio));
            let decided =
                sampler.should_sample(parent.as_ref(), TraceId::from(u128::MAX), "", &kind, &[], &[]);
            decided.decision == SamplingDecision::RecordAndSample
        };
        let (kept, dropped) = (Some(TraceFlags::SAMPLED), Some(TraceFlags::NOT_SAMPLED));
        assert!(is_kept(1.0, None, SpanKind::Server) && is_kept(1.0, None, SpanKind::Consumer));
        assert!(!is_kept(1.0, None, SpanKind::Internal));
        assert!(is_kept(1.0, kept, SpanKind::Internal));
        assert!(!is_kept(1.0, dropped, SpanKind::Server));
        assert!(!is_kept(0.1, kept, SpanKind::Server));
    }
}
