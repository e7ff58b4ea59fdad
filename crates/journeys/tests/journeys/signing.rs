//! Signing as it should go.

use crate::installation::{
    MARIA, accept, code, contract, here, installation, link, opened_by_maria, phone, sign, state, validated,
};
use journeys::{Browser, Device};
use serde_json::json;
use testkit::{pdf, signers};

const MOBILE: &str = "+573001234567";

#[tokio::test]
async fn by_email_code() {
    let app = installation().await;
    let company = app.company("Inmobiliaria Los Andes").await;
    let (folio, browser) = opened_by_maria(&app, &company).await;
    browser.sees("Contrato de arriendo").await;
    browser
        .until("return document.querySelector('.page img').naturalWidth > 0")
        .await;
    browser.is_accessible("reading").await;
    browser.picture("email", "1-read").await;
    browser.glance("email", "1-read-at-once").await;
    without_consent(&browser).await;
    browser.glance("email", "1-consent-missing").await;
    accept(&browser).await;
    browser.is_accessible("the code").await;
    browser.picture("email", "2-code").await;
    browser.write("#code", &code(&app, MARIA).await).await;
    browser.sees("Listo, usted firmó").await;
    browser.sees("Todas las firmas están completas").await;
    browser.is_accessible("done").await;
    browser.picture("email", "3-done").await;
    let back = browser
        .run("return document.querySelector('.go').href", &[])
        .await;
    assert_eq!(back, "https://cliente.example.com/gracias");
    let verify = browser
        .run(
            "return document.querySelector('.files [href^=\"/verify/\"]').href",
            &[],
        )
        .await;
    browser.open(verify.as_str().unwrap()).await;
    browser.sees("Este documento está registrado aquí").await;
    assert_eq!(state(&company, &folio).await, "FIRMADO");
    validated(&app, &company, &folio, &pdf::lease(3), 2).await;
}

/// The box that is not ticked has the focus, and right above it the page says what is missing.
async fn without_consent(browser: &Browser) {
    browser.press(".go").await;
    browser.sees("Marque la casilla").await;
    let beside = "const box = document.activeElement, said = box.closest('.tick').previousElementSibling; \
        return [box.id, box.ariaInvalid, said.role, said.textContent, box.getAttribute('aria-describedby').split(' ').includes(said.id)]";
    let missing = "Marque la casilla para continuar.";
    let wanted = json!(["consent", "true", "alert", missing, true]);
    assert_eq!(browser.run(beside, &[]).await, wanted);
    let seen = "const { top, bottom } = document.getElementById('consent-error').getBoundingClientRect(); \
        return top >= 0 && bottom <= document.querySelector('.bar').getBoundingClientRect().top";
    browser.until(seen).await;
    browser.is_accessible("without consent").await;
}

#[tokio::test]
async fn by_sms_code_on_a_phone() {
    Box::pin(by_sms_code(Device::PHONE)).await;
}

#[tokio::test]
async fn by_sms_code_on_a_desktop() {
    Box::pin(by_sms_code(Device::DESKTOP)).await;
}

async fn by_sms_code(device: Device) {
    let app = installation().await;
    let company = app.company("Acme").await;
    let fields = contract().signers(&signers(1)).with("signatureType", "2");
    let created = company.create(fields).await;
    let (folio, url) = (created.at("/data/folioId"), created.at("/data/signProcessUrl"));
    let browser = Browser::on(device).await;
    browser.open(&here(&app, &url)).await;
    browser.sees("Identifíquese").await;
    assert!(!browser.visible_text().await.contains("Contrato"));
    browser.write("#documentNumber", "9999").await;
    browser.press(".go").await;
    browser.sees("No encontramos a nadie").await;
    browser.is_accessible("identification").await;
    browser.write("#documentNumber", "1001").await;
    browser.press(".go").await;
    browser.sees("Contrato de arriendo").await;
    browser.picture("sms", &format!("1-read-{}", device.name)).await;
    without_consent(&browser).await;
    browser
        .glance("sms", &format!("1-consent-missing-{}", device.name))
        .await;
    accept(&browser).await;
    browser.sees("••••\u{a0}567").await;
    browser.picture("sms", &format!("2-code-{}", device.name)).await;
    browser.write("#code", &code(&app, MOBILE).await).await;
    browser.sees("Listo, usted firmó").await;
    validated(&app, &company, &folio, &pdf::lease(3), 2).await;
}

/// A phone's own offer of the code in a text message, which a desktop's browser lacks: it is made when the test says so.
const OTP_OFFER: &str = "window.OTPCredential ??= class {}; navigator.credentials.get = asked => \
    new Promise(offer => { window.otp = { asked: JSON.stringify(asked), offer }; })";

