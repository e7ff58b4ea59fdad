//! Signing as it goes wrong: rejected, cancelled, too late, too often.

use crate::installation::{
    MARIA, accept, code, code_after, contract, installation, link, opened_by_maria, phone, prove,
    signer_states, state, validated,
};
use serde_json::json;
use std::time::Duration;
use testkit::{correction, pdf, signers};

const OTHER: &str = "maria.1002@example.com";

/// A code that is not this one.
fn another(code: &str) -> &'static str {
    if code == "000000" { "000001" } else { "000000" }
}

#[tokio::test]
async fn a_signer_rejects_and_the_other_signers_are_notified() {
    let app = installation().await;
    let company = app.company("Acme").await;
    let folio = company.created(contract()).await;
    let browser = phone().await;
    browser.open(&link(&app, MARIA).await).await;
    browser.press(".reject summary").await;
    browser.write("textarea", "No me sirve").await;
    browser.sees("11 / 500").await;
    // A browser would not send a reason that is too short; the service does not take one either.
    browser
        .run("document.querySelector('textarea').minLength = 0", &[])
        .await;
    browser.write("textarea", "No").await;
    browser.press(".reject button").await;
    browser.sees("al menos 10 caracteres").await;
    browser.is_accessible("a reason that is too short").await;
    browser.picture("reject", "1-too-short").await;
    browser
        .write("textarea", "El canon no es el <b>acordado</b>.")
        .await;
    browser.press(".reject button").await;
    browser.sees("¿Rechazar los documentos?").await;
    browser.is_accessible("asked whether to reject").await;
    browser.picture("reject", "2-confirm").await;
    browser.press("label[for=confirm]").await;
    let right = code(&app, MARIA).await;
    browser.write("#code", another(&right)).await;
    browser.press(".go").await;
    browser.sees("El código no es correcto").await;
    assert_eq!(state(&company, &folio).await, "PENDIENTE");
    browser.press("label[for=confirm]").await;
    browser.write("#code", &right).await;
    browser.press(".go").await;
    browser.sees("Usted rechazó los documentos").await;
    browser.sees("El canon no es el <b>acordado</b>.").await;
    browser.is_accessible("rejected").await;
    browser.picture("reject", "3-rejected").await;
    assert_eq!(state(&company, &folio).await, "RECHAZADO FIRMANTE");
    browser.open(&link(&app, OTHER).await).await;
    browser.sees("Estos documentos fueron rechazados").await;
    assert!(
        !browser.visible_text().await.contains("María"),
        "no signer is named"
    );
    browser.picture("reject", "4-the-other").await;
}

#[tokio::test]
async fn five_wrong_codes_end_a_code_and_a_new_one_opens() {
    let app = installation().await;
    let company = app.company("Acme").await;
    let (folio, browser) = opened_by_maria(&app, &company).await;
    accept(&browser).await;
    let first = code(&app, MARIA).await;
    for left in [
        "Le quedan 4",
        "Le quedan 3",
        "Le quedan 2",
        "Le queda 1",
        "Pida uno nuevo",
    ] {
        browser.write("#code", another(&first)).await;
        browser.press(".go").await;
        browser.sees(left).await;
    }
    browser.is_accessible("a wrong code").await;
    browser.picture("codes", "1-no-tries-left").await;
    browser.write("#code", &first).await;
    browser.press(".go").await;
    browser.sees("Ese código ya no sirve").await;
    app.advance(Duration::from_mins(1));
    browser.reload().await;
    browser.open(&link(&app, MARIA).await).await;
    accept(&browser).await;
    // The new code may still be on its way.
    let second = code_after(&app, MARIA, &first).await;
    browser.write("#code", &second).await;
    browser.press(".go").await;
    browser.sees("Listo, usted firmó").await;
    validated(&app, &company, &folio, &pdf::lease(3), 2).await;
}

