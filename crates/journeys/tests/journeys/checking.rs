//! What surrounds a signature: the home page, the mailbox of a sandbox, and the page that checks documents.

use crate::installation::{MARIA, contract, installation, opened_by_maria, phone, sign};
use journeys::Device;
use testkit::signers;

#[tokio::test]
async fn a_signed_document_is_checked_and_explained() {
    let app = installation().await;
    let company = app.company("Acme").await;
    let (folio, browser) = opened_by_maria(&app, &company).await;
    sign(&app, &browser, MARIA).await;
    let document = company.read(&folio).await.at("/data/documents/0/documentId");
    let mut file = company.download(&document).await.body;
    let directory = tempfile::tempdir().unwrap();
    let (signed, altered) = (
        directory.path().join("contrato.pdf"),
        directory.path().join("alterado.pdf"),
    );
    std::fs::write(&signed, &file).unwrap();
    let at = file.windows(5).rposition(|bytes| bytes == b"/Name").unwrap();
    file[at + 1] ^= 1;
    std::fs::write(&altered, &file).unwrap();
    for device in [Device::PHONE, Device::DESKTOP] {
        browser.becomes(device).await;
        let album = format!("checking/{}", device.label());
        browser
            .open(&format!("http://{}/verify/{document}", app.address()))
            .await;
        browser.is_accessible("what is known of a document").await;
        browser.picture(&album, "1-known").await;
        browser.attach("input[type=file]", &signed).await;
        browser.press("main form button").await;
        browser.sees("María").await;
        browser.is_accessible("a sound document").await;
        browser.picture(&album, "2-sound").await;
        browser.open(&format!("http://{}/verify", app.address())).await;
        browser.is_accessible("where documents are checked").await;
        browser.attach("input[type=file]", &altered).await;
        browser.press("main form button").await;
        browser.sees("alterado.pdf").await;
        browser.is_accessible("an altered document").await;
        browser.picture(&album, "3-altered").await;
    }
}

#[tokio::test]
async fn the_home_page_leads_to_the_other_pages() {
    let app = installation().await;
    let home = format!("http://{}/", app.address());
    let browser = phone().await;
    for device in [Device::PHONE, Device::DESKTOP] {
        browser.becomes(device).await;
        browser.open(&home).await;
        browser.sees("Firmas electrónicas").await;
        browser.is_accessible("the home page").await;
        browser.picture("home", device.name).await;
        for (link, words) in [
            ("/verify", "Elija un PDF firmado"),
            ("/panel", "Entrar al panel"),
            ("/docs", "Arranque un entorno de pruebas"),
            ("/mailbox", "Todavía no hay mensajes"),
        ] {
            browser.open(&home).await;
            browser.press(&format!("main a[href='{link}']")).await;
            browser.sees(words).await;
        }
    }
}

#[tokio::test]
async fn the_mailbox_shows_what_people_would_receive() {
    let app = installation().await;
    let company = app.company("Acme").await;
    let browser = phone().await;
    let address = format!("http://{}/mailbox", app.address());
    browser.open(&address).await;
    browser.sees("Todavía no hay mensajes").await;
    browser.is_accessible("an empty mailbox").await;
    company.created(contract().signers(&signers(2))).await;
    browser.sees(MARIA).await;
    browser.is_accessible("a mailbox").await;
    browser.picture("mailbox", "phone").await;
    browser.becomes(Device::DESKTOP).await;
    browser.open(&address).await;
    browser.sees(MARIA).await;
    browser.is_accessible("a mailbox on a desk").await;
    browser.picture("mailbox", "desktop").await;
}
