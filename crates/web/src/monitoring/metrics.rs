//! The metrics, in the Prometheus text format.

use crate::api::Operation;
use app::DeliveryCounts;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The statuses that are counted one by one; any other counts as 0.
const STATUSES: [u16; 18] = [
    200, 206, 304, 400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 416, 429, 500, 503, 0,
];
/// Upper bounds of the latency buckets, in microseconds.
const LATENCY_BOUNDS_MICROS: [u64; 12] = [
    250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 10_000_000,
];

/// Counters of one operation.
#[derive(Debug, Default)]
struct OperationCounters {
    statuses: [AtomicU64; STATUSES.len()],
    buckets: [AtomicU64; LATENCY_BOUNDS_MICROS.len()],
    micros: AtomicU64,
    count: AtomicU64,
}

/// All counters.
#[derive(Debug, Default)]
pub struct Metrics {
    series: [OperationCounters; Operation::ALL.len()],
}

/// Queue lengths, read on request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gauges {
    pub(crate) reads: usize,
    pub(crate) writes: usize,
    pub(crate) records: usize,
    pub(crate) outbox: Option<(i64, i64, Duration)>,
    pub(crate) webhooks: Option<(i64, i64)>,
}

impl Metrics {
    /// Counts a request.
    pub(crate) fn count(&self, operation: Operation, status: u16, took: Duration) {
        let series = &self.series[operation as usize];
        let index = STATUSES
            .iter()
            .position(|s| *s == status)
            .unwrap_or(STATUSES.len() - 1);
        series.statuses[index].fetch_add(1, Relaxed);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        if let Some(bucket) = LATENCY_BOUNDS_MICROS.iter().position(|bound| micros <= *bound) {
            series.buckets[bucket].fetch_add(1, Relaxed);
        }
        series.micros.fetch_add(micros, Relaxed);
        series.count.fetch_add(1, Relaxed);
    }

    /// Everything as text.
    pub(crate) fn render(&self, gauges: &Gauges, deliveries: &DeliveryCounts) -> String {
        let mut text = String::with_capacity(8192);
        let _ = self
            .write_series(&mut text)
            .and_then(|()| write_deliveries(&mut text, deliveries))
            .and_then(|()| write_gauges(&mut text, gauges));
        text
    }

    fn write_series(&self, text: &mut String) -> std::fmt::Result {
        writeln!(
            text,
            "# HELP firmeza_requests_total Requests answered, by operation and status."
        )?;
        writeln!(text, "# TYPE firmeza_requests_total counter")?;
        for (operation, series) in Operation::ALL.iter().zip(&self.series) {
            for (status, count) in STATUSES.iter().zip(&series.statuses) {
                let (name, count) = (operation.name(), count.load(Relaxed));
                if count > 0 {
                    writeln!(
                        text,
                        "firmeza_requests_total{{operation=\"{name}\",status=\"{status}\"}} {count}"
                    )?;
                }
            }
        }
        writeln!(
            text,
            "# HELP firmeza_request_seconds Time from the request's head to the answer's."
        )?;
        writeln!(text, "# TYPE firmeza_request_seconds histogram")?;
        for (operation, series) in Operation::ALL.iter().zip(&self.series) {
            let (name, count) = (operation.name(), series.count.load(Relaxed));
            let mut cumulative = 0;
            for (bound, bucket) in LATENCY_BOUNDS_MICROS.iter().zip(&series.buckets) {
                cumulative += bucket.load(Relaxed);
                let le = Duration::from_micros(*bound).as_secs_f64();
                writeln!(
                    text,
                    "firmeza_request_seconds_bucket{{operation=\"{name}\",le=\"{le}\"}} {cumulative}"
                )?;
            }
            writeln!(
                text,
                "firmeza_request_seconds_bucket{{operation=\"{name}\",le=\"+Inf\"}} {count}"
            )?;
            let sum = Duration::from_micros(series.micros.load(Relaxed)).as_secs_f64();
            writeln!(text, "firmeza_request_seconds_sum{{operation=\"{name}\"}} {sum}")?;
            writeln!(
                text,
                "firmeza_request_seconds_count{{operation=\"{name}\"}} {count}"
            )?;
        }
        Ok(())
    }
}

fn write_deliveries(text: &mut String, deliveries: &DeliveryCounts) -> std::fmt::Result {
    writeln!(
        text,
        "# HELP firmeza_deliveries_total Attempts to send a message, by channel and outcome."
    )?;
    writeln!(text, "# TYPE firmeza_deliveries_total counter")?;
    for (channel, outcome, count) in deliveries.counts() {
        writeln!(
            text,
            "firmeza_deliveries_total{{channel=\"{channel}\",outcome=\"{outcome}\"}} {count}"
        )?;
    }
    Ok(())
}

fn write_gauges(text: &mut String, gauges: &Gauges) -> std::fmt::Result {
    writeln!(text, "# HELP firmeza_queue_depth Work that waits for its turn.")?;
    writeln!(text, "# TYPE firmeza_queue_depth gauge")?;
    for (name, depth) in [
        ("reads", gauges.reads),
        ("writes", gauges.writes),
        ("records", gauges.records),
    ] {
        writeln!(text, "firmeza_queue_depth{{queue=\"{name}\"}} {depth}")?;
    }
    if let Some((waiting, given_up, age)) = gauges.outbox {
        writeln!(
            text,
            "# HELP firmeza_outbox_waiting Messages that wait to be sent."
        )?;
        writeln!(text, "# TYPE firmeza_outbox_waiting gauge")?;
        writeln!(text, "firmeza_outbox_waiting {waiting}")?;
        writeln!(
            text,
            "# HELP firmeza_outbox_given_up Messages that were given up and can be tried again by hand."
        )?;
        writeln!(text, "# TYPE firmeza_outbox_given_up gauge")?;
        writeln!(text, "firmeza_outbox_given_up {given_up}")?;
        writeln!(
            text,
            "# HELP firmeza_outbox_age_seconds How long the oldest of them has been due."
        )?;
        writeln!(text, "# TYPE firmeza_outbox_age_seconds gauge")?;
        writeln!(text, "firmeza_outbox_age_seconds {}", age.as_secs_f64())?;
    }
    if let Some((waiting, disabled)) = gauges.webhooks {
        writeln!(
            text,
            "# HELP firmeza_webhooks_waiting Messages to webhooks that wait to be sent."
        )?;
        writeln!(text, "# TYPE firmeza_webhooks_waiting gauge")?;
        writeln!(text, "firmeza_webhooks_waiting {waiting}")?;
        writeln!(
            text,
            "# HELP firmeza_webhooks_disabled Webhooks that are told nothing any more because they failed."
        )?;
        writeln!(text, "# TYPE firmeza_webhooks_disabled gauge")?;
        writeln!(text, "firmeza_webhooks_disabled {disabled}")?;
    }
    Ok(())
}