#[tokio::test]
async fn an_expired_code_is_replaced_on_the_same_page() {
    let app = installation().await;
    let company = app.company("Acme").await;
    let (folio, browser) = opened_by_maria(&app, &company).await;
    accept(&browser).await;
    let first = code(&app, MARIA).await;
    app.advance(Duration::from_mins(10));
    browser.write("#code", &first).await;
    browser.press(".go").await;
    browser.sees("Ese código ya no sirve").await;
    browser.picture("codes", "2-expired").await;
    browser.press(".resend button").await;
    browser.until("return !document.querySelector('.error')").await;
    let second = testkit::until("a second code", async || {
        let code = code(&app, MARIA).await;
        (code != first).then_some(code)
    });
    browser.write("#code", &second.await).await;
    browser.press(".go").await;
    browser.sees("Listo, usted firmó").await;
    validated(&app, &company, &folio, &pdf::lease(3), 2).await;
}

#[tokio::test]
async fn a_corrected_address_ends_the_old_session_and_its_code() {
    let app = installation().await;
    let company = app.company("Acme").await;
    let (folio, browser) = opened_by_maria(&app, &company).await;
    accept(&browser).await;
    let old = code(&app, MARIA).await;
    let corrected = correction("1001", "nueva@example.com", "3009876543");
    company.resend(&folio, &[corrected]).await.ok();
    browser.write("#code", &old).await;
    browser.press(".go").await;
    browser.sees("Su sesión terminó").await;
    browser.is_accessible("session over").await;
    browser.picture("codes", "3-session-over").await;
    browser.open(&link(&app, "nueva@example.com").await).await;
    browser.is_accessible("a corrected contact is to be proved").await;
    browser.picture("codes", "4-prove").await;
    let first = prove(&app, &browser, "nueva@example.com").await;
    browser.sees("Contrato de arriendo").await;
    accept(&browser).await;
    let second = code_after(&app, "nueva@example.com", &first).await;
    browser.write("#code", &second).await;
    browser.press(".go").await;
    browser.sees("Listo, usted firmó").await;
    validated(&app, &company, &folio, &pdf::lease(3), 2).await;
}

#[tokio::test]
async fn cancelled_while_the_page_is_open() {
    let app = installation().await;
    let company = app.company("Acme").await;
    let (folio, browser) = opened_by_maria(&app, &company).await;
    accept(&browser).await;
    let code = code(&app, MARIA).await;
    company.cancel([&folio], "Se cambió el canon.").await.ok();
    browser.write("#code", &code).await;
    browser.press(".go").await;
    browser.sees("Estos documentos fueron anulados").await;
    browser.is_accessible("cancelled").await;
    browser.picture("over", "cancelled").await;
    assert_eq!(signer_states(&company, &folio).await, ["PENDIENTE"]);
}

#[tokio::test]
async fn links_that_are_too_late_or_wrong() {
    let app = crate::installation::builder()
        .policy(|policy| policy.folio_lifetime = Some(Duration::from_hours(48)))
        .start()
        .await;
    let company = app.company("Acme").await;
    company.created(contract().signers(&signers(1))).await;
    let link = link(&app, MARIA).await;
    let browser = phone().await;
    app.advance(Duration::from_hours(48));
    browser.open(&link).await;
    browser.sees("El plazo para firmar terminó").await;
    browser.is_accessible("expired").await;
    browser.picture("over", "expired").await;
    browser.open(&link[..link.len() - 4]).await;
    browser.sees("Este enlace no funciona").await;
    browser.is_accessible("a wrong link").await;
    browser.picture("over", "wrong-link").await;
}

#[tokio::test]
async fn a_session_ends_after_fifteen_minutes_without_use() {
    let app = installation().await;
    let company = app.company("Acme").await;
    let (_, browser) = opened_by_maria(&app, &company).await;
    app.advance(Duration::from_mins(14));
    accept(&browser).await;
    app.advance(Duration::from_mins(14));
    browser.reload().await;
    browser.sees("Escriba el código").await;
    app.advance(Duration::from_mins(15));
    browser.reload().await;
    browser.sees("Su sesión terminó").await;
    let status = "return (await fetch(location.href)).status";
    assert_eq!(browser.run(status, &[]).await, json!(403));
}
