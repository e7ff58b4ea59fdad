//! Another language, from the first page to the last.

use crate::installation::{MARIA, code, contract, here, installation, link};
use journeys::{Browser, Device};
use testkit::{signer, signers};

#[tokio::test]
async fn a_signer_switches_to_portuguese_and_signs_on_a_phone() {
    Box::pin(a_signer_switches_to_portuguese_and_signs(Device::PHONE)).await;
}

#[tokio::test]
async fn a_signer_switches_to_portuguese_and_signs_on_a_desktop() {
    Box::pin(a_signer_switches_to_portuguese_and_signs(Device::DESKTOP)).await;
}

async fn a_signer_switches_to_portuguese_and_signs(device: Device) {
    let app = installation().await;
    let company = app.company("Imobiliária dos Andes").await;
    let folio = company.created(contract().signers(&signers(1))).await;
    let browser = Browser::on(device).await;
    browser.open(&link(&app, MARIA).await).await;
    browser.sees("Su aceptación").await;
    browser.press(".languages summary").await;
    browser.is_accessible("the languages").await;
    browser
        .glance("language", &format!("1-switch-{}", device.name))
        .await;
    browser.press(".languages button[value=pt]").await;
    browser.sees("A sua aceitação").await;
    let lang = "return document.documentElement.lang";
    assert_eq!(browser.run(lang, &[]).await, "pt");
    browser
        .until("return document.querySelector('.page img').naturalWidth > 0")
        .await;
    browser.is_accessible("reading in Portuguese").await;
    browser
        .picture("language", &format!("2-read-{}", device.name))
        .await;
    browser.press(".go").await;
    browser.sees("Marque a caixa para continuar.").await;
    browser.press("label[for=consent]").await;
    browser.press(".go").await;
    browser.sees("Digite o código").await;
    browser
        .picture("language", &format!("3-code-{}", device.name))
        .await;
    app.mail_to(MARIA, "O seu código de assinatura").await;
    browser.write("#code", &code(&app, MARIA).await).await;
    browser.sees("Pronto, você assinou").await;
    browser.is_accessible("done in Portuguese").await;
    browser
        .picture("language", &format!("4-done-{}", device.name))
        .await;
    app.mail_to(MARIA, "Você assinou").await;
    let document = company.document_of(&folio).await;
    browser
        .open(&format!("http://{}/verify/{document}", app.address()))
        .await;
    browser.sees("Este documento está registrado aqui").await;
    browser
        .picture("language", &format!("5-verify-{}", device.name))
        .await;
    browser.open(&format!("http://{}/sign/x", app.address())).await;
    browser.sees("Esta página não existe").await;
    browser
        .picture("language", &format!("6-message-{}", device.name))
        .await;
}

#[tokio::test]
async fn a_bulk_is_switched_without_javascript_on_a_phone() {
    Box::pin(a_bulk_is_switched_without_javascript(Device::PHONE)).await;
}

#[tokio::test]
async fn a_bulk_is_switched_without_javascript_on_a_desktop() {
    Box::pin(a_bulk_is_switched_without_javascript(Device::DESKTOP)).await;
}

async fn a_bulk_is_switched_without_javascript(device: Device) {
    let app = installation().await;
    let company = app.company("Acme").await;
    let mut folios = Vec::new();
    for _ in 0..2 {
        let fields = contract().signers(&signers(1)).with("sendEmail", "false");
        folios.push(company.created(fields).await);
    }
    let started = company.start_bulk(&folios, &signer("1001")).await;
    let browser = Browser::on(device).await.without_javascript().await;
    browser
        .open(&here(&app, &started.at("/data/signProcessMassiveUrl")))
        .await;
    browser.press(".languages summary").await;
    browser.press(".languages button[value=pt]").await;
    browser.sees("Documentos para assinar").await;
    browser
        .picture("language", &format!("7-bulk-{}", device.name))
        .await;
    browser.press("label[for=consent]").await;
    browser.press(".go").await;
    browser.sees("Digite o código").await;
    browser.write("#code", &code(&app, MARIA).await).await;
    browser.press(".go").await;
    browser.sees("Você assinou 2 documentos").await;
    browser
        .picture("language", &format!("8-bulk-done-{}", device.name))
        .await;
}
