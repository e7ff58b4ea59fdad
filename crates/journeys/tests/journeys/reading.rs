//! Reading: all pages in one view, the index, the search, a page enlarged.

use crate::installation::{MARIA, here, installation, link, phone};
use journeys::{Browser, Device};
use serde_json::{Value, json};
use testkit::{Company, FolioFields, TestApp, pdf, signer, signers};

/// Pages whose image has come, of the document with that place on the page.
const LOADED: &str = "return [...document.querySelectorAll('.pages')[arguments[0]].querySelectorAll('img')] \
     .filter(image => image.naturalWidth > 0).map(image => +image.closest('li').id.split('-')[1])";
/// Whether the page with that number of the last document is in view, with its image.
const IN_VIEW: &str = "const page = [...document.querySelectorAll('.pages')].at(-1).children[arguments[0] - 1]; \
     const { top, bottom } = page.getBoundingClientRect(); \
     return top < innerHeight && bottom > 0 && page.querySelector('img').naturalWidth > 0";

/// Two documents, of three and of sixty pages.
fn long_folio() -> FolioFields {
    testkit::folio().signers(&signers(1)).documents([
        ("Contrato de arrendamiento.pdf", pdf::lease(3)),
        ("Anexo técnico.pdf", pdf::lease(60)),
    ])
}

async fn opened(app: &TestApp, browser: &Browser) {
    app.company("Acme").await.created(long_folio()).await;
    browser.open(&link(app, MARIA).await).await;
    browser
        .until("return document.querySelector('.page img').naturalWidth > 0")
        .await;
}

/// What the history says that the signer was shown, when the text was accepted.
async fn accepted(company: &Company<'_>, folio: &str) -> Value {
    let events = company.events(folio).await;
    let accepted = events.into_iter().find(|event| event["what"] == "accepted");
    let shown = accepted.unwrap()["shown"].as_array().unwrap().clone();
    shown
        .iter()
        .map(|shown| json!([shown["shown"], shown["pages"]]))
        .collect()
}

async fn demanded_on(device: Device) {
    let app = installation().await;
    let company = app.company("Acme").await;
    company.choose(|settings| settings.read_to_end = true).await;
    let documents = [
        ("Contrato de arrendamiento.pdf", pdf::lease(3)),
        ("Anexo técnico.pdf", pdf::lease(9)),
    ];
    let folio = company
        .created(testkit::folio().signers(&signers(1)).documents(documents))
        .await;
    let browser = Browser::on(device).await;
    browser.open(&link(&app, MARIA).await).await;
    browser.press("label[for=consent]").await;
    browser.press(".go").await;
    browser
        .sees("Antes de continuar, vea hasta la última página (o descargue): Contrato de arrendamiento.pdf, Anexo técnico.pdf.")
        .await;
    browser.is_accessible("documents that are not read").await;
    browser.glance("reader", &format!("{}-unread", device.name)).await;
    for end in ["[0].children[2]", "[1].children[8]"] {
        let end = format!("document.querySelectorAll('.pages'){end}");
        browser
            .run(&format!("{end}.scrollIntoView({{ behavior: 'instant' }})"), &[])
            .await;
        browser
            .until(&format!("return {end}.querySelector('img').naturalWidth > 0"))
            .await;
    }
    browser.press("label[for=consent]").await;
    browser
        .sees("«Contrato de arrendamiento.pdf» (3 de 3 páginas)")
        .await;
    browser.press(".go").await;
    browser.sees("Escriba el código").await;
    browser.sees("Usted aceptó:").await;
    browser.is_accessible("what was accepted").await;
    browser
        .picture("reader", &format!("{}-accepted", device.name))
        .await;
    let shown = accepted(&company, &folio).await;
    assert_eq!(shown[0], json!([3, 3]));
    let text = format!("«Anexo técnico.pdf» ({} de 9 páginas)", shown[1][0]);
    browser.sees(&text).await;
    let ends = company.events(&folio).await;
    let ends = ends.iter().filter(|event| event["what"] == "end_reached");
    assert_eq!(ends.count(), 2);
}

