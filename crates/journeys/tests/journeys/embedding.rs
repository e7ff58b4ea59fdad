//! Signing inside a page of another site, and in a tab that it opened. Third-party cookies are blocked.

use crate::installation::{MARIA, accept, code, contract, here, installation, link, phone, sign};
use axum::Router;
use axum::response::Html;
use journeys::{Browser, Device};
use serde_json::json;
use testkit::{TestApp, signers};

/// A site of an integrator, on another host than the service.
async fn portal(app: &TestApp, link: &str) -> String {
    let page = format!(
        r#"<!doctype html><html lang="es"><meta charset="utf-8"><title>Portal</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <script src="http://{}/firmeza-embed.js"></script>
        <main><h1>Portal de clientes</h1><button type="button">Firmar</button>
        <div id="signing" style="height: 36rem"></div></main>
        <script>
          const heard = [];
          const begin = (container, title) => Firmeza.open('{link}', {{
            container,
            title,
            onReady: () => heard.push('ready'),
            onSigned: () => heard.push('signed'),
            onRejected: () => heard.push('rejected'),
            onClosed: ({{ returnUrl }}) => heard.push('closed', returnUrl ?? ''),
          }});
          document.querySelector('button').addEventListener('click', () => begin());
        </script></html>"#,
        app.address(),
    );
    let router = Router::new().fallback(move || async { Html(page) });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async { axum::serve(listener, router).await.unwrap() });
    format!("http://localhost:{port}")
}

/// A contract of a company for María alone, and the address of the folio, which the company's system gets.
async fn installation_with_contract() -> (TestApp, String) {
    let app = installation().await;
    let created = app
        .company("Acme")
        .await
        .create(contract().signers(&signers(1)))
        .await;
    let address = here(&app, &created.at("/data/signProcessUrl"));
    (app, address)
}

/// The same, and the portal from which María opens it by her own link.
async fn installation_with_portal() -> (TestApp, String) {
    let (app, _) = installation_with_contract().await;
    let portal = portal(&app, &link(&app, MARIA).await).await;
    (app, portal)
}

async fn allow(app: &TestApp, origin: &str) {
    let operator = app.app().operator();
    let allowed = operator.set_embedding("Acme".to_owned(), vec![origin.to_owned()]);
    assert!(allowed.await.unwrap());
}

async fn hears(browser: &Browser, events: &[&str]) {
    let expected = json!(events).to_string();
    browser
        .until(&format!("return JSON.stringify(heard) === '{expected}'"))
        .await;
}

#[tokio::test]
async fn a_frame_is_signed_in_and_closed_on_a_phone() {
    let (app, portal) = Box::pin(installation_with_portal()).await;
    Box::pin(a_frame_is_signed_in_and_closed(
        Device::PHONE,
        &app,
        &portal,
        false,
    ))
    .await;
}

#[tokio::test]
async fn a_frame_is_signed_in_and_closed_on_a_desktop() {
    // As the guide for integrators says: the folio's address, which names no signer.
    let (app, address) = installation_with_contract().await;
    let portal = portal(&app, &address).await;
    Box::pin(a_frame_is_signed_in_and_closed(
        Device::DESKTOP,
        &app,
        &portal,
        true,
    ))
    .await;
}

async fn a_frame_is_signed_in_and_closed(device: Device, app: &TestApp, portal: &str, identifies: bool) {
    allow(app, portal).await;
    let browser = Browser::on(device).await;
    browser.open(portal).await;
    browser
        .run("begin(document.getElementById('signing'))", &[])
        .await;
    hears(&browser, &["ready"]).await;
    let title = "return document.querySelector('iframe').title";
    assert_eq!(browser.run(title, &[]).await, "Firma de documentos");
    browser.is_accessible("a page around a frame").await;
    browser.enter_frame("iframe").await;
    if identifies {
        browser.sees("Identifíquese").await;
        browser.is_accessible("identification in a frame").await;
        browser.write("#documentNumber", "1001").await;
        browser.press(".go").await;
        browser.sees("Contrato de arriendo").await;
    }
    browser.is_accessible("reading in a frame").await;
    accept(&browser).await;
    browser.is_accessible("the code in a frame").await;
    browser.write("#code", &code(app, MARIA).await).await;
    browser.sees("Listo, usted firmó").await;
    browser.is_accessible("done in a frame").await;
    browser.leave_frames().await;
    hears(&browser, &["ready", "signed"]).await;
    browser
        .glance("embedding", &format!("frame-{}", device.name))
        .await;
    browser.enter_frame("iframe").await;
    browser.press(".go").await;
    browser.leave_frames().await;
    let back = "https://cliente.example.com/gracias";
    hears(&browser, &["ready", "signed", "closed", back]).await;
    assert!(!browser.has("iframe").await);
    browser
        .run(
            "begin(document.getElementById('signing'), 'Document signing')",
            &[],
        )
        .await;
    assert_eq!(browser.run(title, &[]).await, "Document signing");
}

