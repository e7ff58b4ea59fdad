//! The pages of the guide in a browser: they can be read on every screen, and without scripts.

use journeys::{Browser, Device};
use serde_json::json;
use testkit::TestApp;

async fn app() -> TestApp {
    TestApp::builder().delivering().at_home().start().await
}

fn at(app: &TestApp, path: &str) -> String {
    format!("http://{}{path}", app.address())
}

/// Every page of an edition, from the first one on.
async fn look_at_all(device: Device, home: &str) {
    let app = app().await;
    let browser = Browser::on(device).await;
    browser.open(&at(&app, home)).await;
    let links = "return [...document.querySelectorAll('.docs-chapters ol > li > a')].map(a => a.getAttribute('href'))";
    let links = browser.run(links, &[]).await;
    let links = links.as_array().unwrap();
    assert!(links.len() > 10, "{links:?}");
    for link in links {
        let path = link.as_str().unwrap();
        browser.open(&at(&app, path)).await;
        let what = format!("{path} on {}", device.label());
        let wide = browser
            .run("return document.documentElement.scrollWidth - innerWidth", &[])
            .await;
        assert!(wide.as_i64() <= Some(0), "{what} is {wide} pixels too wide");
        browser.is_accessible(&what).await;
        let name = path.trim_start_matches('/').replace('/', "-");
        browser.picture(&format!("guide/{}", device.label()), &name).await;
    }
}

#[tokio::test]
async fn all_pages_on_a_desktop() {
    look_at_all(Device::DESKTOP, "/docs").await;
}

#[tokio::test]
async fn all_pages_on_a_phone() {
    look_at_all(Device::PHONE, "/docs").await;
}

#[tokio::test]
async fn all_pages_in_english_at_night() {
    look_at_all(Device::DESKTOP.dark(), "/docs/en").await;
}

const SHOWN_EXAMPLES: &str = "return [...document.querySelectorAll('.examples figure')]
    .filter(f => f.checkVisibility()).map(f => f.dataset.language)";

#[tokio::test]
async fn a_chosen_language_stays_chosen() {
    let app = app().await;
    let browser = Browser::on(Device::DESKTOP).await;
    browser.open(&at(&app, "/docs/consultar-folio")).await;
    assert_eq!(browser.run(SHOWN_EXAMPLES, &[]).await, json!(["curl"]));
    browser.press("#tab-0-3").await;
    assert_eq!(browser.run(SHOWN_EXAMPLES, &[]).await, json!(["Java"]));
    browser.open(&at(&app, "/docs/evidencia")).await;
    // Groups that do not have it show their first one.
    assert_eq!(
        browser.run(SHOWN_EXAMPLES, &[]).await,
        json!(["Java", "curl", "curl"])
    );
}

#[tokio::test]
async fn without_javascript_every_example_is_shown() {
    let app = app().await;
    let browser = Browser::on(Device::PHONE).await.without_javascript().await;
    browser.open(&at(&app, "/docs/consultar-folio")).await;
    // The driver's own scripts do not run either: what can be seen is asked for element by element.
    for language in ["curl", "Python", "JavaScript", "Java", "PHP", "C#"] {
        let caption = browser
            .text(&format!("figure[data-language='{language}'] figcaption"))
            .await;
        assert_eq!(caption, language);
    }
    browser.press("a[rel=next]").await;
    assert_eq!(browser.heading().await, "Consultar varios folios");
}

#[tokio::test]
async fn search_finds_sections_without_accents() {
    let app = app().await;
    let browser = Browser::on(Device::DESKTOP).await;
    browser.open(&at(&app, "/docs")).await;
    browser.write("#docs-search", "anulacion irreversible zzz").await;
    browser.sees("Nada coincide").await;
    browser.write("#docs-search", "catalogo errores").await;
    browser.sees("Catálogo de errores").await;
    browser.glance("guide", "search").await;
    browser.write("#docs-search", "urlreturn regreso").await;
    browser.sees("El regreso a urlReturn").await;
    browser.press(".docs-results a").await;
    browser.until("return location.hash.length > 1").await;
    assert!(browser.address().await.contains("/docs/conceptos#"));
}

#[tokio::test]
async fn a_folio_is_created_and_read_from_the_page() {
    let app = app().await;
    let company = app.company("Acme").await;
    let key = company.header().trim_start_matches("Bearer ").to_owned();
    let browser = Browser::on(Device::DESKTOP).await;
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("contrato.pdf");
    std::fs::write(&file, testkit::pdf::contract()).unwrap();

    browser.open(&at(&app, "/docs/crear-folio")).await;
    browser.write("#try-key", &key).await;
    browser.write("[name=folioName]", "Desde la guía").await;
    browser.write("[name=folioMessage]", "Por favor firme.").await;
    browser
        .write("[name=urlReturn]", "https://cliente.example.com/gracias")
        .await;
    browser.attach("[name='documents[]']", &file).await;
    browser.press(".try .go").await;
    // The same words are in the chapter.
    let answer = browser.text(".answer pre:last-of-type").await;
    assert!(answer.contains("Folio creado exitosamente."), "{answer}");
    browser.is_accessible("a response on the page").await;
    browser.picture("guide", "try-it").await;
    let folio =
        "return JSON.parse([...document.querySelectorAll('.answer pre')].at(-1).textContent).data.folioId";
    let folio = browser.run(folio, &[]).await;
    let folio = folio.as_str().unwrap();
    assert_eq!(
        company.read(folio).await.at("/data/folioData/name"),
        "Desde la guía"
    );

    browser.open(&at(&app, "/docs/en/read-folio")).await;
    let kept = "return document.querySelector('#try-key').value + Object.values(localStorage).join() + document.cookie";
    assert_eq!(browser.run(kept, &[]).await, json!(""), "the key is not stored");
    browser.write("#try-key", "nobody").await;
    browser.write("[name=folioId]", folio).await;
    browser.press(".try .go").await;
    let answer = browser.text(".answer pre:last-of-type").await;
    assert!(answer.contains("Acceso denegado"), "{answer}");
    browser.write("#try-key", &key).await;
    browser.press(".try .go").await;
    browser.sees("Desde la guía").await;
}
