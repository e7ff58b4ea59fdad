//! Every page of the signers and of the panel, with made-up data: accessible on every screen, and a screenshot of each.

#![allow(clippy::unwrap_used, reason = "a test may stop at anything unexpected")]

mod emails;
mod server;

use journeys::{Browser, Device};
use serde_json::json;
use server::Samples;
use testkit::{TestApp, folio};
use tokio::sync::RwLock;

/// The test that measures has the machine alone: work beside it takes a part of the processor that the clock of a thread cannot see.
static MACHINE: RwLock<()> = RwLock::const_new(());

async fn look_at_all(device: Device, languages: &[&str]) {
    let _shared = MACHINE.read().await;
    let samples = Samples::serve().await;
    let browser = Browser::on(device).await;
    for name in samples.names() {
        if !languages.iter().any(|language| name.ends_with(language)) {
            continue;
        }
        browser.open(&samples.address(&name)).await;
        let what = format!("{name} on {}", device.label());
        let wide = browser
            .run("return document.documentElement.scrollWidth - innerWidth", &[])
            .await;
        assert!(wide.as_i64() <= Some(0), "{what} is {wide} pixels too wide");
        if device.is_dark() {
            // At night a page has other colours, and nothing else.
            browser.is_readable(&what).await;
        } else {
            browser.is_accessible(&what).await;
        }
        browser.picture(&format!("pages/{}", device.label()), &name).await;
    }
}

/// Bytes of a page with its styles and scripts, before any compression. Images of documents are left out: they are as large as
/// the documents want, and journeys measure how soon they are seen.
const PAGE_BYTES: u64 = 100_000;
/// What a page may cost until it is at rest, in milliseconds of the main thread.
const PAGE_CPU_MS: f64 = 100.0;
/// Pages without samples, as an installation serves them.
const SERVED: [&str; 5] = ["/", "/verify", "/mailbox", "/docs", "/docs/crear-folio"];
/// The caches of a browser that has just begun are empty, and its first pages pay for that.
const TRIES: usize = 5;

const BYTES: &str = "const [page] = performance.getEntriesByType('navigation'); \
     const files = performance.getEntriesByType('resource').filter(e => !e.name.includes('.png')); \
     return files.concat(page).reduce((sum, e) => sum + e.decodedBodySize, 0)";
/// Waits until the page has drawn itself and its scripts have nothing left to do.
const REST: &str =
    "return new Promise(done => requestAnimationFrame(() => requestIdleCallback(() => done(true))))";

/// Milliseconds that the main thread has worked for the page, counted anew with each page: time on a processor and not on a clock (`threadTicks`), so
/// that a machine busy with other things does not fail the test. A server's own time is bounded by the limits of its queues and
/// is measured by `cargo xtask bench`; what makes a page feel slow on a phone is the work in the browser.
async fn worked_ms(browser: &Browser) -> f64 {
    let metrics = browser.devtools("Performance.getMetrics", json!({})).await;
    let metrics = metrics["metrics"].as_array().unwrap();
    let tasks = metrics.iter().find(|metric| metric["name"] == "TaskDuration");
    tasks.unwrap()["value"].as_f64().unwrap() * 1000.0
}

#[tokio::test]
async fn every_page_is_light() {
    let _alone = MACHINE.write().await;
    let samples = Samples::serve().await;
    let browser = Browser::on(Device::PHONE).await;
    let names = samples.names();
    browser.open(&samples.address(&names[0])).await;
    browser
        .devtools("Performance.enable", json!({ "timeDomain": "threadTicks" }))
        .await;
    let mut heavy = Vec::new();
    for name in names.iter().filter(|name| {
        name.rsplit_once('.')
            .is_some_and(|(_, language)| language == "es")
    }) {
        heavy.extend(weighed(&browser, name, &samples.address(name)).await);
    }
    let app = TestApp::builder().delivering().at_home().start().await;
    // The mailbox has something to show.
    app.company("Acme").await.created(folio()).await;
    app.mail_to("maria.1002@example.com", "").await;
    for path in SERVED {
        let address = format!("http://{}{path}", app.address());
        heavy.extend(weighed(&browser, path, &address).await);
    }
    assert!(heavy.is_empty(), "{heavy:#?}");
}

/// What was measured of a page, if it is too heavy.
async fn weighed(browser: &Browser, name: &str, address: &str) -> Option<String> {
    let mut least = f64::INFINITY;
    for _ in 0..TRIES {
        browser.open(address).await;
        browser.until(REST).await;
        let worked = worked_ms(browser).await;
        assert!(worked > 1.0, "{name}: nothing was measured");
        least = least.min(worked);
        if least < PAGE_CPU_MS {
            break;
        }
    }
    let bytes = browser.run(BYTES, &[]).await.as_u64().unwrap();
    assert!(bytes > 1000, "{name}: {bytes} bytes were measured");
    println!("{name}: {bytes} bytes, {least:.0} ms");
    (bytes > PAGE_BYTES || least > PAGE_CPU_MS).then(|| format!("{name}: {bytes} bytes, {least:.0} ms"))
}

#[tokio::test]
async fn all_pages_on_a_phone() {
    look_at_all(Device::PHONE, &[".es", ".en", ".pt"]).await;
}

#[tokio::test]
async fn all_pages_on_a_phone_at_night() {
    look_at_all(Device::PHONE.dark(), &[".es"]).await;
}

#[tokio::test]
async fn all_pages_on_the_smallest_phone() {
    look_at_all(Device::SMALL, &[".es"]).await;
}

#[tokio::test]
async fn all_pages_on_a_desktop() {
    look_at_all(Device::DESKTOP, &[".es"]).await;
}

#[tokio::test]
async fn all_pages_on_a_desktop_at_night() {
    look_at_all(Device::DESKTOP.dark(), &[".es"]).await;
}
