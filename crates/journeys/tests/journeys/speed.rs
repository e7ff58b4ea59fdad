//! How soon a person on a slow phone sees the first page of the document.

use crate::installation::{contract, installation, link, phone};
use serde_json::json;
use std::time::{Duration, Instant};
use testkit::signers;

/// What may pass until the first page is to be seen, in milliseconds.
const LIMIT: f64 = 1500.0;
/// How long it is tried.
const TRIES_TIMEOUT: Duration = Duration::from_mins(5);
/// Bytes of a page before images.
const BYTES: u64 = 60 << 10;

/// When the image of the first page was painted.
const PAINTED: &str = "return new Promise(done => new PerformanceObserver(list => { \
     for (const e of list.getEntries()) if (e.element?.closest('.page')) done(e.renderTime || e.loadTime) \
     }).observe({ type: 'largest-contentful-paint', buffered: true }))";
const WEIGHT: &str = "return performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource')) \
     .filter(e => !e.name.includes('.png')).reduce((sum, e) => sum + e.transferSize, 0)";

#[tokio::test]
async fn the_first_page_is_soon_to_be_seen_on_a_slow_phone() {
    let app = installation().await;
    let company = app.company("Acme").await;
    company.created(contract().signers(&signers(1))).await;
    let link = link(&app, "maria.1001@example.com").await;
    // The earlier visit has started the render workers.
    let warm = phone().await;
    warm.open(&link).await;
    warm.until("return document.querySelector('.page img').naturalWidth > 0")
        .await;
    drop(warm);
    // Other tests are at work on the same machine: the best of some tries is the page's own time.
    let begun = Instant::now();
    let mut best = f64::INFINITY;
    while begun.elapsed() < TRIES_TIMEOUT {
        let (painted, weight) = visit(&link).await;
        println!("first page seen after {painted:.0} ms; {weight} bytes before images");
        assert!(weight < BYTES, "{weight} bytes before images");
        best = best.min(painted);
        if best < LIMIT {
            return;
        }
    }
    panic!("seen after {best} ms");
}

/// How long until a browser with an empty cache shows the first page, and the requests before it.
async fn visit(link: &str) -> (f64, u64) {
    let browser = phone().await;
    browser.devtools("Network.enable", json!({})).await;
    let slow_4g = json!({
        "offline": false, "latency": 562.5, "downloadThroughput": 180_000, "uploadThroughput": 84_375,
    });
    browser
        .devtools("Network.emulateNetworkConditions", slow_4g)
        .await;
    browser
        .devtools("Emulation.setCPUThrottlingRate", json!({ "rate": 4 }))
        .await;
    browser.open(link).await;
    let painted = browser.run(PAINTED, &[]).await.as_f64().unwrap();
    (painted, browser.run(WEIGHT, &[]).await.as_u64().unwrap())
}
