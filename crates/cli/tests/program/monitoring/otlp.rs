//! Traces and metrics at a receiver that decodes OpenTelemetry's protocol with its official definitions.

use super::metrics_at;
use crate::support::{
    Connection, Installation, MailServer, Order, Recipients, Request, sign_all, stamped_by_another, wait_for,
};
use data_encoding::{BASE64, HEXLOWER};
use parts::Collector;
use serde_json::Value;
use std::collections::BTreeSet;

/// The trace of a caller, and the span of it that sends the request.
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";
const SECRET: &str = "una-llave-secreta";

/// An installation that sends all it can.
fn exporting(endpoint: &str) -> Installation {
    Installation::new()
        .with("FIRMEZA_OTLP_ENDPOINT", endpoint)
        .with("FIRMEZA_OTLP_HEADERS", format!("x-api-key={SECRET}"))
        .with("FIRMEZA_OTLP_SERVICE_NAME", "firmas")
        .with("FIRMEZA_OTLP_METRICS_SECONDS", "1")
}

/// The bodies that the receiver took on a path.
fn bodies(collector: &Collector, path: &str) -> Vec<Value> {
    let requests = collector.taken();
    let requests = requests
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    requests
        .filter(|request| request["path"] == path)
        .inspect(|request| assert_eq!(request["headers"]["x-api-key"], SECRET))
        .map(|request| request["body"].clone())
        .collect()
}

/// Everything below a member, over all elements of arrays on the way.
fn all<'v>(value: &'v Value, path: &[&str]) -> Vec<&'v Value> {
    let [first, rest @ ..] = path else {
        return vec![value];
    };
    let elements = value[first].as_array().map_or(&[][..], Vec::as_slice);
    elements.iter().flat_map(|element| all(element, rest)).collect()
}

fn hex(id: &Value) -> String {
    HEXLOWER.encode(&BASE64.decode(id.as_str().unwrap_or_default().as_bytes()).unwrap())
}

fn attribute<'v>(of: &'v Value, name: &str) -> &'v Value {
    let attributes = of["attributes"].as_array().map_or(&[][..], Vec::as_slice);
    let found = attributes.iter().find(|attribute| attribute["key"] == name);
    found.map_or(&Value::Null, |attribute| &attribute["value"])
}

/// Every span so far.
fn spans(collector: &Collector) -> Vec<Value> {
    let bodies = bodies(collector, "/v1/traces");
    let spans = bodies
        .iter()
        .flat_map(|body| all(body, &["resourceSpans", "scopeSpans", "spans"]));
    spans.cloned().collect()
}

/// The first span of that name, of a trace if one is given; waits for it.
fn span(collector: &Collector, name: &str, trace: Option<&str>) -> Value {
    let mut found = None;
    wait_for(&format!("a span {name}"), || {
        let fits =
            |span: &Value| span["name"] == name && trace.is_none_or(|trace| hex(&span["traceId"]) == trace);
        found = spans(collector).into_iter().find(fits);
        found.is_some()
    });
    found.unwrap()
}

#[test]
fn a_request_continues_its_callers_trace_with_its_transactions_and_its_storage() {
    let collector = Collector::start().unwrap();
    let installation = exporting(&collector.url())
        .with("FIRMEZA_LOG", "info,store=trace")
        .with("FIRMEZA_LOG_FORMAT", "json");
    let server = installation.serve();
    let client = installation.client();
    let order = Order::small();
    let traced = order
        .request()
        .with("traceparent", &format!("00-{TRACE}-{CALLER}-01"));
    assert_eq!(client.send(traced).status, 200);
    let request = span(&collector, "POST /api/integrations/sign", Some(TRACE));
    assert_eq!(hex(&request["parentSpanId"]), CALLER);
    assert_eq!(request["kind"], "SPAN_KIND_SERVER");
    for (name, value) in [
        ("http.request.method", "POST"),
        ("http.route", "/api/integrations/sign"),
        ("firmeza.operation", "create_folio"),
    ] {
        assert_eq!(attribute(&request, name)["stringValue"], value);
    }
    assert_eq!(
        attribute(&request, "http.response.status_code")["intValue"],
        "200"
    );
    for part in ["write transaction", "storage write"] {
        let part = span(&collector, part, Some(TRACE));
        assert_eq!(part["parentSpanId"], request["spanId"], "{part}");
    }
    // The store has threads of its own, which know whose work they do.
    let logged = server.logged();
    let statement = |line: &&str| line.contains("INSERT INTO folios") && line.contains(TRACE);
    assert!(logged.lines().any(|line| statement(&line)), "{logged}");

    // Parties are in the address of a page, and not in its span.
    let party = "/sign/0123456789abcdef0123456789abcdef-0";
    let mut browser = Connection::open(installation.port).unwrap();
    browser.send(&Request::get(party)).unwrap();
    span(&collector, "GET /sign/{party}", None);
    let taken = collector.taken().join("\n");
    for personal in [
        "0123456789abcdef",
        "Firmante",
        "example.com",
        "10000000",
        &order.name,
    ] {
        assert!(!taken.contains(personal), "{personal}: {taken}");
    }
    // A trace begins with a request or a run, never with a lone transaction.
    let roots = spans(&collector)
        .into_iter()
        .filter(|span| span["parentSpanId"].is_null());
    for root in roots {
        assert_ne!(root["kind"], "SPAN_KIND_INTERNAL", "{root}");
    }
}