#[tokio::test]
async fn a_company_demands_reading_to_the_end_on_a_phone() {
    demanded_on(Device::PHONE).await;
}

#[tokio::test]
async fn a_company_demands_reading_to_the_end_on_a_desktop() {
    demanded_on(Device::DESKTOP).await;
}

async fn until_in_view(browser: &Browser, page: u32) {
    let script = IN_VIEW.replace("arguments[0]", &page.to_string());
    browser.until(&script).await;
}

async fn read_on(device: Device) {
    let app = installation().await;
    let browser = Browser::on(device).await;
    opened(&app, &browser).await;
    let name = |part: &str| format!("{}-{part}", device.name);
    // All pages are there; those that are far away have not been asked for.
    let count = "return [...document.querySelectorAll('.pages')].map(list => list.children.length)";
    assert_eq!(browser.run(count, &[]).await, json!([3, 60]));
    assert_eq!(browser.run(LOADED, &[Value::from(1)]).await, json!([]));
    // As one scrolls, pages load.
    browser
        .run(
            "document.querySelectorAll('.pages')[1].children[1].scrollIntoView({ behavior: 'instant' })",
            &[],
        )
        .await;
    until_in_view(&browser, 2).await;
    browser
        .until("return document.querySelector('#at').value === '2'")
        .await;
    browser.is_accessible("the reader").await;
    browser.glance("reader", &name("page")).await;
    // The jump.
    browser.run("document.querySelector('#at').focus()", &[]).await;
    browser.write("#at", "41\n").await;
    until_in_view(&browser, 41).await;
    let loaded = browser.run(LOADED, &[Value::from(1)]).await;
    let passed = loaded.as_array().unwrap().contains(&json!(25));
    assert!(!passed, "pages that were passed by are not loaded: {loaded}");
    // The index.
    browser.press("[data-open='#shut']").await;
    browser
        .until("return document.querySelector('#index ol img').naturalWidth > 0")
        .await;
    browser.is_accessible("the index").await;
    browser.glance("reader", &name("index")).await;
    browser
        .press("#index h3:nth-of-type(2) + ol li:nth-child(58) a")
        .await;
    until_in_view(&browser, 58).await;
    assert!(!browser.has("#index[open]").await);
    // The search.
    browser.press("[data-open='#q']").await;
    browser.write("#q", "ARRENDAMIENTO").await;
    browser.press("#index .search button").await;
    browser.sees("Anexo técnico.pdf: Página 1 de 60").await;
    browser.is_accessible("the search").await;
    browser.glance("reader", &name("search")).await;
    browser.press("#index [data-next]").await;
    browser.sees("Anexo técnico.pdf: Página 50 de 60").await;
    browser.press("#index .matches li:nth-child(5) a").await;
    until_in_view(&browser, 2).await;
    // A page enlarged does not close by a touch; keys zoom.
    browser.press(".pages:nth-of-type(1) [data-zoom]").await;
    browser
        .until("return document.querySelector('#large img').src.endsWith('w=1440')")
        .await;
    let width = "return document.querySelector('#large img').getBoundingClientRect().width";
    let before = browser.run(width, &[]).await.as_f64().unwrap();
    browser.press("#large img").await;
    browser.press("[data-by='1']").await;
    browser.until(&format!("{width} > {before}")).await;
    browser.is_accessible("a page enlarged").await;
    browser.glance("reader", &name("large")).await;
    pinched(&browser, device).await;
    browser.until(&format!("{width} > {before}")).await;
    browser.glance("reader", &name("pinched")).await;
    let key = "document.querySelector('.sheet').dispatchEvent(new KeyboardEvent('keydown', { key: '-', bubbles: true }))";
    for _ in 0..3 {
        browser.run(key, &[]).await;
    }
    browser.until(&format!("{width} === {before}")).await;
    browser.press("#large button:last-child").await;
    assert!(!browser.has("#large[open]").await);
}