#[tokio::test]
async fn a_code_that_the_phone_reads_itself_is_handed_in_without_a_touch() {
    let app = installation().await;
    let company = app.company("Acme").await;
    let created = company
        .create(contract().signers(&signers(1)).with("signatureType", "2"))
        .await;
    let (folio, url) = (created.at("/data/folioId"), created.at("/data/signProcessUrl"));
    let browser = phone().await;
    browser
        .devtools(
            "Page.addScriptToEvaluateOnNewDocument",
            json!({ "source": OTP_OFFER }),
        )
        .await;
    browser.open(&here(&app, &url)).await;
    browser.write("#documentNumber", "1001").await;
    browser.press(".go").await;
    browser.sees("Contrato de arriendo").await;
    accept(&browser).await;
    browser
        .until(r#"return otp.asked === '{"otp":{"transport":["sms"]}}'"#)
        .await;
    let code = json!(code(&app, MOBILE).await);
    browser.run("otp.offer({ code: arguments[0] })", &[code]).await;
    browser.sees("Listo, usted firmó").await;
    assert_eq!(state(&company, &folio).await, "FIRMADO");
}

#[tokio::test]
async fn two_signers_one_after_the_other_on_a_phone() {
    Box::pin(two_signers_one_after_the_other(Device::PHONE)).await;
}

#[tokio::test]
async fn two_signers_one_after_the_other_on_a_desktop() {
    Box::pin(two_signers_one_after_the_other(Device::DESKTOP)).await;
}

async fn two_signers_one_after_the_other(device: Device) {
    let app = installation().await;
    let company = app.company("Acme").await;
    let folio = company.created(contract()).await;
    let browser = Browser::on(device).await;
    browser.open(&link(&app, MARIA).await).await;
    sign(&app, &browser, MARIA).await;
    browser.sees("Falta la firma de otra persona").await;
    assert_eq!(state(&company, &folio).await, "PENDIENTE");
    browser.open(&link(&app, "maria.1002@example.com").await).await;
    sign(&app, &browser, "maria.1002@example.com").await;
    assert_eq!(state(&company, &folio).await, "FIRMADO");
    validated(&app, &company, &folio, &pdf::lease(3), 3).await;
    // The first one comes back and finds it complete.
    browser.open(&link(&app, MARIA).await).await;
    browser.sees("Usted ya firmó").await;
    browser.sees("Todas las firmas están completas").await;
    let copy = "const f = await fetch(document.querySelector('.files a').href); return [f.status, \
                (await f.blob()).size > 10000]";
    assert_eq!(browser.run(copy, &[]).await, json!([200, true]));
}

#[tokio::test]
async fn without_javascript_on_a_phone() {
    Box::pin(without_javascript(Device::PHONE)).await;
}

#[tokio::test]
async fn without_javascript_on_a_desktop() {
    Box::pin(without_javascript(Device::DESKTOP)).await;
}

async fn without_javascript(device: Device) {
    let app = installation().await;
    let company = app.company("Acme").await;
    let folio = company.created(contract().signers(&signers(1))).await;
    let browser = Browser::on(device).await.without_javascript().await;
    browser.open(&link(&app, MARIA).await).await;
    browser.sees("Contrato de arriendo").await;
    // Without the box ticked, the page comes back and says so.
    browser.press(".go").await;
    browser.sees("Marque la casilla").await;
    browser
        .picture("no-javascript", &format!("consent-missing-{}", device.name))
        .await;
    browser.press("label[for=consent]").await;
    browser.press(".go").await;
    browser.sees("Escriba el código").await;
    browser.sees("Sirve hasta las").await;
    browser
        .picture("no-javascript", &format!("code-{}", device.name))
        .await;
    browser.write("#code", "12").await;
    browser.press(".go").await;
    browser.sees("El código tiene 6 dígitos").await;
    browser.write("#code", &code(&app, MARIA).await).await;
    browser.press(".go").await;
    browser.sees("Listo, usted firmó").await;
    validated(&app, &company, &folio, &pdf::lease(3), 2).await;
}

#[tokio::test]
async fn back_to_the_company_without_pressing_anything_on_a_phone() {
    back_to_the_company_without_pressing_anything(Device::PHONE).await;
}

#[tokio::test]
async fn back_to_the_company_without_pressing_anything_on_a_desktop() {
    back_to_the_company_without_pressing_anything(Device::DESKTOP).await;
}

async fn back_to_the_company_without_pressing_anything(device: Device) {
    let app = installation().await;
    let company = app.company("Acme").await;
    company.choose(|settings| settings.auto_return = true).await;
    let back = format!("http://{}/verify", app.address());
    company
        .created(contract().signers(&signers(1)).with("urlReturn", back))
        .await;
    let browser = Browser::on(device).await;
    browser.open(&link(&app, MARIA).await).await;
    sign(&app, &browser, MARIA).await;
    browser.sees("Volverá a").await;
    browser.is_accessible("about to return").await;
    browser
        .glance("email", &format!("4-returning-{}", device.name))
        .await;
    browser.press("[data-return] button").await;
    browser
        .until("return document.querySelector('[data-return]').hidden")
        .await;
    browser.reload().await;
    browser.sees("Volverá a").await;
    browser
        .run(
            "const now = Date.now; Date.now = () => now.call(Date) + 60000",
            &[],
        )
        .await;
    browser.sees("Verificar un documento").await;
}

#[tokio::test]
async fn ten_signers() {
    let app = installation().await;
    let company = app.company("Acme").await;
    let folio = company.created(contract().signers(&signers(10))).await;
    let browser = phone().await;
    for number in 1001..1011 {
        let address = format!("maria.{number}@example.com");
        browser.open(&link(&app, &address).await).await;
        sign(&app, &browser, &address).await;
    }
    assert_eq!(state(&company, &folio).await, "FIRMADO");
    validated(&app, &company, &folio, &pdf::lease(3), 11).await;
}
