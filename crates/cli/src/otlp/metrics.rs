//! The metrics that Prometheus would read, for the collector: the same names and labels, so that dashboards and alerts fit both.

use super::collector::Collector;
use super::open_metrics::{Family, Sample, read};
use app::Clock;
use opentelemetry::KeyValue;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue as Attribute;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::number_data_point::Value;
use opentelemetry_proto::tonic::metrics::v1::{
    AggregationTemporality, Gauge, Histogram, HistogramDataPoint, Metric, NumberDataPoint, ResourceMetrics,
    ScopeMetrics, Sum,
};
use opentelemetry_proto::tonic::resource::v1::Resource as Origin;
use opentelemetry_proto::transform::common::tonic::{Attributes, ResourceAttributesWithSchema};
use opentelemetry_sdk::Resource;
use std::time::Duration;
use tokio::time::MissedTickBehavior;
use web::Web;

/// Sends the metrics in an interval.
pub(super) async fn send_each(interval: Duration, collector: &Collector, resource: &Resource, web: &Web) {
    let since = now();
    let origin = Origin {
        attributes: ResourceAttributesWithSchema::from(resource).attributes.0,
        ..Origin::default()
    };
    let mut ticks = tokio::time::interval(interval);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        match web.metrics_text().await {
            Ok(text) => {
                let period = Period { since, until: now() };
                let request = request(&origin, &read(&text), period);
                // The collector has logged a failure.
                let _ = collector.send("metrics", &request).await;
            }
            Err(error) => tracing::warn!(%error, "the metrics cannot be written"),
        }
    }
}

/// What a value counts, in nanoseconds since 1970.
#[derive(Debug, Clone, Copy)]
struct Period {
    since: u64,
    until: u64,
}

/// The time of this machine: a sandbox may have moved its own.
fn now() -> u64 {
    let micros = Clock::System.now().as_micros();
    u64::try_from(micros).unwrap_or(0).saturating_mul(1000)
}

fn request(origin: &Origin, families: &[Family], period: Period) -> ExportMetricsServiceRequest {
    let metrics = families.iter().map(|family| metric(family, period)).collect();
    ExportMetricsServiceRequest {
        resource_metrics: vec![ResourceMetrics {
            resource: Some(origin.clone()),
            scope_metrics: vec![ScopeMetrics {
                metrics,
                ..ScopeMetrics::default()
            }],
            ..ResourceMetrics::default()
        }],
    }
}

fn metric(family: &Family, period: Period) -> Metric {
    let temporality = AggregationTemporality::Cumulative.into();
    let data = match family.kind.as_str() {
        "counter" => Data::Sum(Sum {
            data_points: numbers(family, period),
            aggregation_temporality: temporality,
            is_monotonic: true,
        }),
        "histogram" => Data::Histogram(Histogram {
            data_points: histograms(family, period),
            aggregation_temporality: temporality,
        }),
        _ => Data::Gauge(Gauge {
            data_points: numbers(family, period),
        }),
    };
    Metric {
        name: family.name.clone(),
        description: family.help.clone(),
        data: Some(data),
        ..Metric::default()
    }
}

fn numbers(family: &Family, period: Period) -> Vec<NumberDataPoint> {
    let number = |sample: &Sample| NumberDataPoint {
        attributes: attributes(&sample.labels),
        start_time_unix_nano: period.since,
        time_unix_nano: period.until,
        value: Some(Value::AsDouble(sample.value)),
        ..NumberDataPoint::default()
    };
    family.samples.iter().map(number).collect()
}

/// The samples of a histogram with the same labels, together: `_sum`, `_count`, and a `_bucket` for each bound. A bucket counts
/// what is below its bound, and for the collector what is above the one before.
fn histograms(family: &Family, period: Period) -> Vec<HistogramDataPoint> {
    let mut points: Vec<(Vec<(String, String)>, HistogramDataPoint)> = Vec::new();
    for sample in &family.samples {
        let (labels, bound) = sample.split_label("le");
        let place = points.iter().position(|(known, _)| *known == labels);
        let place = place.unwrap_or_else(|| {
            let point = HistogramDataPoint {
                attributes: attributes(&labels),
                start_time_unix_nano: period.since,
                time_unix_nano: period.until,
                ..HistogramDataPoint::default()
            };
            points.push((labels, point));
            points.len() - 1
        });
        let point = &mut points[place].1;
        match (sample.suffix.as_str(), bound.map(str::parse::<f64>)) {
            ("_sum", _) => point.sum = Some(sample.value),
            ("_count", _) => point.count = whole(sample.value),
            ("_bucket", Some(Ok(bound))) => {
                let below: u64 = point.bucket_counts.iter().sum();
                point
                    .bucket_counts
                    .push(whole(sample.value).saturating_sub(below));
                if bound.is_finite() {
                    point.explicit_bounds.push(bound);
                }
            }
            _ => {}
        }
    }
    points.into_iter().map(|(_, point)| point).collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count is a whole number, and below 2^53"
)]
fn whole(value: f64) -> u64 {
    value as u64
}

fn attributes(labels: &[(String, String)]) -> Vec<Attribute> {
    let labels = labels.iter().cloned();
    Attributes::from(labels.map(|(name, value)| KeyValue::new(name, value))).0
}