#[tokio::test]
async fn a_page_that_comes_late_does_not_replace_another_one() {
    let app = installation().await;
    let documents = [("Contrato.pdf", pdf::lease(3)), ("Anexo.pdf", pdf::lease(3))];
    let fields = testkit::folio().signers(&signers(1)).documents(documents);
    app.company("Acme").await.created(fields).await;
    let browser = phone().await;
    browser.open(&link(&app, MARIA).await).await;
    for at in 0..2 {
        let script = "const image = document.querySelectorAll('.pages')[AT].querySelector('img'); \
                      image.scrollIntoView({ behavior: 'instant' }); return image.naturalWidth > 0";
        browser.until(&script.replace("AT", &at.to_string())).await;
    }
    // Sharp images come when the test says so.
    let hold = "window.held = []; \
                HTMLImageElement.prototype.decode = function () { return new Promise(come => held.push({ src: this.src, come })); }";
    browser.run(hold, &[]).await;
    browser.press(".document:nth-of-type(1) [data-zoom]").await;
    browser.press("#large button:last-child").await;
    browser.press(".document:nth-of-type(2) [data-zoom]").await;
    let label = "return document.querySelector('#large').getAttribute('aria-label')";
    assert_eq!(browser.run(label, &[]).await, "Anexo.pdf: Página 1 de 3");
    let first = "held.filter(({ src }) => src.startsWith(document.querySelector('.page').href))";
    browser.until(&format!("return {first}.length === 1")).await;
    browser.run(&format!("{first}[0].come()"), &[]).await;
    let shown = "return document.querySelector('#large img').src.startsWith(document.querySelectorAll('.pages')[1].querySelector('a').href.split('?')[0])";
    assert_eq!(browser.run(shown, &[]).await, json!(true));
}

/// The part of the enlarged page that is at a place of the screen, how large the page is, and how large the browser shows all.
const UNDER: &str = "const [x, y] = arguments; const page = document.querySelector('#large img').getBoundingClientRect(); \
     return [(x - page.left) / page.width, (y - page.top) / page.height, page.width, visualViewport.scale]";

/// Two fingers, or a trackpad, enlarge the page about the place where they are. Nothing else becomes larger, and nothing closes.
async fn pinched(browser: &Browser, device: Device) {
    let (x, y) = (150, 300);
    let under = async || {
        let told = browser.run(UNDER, &[x.into(), y.into()]).await;
        let told = told.as_array().unwrap().iter();
        told.map(|number| number.as_f64().unwrap()).collect::<Vec<f64>>()
    };
    let before = under().await;
    if device.name == "phone" {
        for (kind, apart) in [
            ("touchStart", 40),
            ("touchMove", 50),
            ("touchMove", 60),
            ("touchEnd", 0),
        ] {
            let points = if apart == 0 {
                json!([])
            } else {
                json!([{ "x": x - apart, "y": y, "id": 0 }, { "x": x + apart, "y": y, "id": 1 }])
            };
            let event = json!({ "type": kind, "touchPoints": points });
            browser.devtools("Input.dispatchTouchEvent", event).await;
        }
    } else {
        let turn =
            json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": -40, "modifiers": 2 });
        browser.devtools("Input.dispatchMouseEvent", turn).await;
    }
    let wide = "return document.querySelector('#large img').getBoundingClientRect().width";
    browser.until(&format!("{wide} > {} * 1.3", before[2])).await;
    let after = under().await;
    for side in 0..2 {
        let moved = (after[side] - before[side]).abs();
        assert!(moved < 0.02, "it jumps: {before:?}, {after:?}");
    }
    assert!(
        (after[3] - 1.0).abs() < 0.01,
        "the whole page was enlarged: {after:?}"
    );
    assert!(browser.has("#large[open]").await);
}

