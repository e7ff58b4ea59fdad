//! How soon a person on a slow phone sees the first page of the document.

use crate::installation::{contract, installation, link, phone};
use crate::scan::scan;
use journeys::Browser;
use render::{Launch, Limits, Pool, Rendered, Source};
use serde_json::{Value, json};
use std::sync::Arc;
use testkit::{FolioFields, TestApp, signers};

/// The line of a slow phone: what a request waits for its first byte, in milliseconds, and bytes a second.
const LATENCY: f64 = 562.5;
const BYTES_PER_SECOND: f64 = 180_000.0;
/// What may pass on that line until the first page is to be seen, in milliseconds.
const LIMIT: f64 = 1500.0;
const MAX_SCAN_MS: f64 = 2000.0;
/// Bytes of the first image of a scan, and of the sharp one.
const FIRST_IMAGE_BYTES: u64 = 120_000;
const SHARP_IMAGE_BYTES: u64 = 350_000;

/// What a browser asked for before the image of the first page can be seen: redirects on the way to the document, how the
/// image was found, its bytes, and the bytes of everything that is no image.
const BEFORE: &str = "const [page] = performance.getEntriesByType('navigation'); \
     const resources = performance.getEntriesByType('resource'); \
     const first = resources.find(e => e.name.endsWith('/1.png?w=720')); \
     const others = resources.filter(e => !e.name.includes('.png')).concat(page); \
     return [page.redirectCount, first.initiatorType, first.transferSize, \
         others.reduce((sum, e) => sum + e.transferSize, 0)]";

/// The bytes of an image of the first page, at that width.
const IMAGE_BYTES: &str = "return performance.getEntriesByType('resource') \
     .find(e => e.initiatorType !== 'fetch' && e.name.endsWith('/1.png?w=' + arguments[0])).encodedBodySize";

/// The type and `Vary` of the first image for clients that take everything, JPEG, and no JPEG.
const KINDS: &str = "return Promise.all(['*/*', 'image/jpeg;q=0.5', 'image/png, image/webp'].map(async accept => { \
     const image = document.querySelector('.page img'); \
     const { headers } = await fetch(image.src, { method: 'HEAD', headers: { accept } }); \
     return [headers.get('content-type'), headers.get('vary')] }))";

#[tokio::test]
async fn the_first_page_is_soon_to_be_seen_on_a_slow_phone() {
    let (_app, browser) = shown(contract()).await;
    let (milliseconds, _) = until_seen(&browser).await;
    assert!(milliseconds < LIMIT, "seen after {milliseconds:.0} ms");
}

#[tokio::test]
async fn the_first_page_of_a_scan_is_soon_readable_on_a_slow_phone_and_then_sharp() {
    let document = tokio::task::spawn_blocking(ten_scanned_pages).await.unwrap();
    let folio = testkit::folio().documents([("Contrato escaneado.pdf", document)]);
    let (_app, browser) = shown(folio).await;
    let (milliseconds, first) = until_seen(&browser).await;
    assert!(milliseconds < MAX_SCAN_MS, "readable after {milliseconds:.0} ms");
    browser
        .until("return document.querySelector('.page img').currentSrc.endsWith('w=1080')")
        .await;
    let sharp = browser.run(IMAGE_BYTES, &[Value::from(1080)]).await;
    let sharp = sharp.as_u64().unwrap();
    let kinds = browser.run(KINDS, &[]).await;
    assert_eq!(
        kinds,
        json!([
            ["image/jpeg", "Accept"],
            ["image/jpeg", "Accept"],
            ["image/png", "Accept"]
        ])
    );
    println!("first image of {first} bytes, sharp one of {sharp}");
    assert!((1..=FIRST_IMAGE_BYTES).contains(&first), "{first}");
    assert!((first..=SHARP_IMAGE_BYTES).contains(&sharp), "{sharp}");
}

fn ten_scanned_pages() -> Vec<u8> {
    let launch = Launch {
        program: env!("CARGO_BIN_EXE_render_worker").into(),
        arguments: Vec::new(),
    };
    let source = Source {
        key: [0; 32],
        bytes: Arc::from(testkit::pdf::lease(1)),
    };
    match Pool::new(launch, 1, Limits::default()).image(&source, 0, 1240) {
        Ok(Rendered::Faithful(page)) => scan(&page.file, 10),
        other => panic!("{other:?}"),
    }
}

/// The folio in a browser with an empty cache, on the line of a slow phone, once its first page is to be seen.
async fn shown(folio: FolioFields) -> (TestApp, Browser) {
    let app = installation().await;
    app.company("Acme")
        .await
        .created(folio.signers(&signers(1)))
        .await;
    let link = link(&app, "maria.1001@example.com").await;
    let browser = phone().await;
    browser.devtools("Network.enable", json!({})).await;
    let slow_4g = json!({
        "offline": false, "latency": LATENCY, "downloadThroughput": BYTES_PER_SECOND, "uploadThroughput": 84_375,
    });
    browser
        .devtools("Network.emulateNetworkConditions", slow_4g)
        .await;
    browser.open(&link).await;
    browser
        .until("return document.querySelector('.page img').naturalWidth > 0")
        .await;
    (app, browser)
}

/// The milliseconds until the first page is seen on the line of a slow phone, and the bytes of its image.
///
/// They are computed, so that other work on the machine does not count: the browser waits for the document and then, since
/// the document itself names the image, once more for the image; and everything that is no image of another page shares
/// the line with it. The images of the other pages wait for the first one.
async fn until_seen(browser: &Browser) -> (f64, u64) {
    let before = browser.run(BEFORE, &[]).await;
    let [redirects, found_by, image, others] = [0, 1, 2, 3].map(|place| before[place].clone());
    assert_eq!(found_by, "link", "the document names the image in its head");
    let number = |value: &Value| value.as_f64().unwrap();
    let waits = number(&redirects) + 2.0;
    let bytes = number(&image) + number(&others);
    let milliseconds = waits * LATENCY + bytes / BYTES_PER_SECOND * 1000.0;
    println!("{redirects} redirects, {image} bytes of the image, {others} of others: {milliseconds:.0} ms");
    (milliseconds, image.as_u64().unwrap())
}
