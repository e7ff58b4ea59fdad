//! Many folios in one go.

use crate::installation::{
    MARIA, all_validated, code, code_after, here, installation, phone, signer_states, state,
};
use journeys::{Browser, Device};
use std::time::Duration;
use testkit::{Company, TestApp, pdf, signer, signers};

const MOBILE: &str = "+573001234567";

/// So many folios, every other one signed by text message, and the link to all of them.
async fn folios(app: &TestApp, company: &Company<'_>, count: usize) -> (Vec<String>, String) {
    let mut folios = Vec::new();
    for number in 0..count {
        let fields = testkit::folio()
            .signers(&signers(1))
            .with("folioName", format!("Otrosí {number}"))
            .with("signatureType", if number % 2 == 0 { "1" } else { "2" })
            .with("sendEmail", "false");
        folios.push(company.created(fields).await);
    }
    let started = company.start_bulk(&folios, &signer("1001")).await;
    let link = here(app, &started.at("/data/signProcessMassiveUrl"));
    (folios, link)
}

#[tokio::test]
async fn fifty_folios_with_both_codes_on_a_phone() {
    Box::pin(folios_with_both_codes(Device::PHONE, 50)).await;
}

/// As many as make a list that is scrolled in a place of its own.
#[tokio::test]
async fn twelve_folios_with_both_codes_on_a_desktop() {
    Box::pin(folios_with_both_codes(Device::DESKTOP, 12)).await;
}

async fn folios_with_both_codes(device: Device, count: usize) {
    let app = installation().await;
    let company = app.company("Acme").await;
    let (folios, link) = folios(&app, &company, count).await;
    let browser = Browser::on(device).await;
    browser.open(&link).await;
    browser.sees(&format!("0 de {count} documentos firmados")).await;
    browser
        .until("return document.querySelector('.page img')?.naturalWidth > 0")
        .await;
    browser.is_accessible("a list of folios").await;
    browser.picture("bulk", &format!("1-list-{}", device.name)).await;
    // One of them is not to be signed.
    browser.press(".folios > li:nth-child(3) .refuse").await;
    browser
        .write(".folios > li:nth-child(3) textarea", "Este no lo acordamos.")
        .await;
    browser.press(".folios > li:nth-child(3) .reject button").await;
    browser.sees("¿Rechazar los documentos?").await;
    browser.press("label[for=confirm]").await;
    let (email, sms) = (code(&app, MARIA).await, code(&app, MOBILE).await);
    browser.write("#codeEmail", &email).await;
    browser.write("#codeSms", &sms).await;
    browser.press(".go").await;
    browser.sees("Se registró su rechazo").await;
    assert_eq!(state(&company, &folios[2]).await, "RECHAZADO FIRMANTE");
    // What was shown of the others is a list in a place of its own, by folio.
    let others = count - 1;
    let list = "const list = document.querySelector('.shown'); \
                return [list.querySelectorAll('[data-said]').length, list.scrollHeight > list.clientHeight, list.tabIndex]";
    assert_eq!(browser.run(list, &[]).await, serde_json::json!([others, true, 0]));
    browser.press("label[for=consent]").await;
    browser
        .glance("bulk", &format!("1-consent-{}", device.name))
        .await;
    browser.press(".go").await;
    browser.sees("Escriba los dos códigos").await;
    browser.is_accessible("two codes").await;
    browser.picture("bulk", &format!("2-codes-{}", device.name)).await;
    let email = code_after(&app, MARIA, &email).await;
    let sms = code_after(&app, MOBILE, &sms).await;
    browser.write("#codeEmail", &email).await;
    browser.write("#codeSms", &sms).await;
    let tally = format!("{others} de {count} documentos firmados");
    let signed_title = format!("Usted firmó {others} documentos");
    browser.sees(&tally).await;
    browser.sees(&signed_title).await;
    assert!(
        !browser.visible_text().await.contains("comprobante"),
        "these folios are quiet"
    );
    browser.is_accessible("a list that is done").await;
    browser.picture("bulk", &format!("3-done-{}", device.name)).await;
    let mut signed = folios.clone();
    signed.remove(2);
    for folio in &signed {
        assert_eq!(state(&company, folio).await, "FIRMADO");
    }
    all_validated(&app, &company, &signed, &pdf::contract(), 2).await;
    browser
        .press(".folios > li:nth-child(1) > details > summary")
        .await;
    let evidence = browser
        .run(
            "return document.querySelector('.folios [href*=\"evidence.pdf\"]').href",
            &[],
        )
        .await;
    let path = format!("/evidence.pdf?folio={}", signed[0]);
    assert!(evidence.as_str().unwrap().ends_with(&path), "{evidence}");
    let answer = "return fetch(arguments[0]).then(r => r.text()).then(t => t.slice(0, 5))";
    assert_eq!(browser.run(answer, &[evidence]).await, "%PDF-");
    // The link tells it in another browser, too.
    let other = browser.beside(device).await;
    other.open(&link).await;
    other.sees(&tally).await;
    other.sees(&signed_title).await;
}

#[tokio::test]
async fn the_link_ends_after_a_day_and_what_was_cancelled_stays_out() {
    let app = installation().await;
    let company = app.company("Acme").await;
    let (folios, link) = folios(&app, &company, 3).await;
    company.cancel([&folios[0]], "Ya no hace falta.").await.ok();
    let browser = phone().await;
    browser.open(&link).await;
    browser.sees("Anulado").await;
    browser.sees("0 de 3 documentos firmados").await;
    app.advance(Duration::from_hours(24));
    browser.open(&link).await;
    browser.sees("Este enlace venció").await;
    browser.is_accessible("a bulk link that is over").await;
    assert_eq!(signer_states(&company, &folios[1]).await, ["PENDIENTE"]);
}
