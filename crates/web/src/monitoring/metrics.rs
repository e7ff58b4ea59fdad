//! The metrics, in the `OpenMetrics` text format that Prometheus reads. Every label has few values: operations, routes,
//! statuses, and names from the settings.

use super::installation::Installation;
use crate::api::Operation;
use app::{App, DeliveryCounts, SigningCounts, SweepCounts};
use axum::http::Method;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use std::time::Duration;

/// Upper bounds of the latency buckets of the API, in seconds.
const LATENCY_BOUNDS: [f64; 12] = [
    0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 10.0,
];
/// The same of pages, which are many more.
const PAGE_LATENCY_BOUNDS: [f64; 7] = [0.005, 0.025, 0.1, 0.25, 1.0, 2.5, 10.0];
/// The route of an address that the service does not have.
const NO_ROUTE: &str = "none";

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    operation: &'static str,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OperationLabel {
    operation: &'static str,
}

/// `Route` is the pattern of the path, such as `/sign/{party}`: it names no folio, and there are as many as routes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PageLabels {
    area: &'static str,
    method: &'static str,
    route: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    area: &'static str,
    route: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DeliveryLabels {
    channel: &'static str,
    outcome: &'static str,
}

/// All counters of requests.
#[derive(Debug)]
pub struct Metrics {
    requests: Family<RequestLabels, Counter>,
    latencies: Family<OperationLabel, Histogram>,
    pages: Family<PageLabels, Counter>,
    page_latencies: Family<RouteLabels, Histogram>,
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
            pages: Family::default(),
            page_latencies: Family::new_with_constructor(
                (|| Histogram::new(PAGE_LATENCY_BOUNDS)) as fn() -> Histogram,
            ),
        }
    }
}

impl Metrics {
    /// Counts a request of the API.
    pub(crate) fn count(&self, operation: Operation, status: u16, took: Duration) {
        let operation = operation.name();
        self.requests
            .get_or_create(&RequestLabels { operation, status })
            .inc();
        self.latencies
            .get_or_create(&OperationLabel { operation })
            .observe(took.as_secs_f64());
    }

    /// Counts a request that is not of the API, by the pattern of its path.
    pub(crate) fn count_page(&self, method: &Method, route: Option<&str>, status: u16, took: Duration) {
        let route = route.unwrap_or(NO_ROUTE);
        let (area, route) = (area(route), route.to_owned());
        self.page_latencies
            .get_or_create(&RouteLabels {
                area,
                route: route.clone(),
            })
            .observe(took.as_secs_f64());
        let method = match *method {
            Method::GET => "GET",
            Method::HEAD => "HEAD",
            Method::POST => "POST",
            _ => "other",
        };
        self.pages
            .get_or_create(&PageLabels {
                area,
                method,
                route,
                status,
            })
            .inc();
    }

    /// Everything as text. The names of counters get `_total` at their end, and the explanations their full stop.
    pub(crate) fn render(&self, app: &App, installation: &Installation) -> Result<String, std::fmt::Error> {
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
        registry.register(
            "firmeza_page_requests",
            "Requests for pages of signers, of the panel and others, by route and status",
            self.pages.clone(),
        );
        registry.register(
            "firmeza_page_seconds",
            "Time from the head of a request for a page to the answer's",
            self.page_latencies.clone(),
        );
        register_signing(&mut registry, &app.signing_counts);
        register_deliveries(&mut registry, &app.delivery_counts);
        register_sweeps(&mut registry, &app.sweep_counts);
        registry.register(
            "firmeza_reminders",
            "Reminders queued by the schedules of companies",
            ConstCounter::new(app.reminder_counts.queued()),
        );
        registry.register(
            "firmeza_request_log_dropped",
            "API requests that are missing in the companies' logs",
            ConstCounter::new(app.request_log.dropped()),
        );
        installation.register(&mut registry);
        let mut text = String::with_capacity(16 << 10);
        encode(&mut text, &registry)?;
        Ok(text)
    }
}

/// Whose page a route is.
fn area(route: &str) -> &'static str {
    let is_of = |area: &str| {
        route
            .strip_prefix(area)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    match route {
        _ if is_of("/sign") => "signer",
        _ if is_of("/panel") => "panel",
        _ => "other",
    }
}

fn register_signing(registry: &mut Registry, signing: &SigningCounts) {
    registry.register(
        "firmeza_codes",
        "One-time codes: sent, and typed ones by outcome",
        signing.codes.clone(),
    );
    registry.register(
        "firmeza_rejections",
        "Folios that a signer rejected",
        signing.rejections.clone(),
    );
    registry.register(
        "firmeza_time_to_sign_seconds",
        "Signatures, by the time from the creation of the folio",
        signing.time_to_sign.clone(),
    );
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
}

#[cfg(test)]
mod tests {
    use super::area;

    #[test]
    fn a_route_belongs_to_signers_to_the_panel_or_to_neither() {
        assert_eq!(area("/sign"), "signer");
        assert_eq!(area("/sign/{party}/code"), "signer");
        assert_eq!(area("/panel/folios"), "panel");
        assert_eq!(area("/signature"), "other");
        assert_eq!(area("none"), "other");
    }
}