#[tokio::test]
async fn a_long_folio_on_a_phone() {
    read_on(Device::PHONE).await;
}

#[tokio::test]
async fn a_long_folio_on_a_desktop() {
    read_on(Device::DESKTOP).await;
}

#[tokio::test]
async fn the_reader_fits_the_narrowest_phone() {
    let app = installation().await;
    let browser = Browser::on(Device::SMALL).await;
    opened(&app, &browser).await;
    let overflow = "return document.documentElement.scrollWidth - innerWidth";
    assert_eq!(browser.run(overflow, &[]).await, json!(0));
    browser.press("[data-open='#shut']").await;
    let overflow = "const { scrollWidth, clientWidth } = document.querySelector('#index'); return scrollWidth - clientWidth";
    assert_eq!(browser.run(overflow, &[]).await, json!(0));
    browser.glance("reader", "small-index").await;
}

#[tokio::test]
async fn links_lead_to_every_page_without_javascript_on_a_phone() {
    Box::pin(links_lead_to_every_page_without_javascript(Device::PHONE)).await;
}

#[tokio::test]
async fn links_lead_to_every_page_without_javascript_on_a_desktop() {
    Box::pin(links_lead_to_every_page_without_javascript(Device::DESKTOP)).await;
}

async fn links_lead_to_every_page_without_javascript(device: Device) {
    let app = installation().await;
    let browser = Browser::on(device).await.without_javascript().await;
    app.company("Acme").await.created(long_folio()).await;
    browser.open(&link(&app, MARIA).await).await;
    browser.sees("Ver las páginas 18 a 37").await;
    browser.press("[data-open='#q']").await;
    browser.sees("Páginas 41 a 60").await;
    browser.write("#q", "arrendamiento").await;
    browser.press(".search button").await;
    browser.sees("Contrato de arrendamiento.pdf: Página 2 de 3").await;
    browser
        .glance("reader", &format!("no-javascript-search-{}", device.name))
        .await;
    browser.press(".matches li:nth-child(2) a").await;
    browser.sees("Página 2 de 3").await;
}

#[tokio::test]
async fn a_bulk_shows_all_documents_on_a_phone() {
    a_bulk_shows_all_documents(Device::PHONE).await;
}

#[tokio::test]
async fn a_bulk_shows_all_documents_on_a_desktop() {
    a_bulk_shows_all_documents(Device::DESKTOP).await;
}

async fn a_bulk_shows_all_documents(device: Device) {
    let app = installation().await;
    let company = app.company("Acme").await;
    let mut folios = Vec::new();
    for name in ["Arriendo A", "Arriendo B"] {
        let fields = long_folio().with("folioName", name).with("sendEmail", "false");
        folios.push(company.created(fields).await);
    }
    let started = company.start_bulk(&folios, &signer("1001")).await;
    let browser = Browser::on(device).await;
    browser
        .open(&here(&app, &started.at("/data/signProcessMassiveUrl")))
        .await;
    let count = "return [...document.querySelectorAll('.pages')].map(list => list.children.length)";
    assert_eq!(browser.run(count, &[]).await, json!([3, 60, 3, 60]));
    browser.press("[data-open='#shut']").await;
    let titles = "return [...document.querySelectorAll('#index h3')].map(title => title.textContent)";
    let documents = ["Contrato de arrendamiento.pdf", "Anexo técnico.pdf"];
    let expected = ["A", "B"].map(|folio| documents.map(|name| format!("Arriendo {folio} · {name}")));
    assert_eq!(browser.run(titles, &[]).await, json!(expected.concat()));
    browser.press("#shut").await;
    browser
        .run(
            "document.querySelectorAll('.pages')[3].children[59].scrollIntoView({ behavior: 'instant' })",
            &[],
        )
        .await;
    until_in_view(&browser, 60).await;
    browser.is_accessible("a bulk to read").await;
    browser.glance("reader", &format!("{}-bulk", device.name)).await;
}
