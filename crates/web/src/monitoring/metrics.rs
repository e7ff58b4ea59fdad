//! The metrics, in the `OpenMetrics` text format that Prometheus reads.

use crate::api::Operation;
use app::{DeliveryCounts, SweepCounts};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use std::time::Duration;
use store::ScrubReport;

/// Upper bounds of the latency buckets, in seconds.
const LATENCY_BOUNDS: [f64; 12] = [
    0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 10.0,
];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    operation: &'static str,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OperationLabel {
    operation: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DeliveryLabels {
    channel: &'static str,
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct QueueLabel {
    queue: &'static str,
}

/// All counters.
#[derive(Debug)]
pub struct Metrics {
    requests: Family<RequestLabels, Counter>,
    latencies: Family<OperationLabel, Histogram>,
}

/// Queue lengths, read on request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gauges {
    pub(crate) reads: usize,
    pub(crate) writes: usize,
    pub(crate) records: usize,
    /// API requests that were not logged since the start.
    pub(crate) unlogged_requests: u64,
    pub(crate) outbox: Option<(i64, i64, Duration)>,
    pub(crate) webhooks: Option<(i64, i64)>,
    pub(crate) scrub: Option<ScrubReport>,
}

impl Default for Metrics {
    fn default() -> Self {
        let latencies =
            Family::new_with_constructor((|| Histogram::new(LATENCY_BOUNDS)) as fn() -> Histogram);
        // Every operation is there from the start, so that the first request is seen as a change.
        for operation in Operation::ALL.map(Operation::name) {
            drop(latencies.get_or_create(&OperationLabel { operation }));
        }
        Self {
            requests: Family::default(),
            latencies,
        }
    }
}

impl Metrics {
    /// Counts a request.
    pub(crate) fn count(&self, operation: Operation, status: u16, took: Duration) {
        let operation = operation.name();
        self.requests
            .get_or_create(&RequestLabels { operation, status })
            .inc();
        self.latencies
            .get_or_create(&OperationLabel { operation })
            .observe(took.as_secs_f64());
    }

    /// Everything as text. The names of counters get `_total` at their end, and the explanations their full stop.
    pub(crate) fn render(
        &self,
        gauges: &Gauges,
        deliveries: &DeliveryCounts,
        sweeps: &SweepCounts,
    ) -> Result<String, std::fmt::Error> {
        let mut registry = Registry::default();
        registry.register(
            "firmeza_requests",
            "Requests answered, by operation and status",
            self.requests.clone(),
        );
        registry.register(
            "firmeza_request_seconds",
            "Time from the request's head to the answer's",
            self.latencies.clone(),
        );
        register_deliveries(&mut registry, deliveries);
        register_sweeps(&mut registry, sweeps);
        register_gauges(&mut registry, gauges);
        let mut text = String::with_capacity(8192);
        encode(&mut text, &registry)?;
        Ok(text)
    }
}

fn register_deliveries(registry: &mut Registry, deliveries: &DeliveryCounts) {
    let family = Family::<DeliveryLabels, Counter>::default();
    for (channel, outcome, count) in deliveries.counts() {
        family
            .get_or_create(&DeliveryLabels { channel, outcome })
            .inc_by(count);
    }
    let help = "Attempts to send a message, by channel and outcome";
    registry.register("firmeza_deliveries", help, family);
}

fn register_sweeps(registry: &mut Registry, sweeps: &SweepCounts) {
    registry.register(
        "firmeza_swept_documents",
        "Documents without a row that were removed from the storage",
        ConstCounter::new(sweeps.removed()),
    );
    registry.register(
        "firmeza_sweep_refused",
        "Whether the last sweep refused to remove anything: the log says why",
        ConstGauge::new(i64::from(sweeps.refused())),
    );
}

fn register_gauges(registry: &mut Registry, gauges: &Gauges) {
    let depths = Family::<QueueLabel, Gauge>::default();
    for (queue, depth) in [
        ("reads", gauges.reads),
        ("writes", gauges.writes),
        ("records", gauges.records),
    ] {
        let depth = i64::try_from(depth).unwrap_or(i64::MAX);
        depths.get_or_create(&QueueLabel { queue }).set(depth);
    }
    registry.register("firmeza_queue_depth", "Work that waits for its turn", depths);
    registry.register(
        "firmeza_request_log_dropped",
        "API requests that are missing in the companies' logs",
        ConstCounter::new(gauges.unlogged_requests),
    );
    if let Some((waiting, given_up, age)) = gauges.outbox {
        registry.register(
            "firmeza_outbox_waiting",
            "Messages that wait to be sent",
            ConstGauge::new(waiting),
        );
        registry.register(
            "firmeza_outbox_given_up",
            "Messages that were given up and can be tried again by hand",
            ConstGauge::new(given_up),
        );
        registry.register(
            "firmeza_outbox_age_seconds",
            "How long the oldest of them has been due",
            ConstGauge::new(age.as_secs_f64()),
        );
    }
    if let Some(scrub) = gauges.scrub {
        registry.register(
            "firmeza_damaged_documents",
            "Documents whose stored bytes are not their own: firmeza inspect names them",
            ConstGauge::new(scrub.damaged),
        );
        let finished = scrub.finished_at.map_or(0, |at| at.as_micros() / 1_000_000);
        registry.register(
            "firmeza_scrub_finished_timestamp_seconds",
            "When all documents had last been checked for damage; 0 before the first time",
            ConstGauge::new(finished),
        );
    }
    if let Some((waiting, disabled)) = gauges.webhooks {
        registry.register(
            "firmeza_webhooks_waiting",
            "Messages to webhooks that wait to be sent",
            ConstGauge::new(waiting),
        );
        registry.register(
            "firmeza_webhooks_disabled",
            "Webhooks that are told nothing any more because they failed",
            ConstGauge::new(disabled),
        );
    }
}