#[tokio::test]
async fn a_frame_to_which_nobody_speaks_does_not_return_by_itself() {
    let app = installation().await;
    let company = app.company("Acme").await;
    company.choose(|settings| settings.auto_return = true).await;
    company.created(contract().signers(&signers(1))).await;
    let address = link(&app, MARIA).await;
    let portal = portal(&app, &address).await;
    allow(&app, &portal).await;
    let browser = phone().await;
    browser.open(&portal).await;
    let frame = "const frame = Object.assign(document.createElement('iframe'), { src: arguments[0] }); \
                 frame.style.cssText = 'border: 0; width: 100%; height: 100%'; \
                 document.getElementById('signing').append(frame)";
    browser.run(frame, &[address.into()]).await;
    browser.enter_frame("iframe").await;
    sign(&app, &browser, MARIA).await;
    browser
        .run(
            "const now = Date.now; Date.now = () => now.call(Date) + 60000",
            &[],
        )
        .await;
    browser
        .until("return document.querySelector('[data-return] .until').textContent === '0:00'")
        .await;
    assert!(browser.has("[data-return][hidden]").await);
    assert!(browser.visible_text().await.contains("Listo, usted firmó"));
}

#[tokio::test]
async fn a_tab_is_rejected_in_and_closed_on_a_phone() {
    Box::pin(a_tab_is_rejected_in_and_closed(Device::PHONE)).await;
}

#[tokio::test]
async fn a_tab_is_rejected_in_and_closed_on_a_desktop() {
    Box::pin(a_tab_is_rejected_in_and_closed(Device::DESKTOP)).await;
}

async fn a_tab_is_rejected_in_and_closed(device: Device) {
    let (app, portal) = Box::pin(installation_with_portal()).await;
    allow(&app, &portal).await;
    let browser = Browser::on(device).await;
    browser.open(&portal).await;
    browser.press("button").await;
    hears(&browser, &["ready"]).await;
    let first = browser.tab().await;
    browser.to_newest_tab().await;
    browser.press(".reject summary").await;
    browser.write("textarea", "El canon no es el acordado.").await;
    browser.press(".reject button").await;
    browser.press("label[for=confirm]").await;
    browser.write("#code", &code(&app, MARIA).await).await;
    browser.press(".go").await;
    browser.sees("Usted rechazó los documentos").await;
    browser.to_tab(&first).await;
    hears(&browser, &["ready", "rejected"]).await;
    browser.to_newest_tab().await;
    browser.close_tab().await;
    browser.to_tab(&first).await;
    hears(&browser, &["ready", "rejected", "closed", ""]).await;
}

#[tokio::test]
async fn a_site_that_is_not_allowed_hears_nothing_on_a_phone() {
    Box::pin(a_site_that_is_not_allowed_hears_nothing(Device::PHONE)).await;
}

#[tokio::test]
async fn a_site_that_is_not_allowed_hears_nothing_on_a_desktop() {
    Box::pin(a_site_that_is_not_allowed_hears_nothing(Device::DESKTOP)).await;
}

async fn a_site_that_is_not_allowed_hears_nothing(device: Device) {
    let (app, portal) = Box::pin(installation_with_portal()).await;
    allow(&app, "https://portal.example.com").await;
    let browser = Browser::on(device).await;
    browser.open(&portal).await;
    browser.press("button").await;
    let first = browser.tab().await;
    browser.to_newest_tab().await;
    browser.sees("Contrato de arriendo").await;
    // The site asks twice a second; the second of two questions comes after the first was dealt with.
    browser
        .run(
            "window.asked = 0; addEventListener('message', () => { asked += 1; })",
            &[],
        )
        .await;
    browser.until("return asked >= 2").await;
    browser.to_tab(&first).await;
    hears(&browser, &[]).await;
}