#[test]
fn runs_of_workers_are_traced_with_their_calls() {
    let collector = Collector::start().unwrap();
    let signing = stamped_by_another(exporting(&collector.url()), 0);
    let server = signing.serve();
    let client = signing.client();
    let folio = client.created(&Order::small());
    sign_all(&client, &folio);
    let call = span(&collector, "timestamp", None);
    assert_eq!(call["kind"], "SPAN_KIND_CLIENT");
    let run = span(&collector, "extender", Some(&hex(&call["traceId"])));
    assert_eq!(run["kind"], "SPAN_KIND_CONSUMER");
    assert_eq!(call["parentSpanId"], run["spanId"]);
    // What is left is sent before the program ends.
    server.stop();
    let before = spans(&collector).len();

    let mails = MailServer::start(Recipients::Accepted);
    let mailing = exporting(&collector.url()).with("FIRMEZA_SMTP_URL", mails.url());
    let _server = mailing.serve();
    mailing.client().created(&Order::small());
    let call = span(&collector, "smtp", None);
    let run = span(&collector, "outbox worker", Some(&hex(&call["traceId"])));
    assert_eq!(call["parentSpanId"], run["spanId"]);
    assert!(spans(&collector).len() > before);
}

#[test]
fn the_collector_gets_the_metrics_that_prometheus_reads() {
    let collector = Collector::start().unwrap();
    let port = parts::free_port().unwrap();
    let installation =
        exporting(&collector.url()).with("FIRMEZA_METRICS_LISTEN", format!("127.0.0.1:{port}"));
    let _server = installation.serve();
    installation.client().created(&Order::small());
    let metric = |body: &Value, name: &str| {
        let metrics = all(body, &["resourceMetrics", "scopeMetrics", "metrics"]);
        metrics.into_iter().find(|metric| metric["name"] == name).cloned()
    };
    let counted = |body: &Value| {
        let requests = metric(body, "firmeza_requests")?;
        assert_eq!(requests["sum"]["isMonotonic"], true);
        let points = requests["sum"]["dataPoints"].as_array()?.iter();
        let mut created =
            points.filter(|point| attribute(point, "operation")["stringValue"] == "create_folio");
        created.next()?["asDouble"].as_f64()
    };
    let mut last = Value::Null;
    wait_for("the create among the metrics", || {
        last = bodies(&collector, "/v1/metrics").pop().unwrap_or_default();
        counted(&last) == Some(1.0)
    });
    let text = metrics_at(port);
    let scraped = text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
    let names = all(&last, &["resourceMetrics", "scopeMetrics", "metrics"]);
    let sent: BTreeSet<&str> = names
        .iter()
        .filter_map(|metric| metric["name"].as_str())
        .collect();
    assert_eq!(sent, scraped.collect());
    let seconds = metric(&last, "firmeza_request_seconds").unwrap();
    let point = all(&seconds["histogram"], &["dataPoints"])
        .into_iter()
        .find(|point| attribute(point, "operation")["stringValue"] == "create_folio")
        .unwrap();
    let buckets = point["bucketCounts"].as_array().unwrap();
    let in_buckets: u64 = buckets
        .iter()
        .map(|count| count.as_str().unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!((in_buckets, &point["count"]), (1, &Value::from("1")));
    assert_eq!(
        buckets.len(),
        point["explicitBounds"].as_array().unwrap().len() + 1
    );
    let resource = &last["resourceMetrics"][0]["resource"];
    assert_eq!(attribute(resource, "service.name")["stringValue"], "firmas");
    assert!(attribute(resource, "service.instance.id")["stringValue"].is_string());
}

#[test]
fn without_a_collector_the_log_says_so_once_and_the_service_goes_on() {
    let port = parts::free_port().unwrap();
    let installation = exporting(&format!("http://127.0.0.1:{port}"));
    let server = installation.serve();
    let client = installation.client();
    let warning = "the collector takes nothing";
    wait_for("the warning", || server.logged().contains(warning));
    client.created(&Order::small());
    let collector = Collector::start_at(port).unwrap();
    wait_for("the good news", || {
        server
            .logged()
            .contains("the collector takes traces and metrics again")
    });
    client.created(&Order::small());
    span(&collector, "POST /api/integrations/sign", None);
    let logged = server.logged();
    assert_eq!(logged.matches(warning).count(), 1, "{logged}");
    assert!(!logged.contains(SECRET), "{logged}");
}

#[test]
fn a_key_for_the_collector_stays_secret() {
    let local = exporting("http://127.0.0.1:4318");
    let shown = local.ok(&["config", "show"]);
    assert!(shown.contains("otlp_headers = \"***\""), "{shown}");
    for (name, value, problem) in [
        (
            "FIRMEZA_OTLP_ENDPOINT",
            "http://collector.example.com:4318",
            "need an https address",
        ),
        (
            "FIRMEZA_OTLP_ENDPOINT",
            "https://ana:clave@collector.example.com",
            "without a user",
        ),
        ("FIRMEZA_OTLP_HEADERS", SECRET, "name=value"),
        ("FIRMEZA_OTLP_SAMPLE_RATIO", "2", "from 0 to 1"),
    ] {
        let checked = exporting("http://127.0.0.1:4318")
            .with(name, value)
            .run(&["config", "check"]);
        assert_eq!(checked.code, Some(1), "{checked:?}");
        assert!(checked.stderr.contains(problem), "{problem}: {checked:?}");
        assert!(!checked.stderr.contains(SECRET), "{checked:?}");
    }
}
