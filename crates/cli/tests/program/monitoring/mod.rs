//! What an operator watches with: dashboard, rules for alerts, runbook, traces.

mod clock;
mod otlp;

use crate::support::{Connection, Installation, Order, Request, wait_for};
use parts::Prometheus;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

const RULES: &str = "deploy/prometheus/firmeza.rules.yml";
const RULE_TESTS: &str = "deploy/prometheus/firmeza.rules.test.yml";
const DASHBOARD: &str = "deploy/grafana/firmeza.json";

fn file(path: &str) -> PathBuf {
    parts::workspace().join(path)
}

fn text(path: &str) -> String {
    fs::read_to_string(file(path)).unwrap()
}

/// The names behind that mark at the beginning of lines.
fn names(text: &str, mark: &str) -> BTreeSet<String> {
    let names = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix(mark));
    names.map(|name| name.trim().to_owned()).collect()
}

/// The metrics that a text names.
fn metrics(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| c != '_' && !c.is_ascii_alphanumeric());
    words.filter(|word| word.starts_with("firmeza_")).collect()
}

/// What Prometheus would read at that port.
fn metrics_at(port: u16) -> String {
    let mut connection = Connection::open(port).unwrap();
    connection.send(&Request::get("/metrics")).unwrap().text()
}

/// Every query of the dashboard.
fn queries() -> Vec<String> {
    let dashboard: serde_json::Value = serde_json::from_str(&text(DASHBOARD)).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let targets = panels.filter_map(|panel| panel["targets"].as_array()).flatten();
    targets
        .map(|target| target["expr"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn every_alert_has_an_entry_in_the_runbook_and_a_test() {
    let alerts = names(&text(RULES), "- alert:");
    assert!(alerts.len() > 10, "{alerts:?}");
    assert_eq!(names(&text("docs/runbook.md"), "## "), alerts);
    let tested = names(&text(RULE_TESTS), "- alertname:");
    assert_eq!(tested, alerts);
    for alert in &alerts {
        let runbook = format!("runbook: docs/runbook.md#{}", alert.to_lowercase());
        assert!(text(RULES).contains(&runbook), "{runbook}");
    }
}

#[test]
fn the_rules_fire_and_stay_quiet_as_their_tests_say() {
    Prometheus::test_rules(&file(RULE_TESTS)).unwrap();
}

#[test]
fn a_real_prometheus_finds_data_for_every_query_and_every_rule() {
    let port = parts::free_port().unwrap();
    let installation = Installation::new().with("FIRMEZA_METRICS_LISTEN", format!("127.0.0.1:{port}"));
    let _server = installation.serve();
    installation.client().created(&Order::small());
    let mut browser = Connection::open(installation.port).unwrap();
    for page in ["/sign", "/panel/sign-in"] {
        browser.send(&Request::get(page)).unwrap();
    }
    let prometheus = Prometheus::scrape(port, &file(RULES)).unwrap();
    let (queries, rules) = (queries(), text(RULES));
    assert!(queries.len() > 20, "{queries:?}");
    let used = metrics(&rules).into_iter().map(str::to_owned);
    for query in queries.into_iter().chain(used) {
        wait_for(&format!("data for {query}"), || {
            !prometheus.query(&query).unwrap().trim().is_empty()
        });
    }
}
