//! Signing as it goes wrong: rejected, cancelled, too late, too often.

use crate::installation::{
    MARIA, accept, code, code_after, contract, here, installation, link, opened_by_maria, opened_by_maria_on,
    prove, sign, signer_states, state, validated,
};
use journeys::{Browser, Device};
use serde_json::json;
use std::time::Duration;
use testkit::{correction, pdf, signers};

const OTHER: &str = "maria.1002@example.com";
/// The field that has the focus.
const FOCUS: &str = "return document.activeElement.id";

/// A code that is not this one.
fn another(code: &str) -> &'static str {
    if code == "000000" { "000001" } else { "000000" }
}

#[tokio::test]
async fn a_signer_rejects_and_the_other_signers_are_notified_on_a_phone() {
    Box::pin(a_signer_rejects_and_the_other_signers_are_notified(Device::PHONE)).await;
}

#[tokio::test]
async fn a_signer_rejects_and_the_other_signers_are_notified_on_a_desktop() {
    Box::pin(a_signer_rejects_and_the_other_signers_are_notified(
        Device::DESKTOP,
    ))
    .await;
}

async fn a_signer_rejects_and_the_other_signers_are_notified(device: Device) {
    let app = installation().await;
    let company = app.company("Acme").await;
    let folio = company.created(contract()).await;
    let browser = Browser::on(device).await;
    browser.open(&link(&app, MARIA).await).await;
    browser.press(".reject summary").await;
    browser.write("textarea", "No me sirve").await;
    browser.sees("11 / 500").await;
    browser.write("textarea", "No").await;
    browser.press(".reject button").await;
    browser.sees("al menos 10 caracteres").await;
    assert_eq!(
        browser.run(FOCUS, &[]).await,
        "reason",
        "said without asking the service"
    );
    // The service does not take a reason that is too short either.
    browser
        .run("document.querySelector('textarea').minLength = 0", &[])
        .await;
    browser.write("textarea", "Nada").await;
    browser.press(".reject button").await;
    browser
        .until("return document.querySelector('textarea').minLength > 0")
        .await;
    browser.sees("al menos 10 caracteres").await;
    browser.is_accessible("a reason that is too short").await;
    browser
        .picture("reject", &format!("1-too-short-{}", device.name))
        .await;
    browser
        .write("textarea", "El canon no es el <b>acordado</b>.")
        .await;
    browser.press(".reject button").await;
    browser.sees("¿Rechazar los documentos?").await;
    browser.is_accessible("asked whether to reject").await;
    browser
        .picture("reject", &format!("2-confirm-{}", device.name))
        .await;
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
    browser
        .picture("reject", &format!("3-rejected-{}", device.name))
        .await;
    assert_eq!(state(&company, &folio).await, "RECHAZADO FIRMANTE");
    browser.open(&link(&app, OTHER).await).await;
    browser.sees("Estos documentos fueron rechazados").await;
    assert!(
        !browser.visible_text().await.contains("María"),
        "no signer is named"
    );
    browser
        .picture("reject", &format!("4-the-other-{}", device.name))
        .await;
}

async fn five_wrong_codes_end_a_code_and_a_new_one_opens(device: Device) {
    let app = installation().await;
    let company = app.company("Acme").await;
    let (folio, browser) = opened_by_maria_on(device, &app, &company).await;
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
        browser.sees(left).await;
    }
    browser.is_accessible("a wrong code").await;
    let picture = format!("1-no-tries-left-{}", device.name);
    browser.picture("codes", &picture).await;
    assert!(!browser.has("#code").await, "a spent code is not asked for");
    browser.sees("Pida un código nuevo").await;
    assert!(
        !browser.visible_text().await.contains("Vence en"),
        "nor does its time run"
    );
    app.advance(Duration::from_mins(1));
    browser.open(&link(&app, MARIA).await).await;
    accept(&browser).await;
    // The new code may still be on its way.
    let second = code_after(&app, MARIA, &first).await;
    browser.write("#code", &second).await;
    browser.sees("Listo, usted firmó").await;
    validated(&app, &company, &folio, &pdf::lease(3), 2).await;
}

#[tokio::test]
async fn five_wrong_codes_on_a_phone() {
    five_wrong_codes_end_a_code_and_a_new_one_opens(Device::PHONE).await;
}

#[tokio::test]
async fn five_wrong_codes_on_a_desktop() {
    five_wrong_codes_end_a_code_and_a_new_one_opens(Device::DESKTOP).await;
}

#[tokio::test]
async fn an_expired_code_is_replaced_on_the_same_page_on_a_phone() {
    Box::pin(an_expired_code_is_replaced_on_the_same_page(Device::PHONE)).await;
}

#[tokio::test]
async fn an_expired_code_is_replaced_on_the_same_page_on_a_desktop() {
    Box::pin(an_expired_code_is_replaced_on_the_same_page(Device::DESKTOP)).await;
}

async fn an_expired_code_is_replaced_on_the_same_page(device: Device) {
    let app = installation().await;
    let company = app.company("Acme").await;
    let (folio, browser) = opened_by_maria_on(device, &app, &company).await;
    accept(&browser).await;
    let first = code(&app, MARIA).await;
    app.advance(Duration::from_mins(10));
    browser.write("#code", &first).await;
    browser.sees("Ese código ya no sirve").await;
    browser
        .picture("codes", &format!("2-expired-{}", device.name))
        .await;
    browser.press(".go").await;
    browser.sees("Escriba el código").await;
    let second = testkit::until("a second code", async || {
        let code = code(&app, MARIA).await;
        (code != first).then_some(code)
    });
    browser.write("#code", &second.await).await;
    browser.sees("Listo, usted firmó").await;
    validated(&app, &company, &folio, &pdf::lease(3), 2).await;
}

/// Timers stop while a phone sleeps, and the time of a code does not.
#[tokio::test]
async fn a_phone_that_wakes_up_says_at_once_that_the_code_expired() {
    let app = installation().await;
    let company = app.company("Acme").await;
    let (_, browser) = opened_by_maria(&app, &company).await;
    accept(&browser).await;
    browser.sees("Vence en").await;
    let woken = "const now = Date.now; Date.now = () => now.call(Date) + 600000; \
                 document.dispatchEvent(new Event('visibilitychange')); \
                 return document.querySelector('[data-ends]').textContent";
    assert_eq!(browser.run(woken, &[]).await, "El código venció. Pida uno nuevo.");
}

#[tokio::test]
async fn a_corrected_address_ends_the_old_session_and_its_code_on_a_phone() {
    Box::pin(a_corrected_address_ends_the_old_session_and_its_code(
        Device::PHONE,
    ))
    .await;
}

#[tokio::test]
async fn a_corrected_address_ends_the_old_session_and_its_code_on_a_desktop() {
    Box::pin(a_corrected_address_ends_the_old_session_and_its_code(
        Device::DESKTOP,
    ))
    .await;
}

async fn a_corrected_address_ends_the_old_session_and_its_code(device: Device) {
    let app = installation().await;
    let company = app.company("Acme").await;
    let (folio, browser) = opened_by_maria_on(device, &app, &company).await;
    accept(&browser).await;
    let old = code(&app, MARIA).await;
    let corrected = correction("1001", "nueva@example.com", "3009876543");
    company.resend(&folio, &[corrected]).await.ok();
    browser.write("#code", &old).await;
    browser.sees("Su sesión terminó").await;
    browser.is_accessible("session over").await;
    browser
        .picture("codes", &format!("3-session-over-{}", device.name))
        .await;
    browser.open(&link(&app, "nueva@example.com").await).await;
    browser.is_accessible("a corrected contact is to be proved").await;
    browser
        .picture("codes", &format!("4-prove-{}", device.name))
        .await;
    let first = prove(&app, &browser, "nueva@example.com").await;
    browser.sees("Contrato de arriendo").await;
    accept(&browser).await;
    let second = code_after(&app, "nueva@example.com", &first).await;
    browser.write("#code", &second).await;
    browser.sees("Listo, usted firmó").await;
    validated(&app, &company, &folio, &pdf::lease(3), 2).await;
}

#[tokio::test]
async fn cancelled_while_the_page_is_open_on_a_phone() {
    Box::pin(cancelled_while_the_page_is_open(Device::PHONE)).await;
}

#[tokio::test]
async fn cancelled_while_the_page_is_open_on_a_desktop() {
    Box::pin(cancelled_while_the_page_is_open(Device::DESKTOP)).await;
}

async fn cancelled_while_the_page_is_open(device: Device) {
    let app = installation().await;
    let company = app.company("Acme").await;
    let (folio, browser) = opened_by_maria_on(device, &app, &company).await;
    accept(&browser).await;
    let code = code(&app, MARIA).await;
    company.cancel([&folio], "Se cambió el canon.").await.ok();
    browser.write("#code", &code).await;
    browser.sees("Estos documentos fueron anulados").await;
    browser.is_accessible("cancelled").await;
    browser
        .picture("over", &format!("cancelled-{}", device.name))
        .await;
    assert_eq!(signer_states(&company, &folio).await, ["PENDIENTE"]);
}

#[tokio::test]
async fn links_that_are_too_late_or_wrong_on_a_phone() {
    Box::pin(links_that_are_too_late_or_wrong(Device::PHONE)).await;
}

#[tokio::test]
async fn links_that_are_too_late_or_wrong_on_a_desktop() {
    Box::pin(links_that_are_too_late_or_wrong(Device::DESKTOP)).await;
}

async fn links_that_are_too_late_or_wrong(device: Device) {
    let app = crate::installation::builder()
        .policy(|policy| policy.folio_lifetime = Some(Duration::from_hours(48)))
        .start()
        .await;
    let company = app.company("Acme").await;
    company
        .choose(|settings| "ayuda@acme.example".clone_into(&mut settings.contact.email))
        .await;
    company.created(contract().signers(&signers(1))).await;
    let link = link(&app, MARIA).await;
    let mail = app.mail_to(MARIA, "Puede firmar hasta el").await;
    assert!(mail.text.contains("ayuda@acme.example"), "{}", mail.text);
    let browser = Browser::on(device).await;
    browser.open(&link).await;
    browser.sees("Puede firmar hasta el").await;
    app.advance(Duration::from_hours(48));
    browser.open(&link).await;
    browser.sees("El plazo para firmar terminó").await;
    browser.sees("ayuda@acme.example").await;
    browser.is_accessible("expired").await;
    browser.picture("over", &format!("expired-{}", device.name)).await;
    browser.open(&link[..link.len() - 4]).await;
    browser.sees("Este enlace no funciona").await;
    browser.is_accessible("a wrong link").await;
    browser
        .picture("over", &format!("wrong-link-{}", device.name))
        .await;
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
    // The code has expired meanwhile.
    browser.sees("Pida un código nuevo").await;
    app.advance(Duration::from_mins(15));
    browser.reload().await;
    browser.sees("Su sesión terminó").await;
    let status = "return (await fetch(location.href)).status";
    assert_eq!(browser.run(status, &[]).await, json!(403));
    // One tap goes on, in a new session, and what was signed out stays so.
    browser.press(".go").await;
    browser.sees("Su aceptación").await;
    browser.press(".sign-out button").await;
    browser.sees("Usted cerró la sesión").await;
    browser.back().await;
    browser.reload().await;
    browser.sees("abra otra vez el enlace").await;
    assert!(!browser.has(".go").await);
}

/// Lets the browser's clock run ahead by so many minutes.
async fn later(browser: &Browser, minutes: u32) {
    let script = "const now = Date.now; Date.now = () => now.call(Date) + arguments[0] * 60000"
        .replace("arguments[0]", &minutes.to_string());
    browser.run(&script, &[]).await;
}

#[tokio::test]
async fn a_warning_comes_before_the_end_of_a_session_on_a_phone() {
    reading_keeps_the_session_alive_and_a_warning_comes_before_the_end(Device::PHONE).await;
}

#[tokio::test]
async fn a_warning_comes_before_the_end_of_a_session_on_a_desktop() {
    reading_keeps_the_session_alive_and_a_warning_comes_before_the_end(Device::DESKTOP).await;
}

async fn reading_keeps_the_session_alive_and_a_warning_comes_before_the_end(device: Device) {
    let app = installation().await;
    let company = app.company("Acme").await;
    let (_, browser) = opened_by_maria_on(device, &app, &company).await;
    let name = |part: &str| format!("{part}-{}", device.name);
    app.advance(Duration::from_mins(14));
    later(&browser, 14).await;
    browser
        .run("scrollTo(0, 300); dispatchEvent(new Event('scroll'))", &[])
        .await;
    let told = "performance.getEntriesByType('resource').filter(e => e.name.endsWith('/alive')).length";
    browser.until(&format!("return {told} === 1")).await;
    browser
        .until("return document.querySelector('.session').hidden")
        .await;
    // The page is left alone.
    app.advance(Duration::from_mins(14));
    later(&browser, 14).await;
    browser.sees("Su sesión está por terminar").await;
    browser.glance("session", &name("1-warning")).await;
    browser.is_accessible("a session that is about to end").await;
    browser
        .run("document.querySelector('.session button').click()", &[])
        .await;
    browser
        .until("return document.querySelector('.session').hidden")
        .await;
    app.advance(Duration::from_mins(15));
    later(&browser, 15).await;
    browser.sees("Su sesión terminó").await;
    browser.glance("session", &name("2-ended")).await;
    // One tap goes on at the place where one was.
    let tap =
        "scrollTo({ top: 300, behavior: 'instant' }); document.querySelector('.session button').click()";
    browser.run(tap, &[]).await;
    browser
        .until("return document.querySelector('.session')?.hidden && Math.abs(scrollY - 300) < 2")
        .await;
    accept(&browser).await;
}

#[tokio::test]
async fn who_has_signed_keeps_copy_and_evidence_when_another_rejects_on_a_phone() {
    Box::pin(who_has_signed_keeps_copy_and_evidence_when_another_rejects(
        Device::PHONE,
    ))
    .await;
}

#[tokio::test]
async fn who_has_signed_keeps_copy_and_evidence_when_another_rejects_on_a_desktop() {
    Box::pin(who_has_signed_keeps_copy_and_evidence_when_another_rejects(
        Device::DESKTOP,
    ))
    .await;
}

async fn who_has_signed_keeps_copy_and_evidence_when_another_rejects(device: Device) {
    let app = installation().await;
    let company = app.company("Acme").await;
    let folio = company.created(contract()).await;
    let browser = Browser::on(device).await;
    browser.open(&link(&app, MARIA).await).await;
    sign(&app, &browser, MARIA).await;
    company
        .act(&folio, testkit::FolioAct::Reject(domain::SignerIndex(1)))
        .await;
    browser.reload().await;
    browser.sees("Otro firmante rechazó los documentos").await;
    browser.is_accessible("signed, and rejected by another").await;
    browser
        .picture("done", &format!("rejected-by-another-{}", device.name))
        .await;
    for (selector, start) in [
        (".files a", "%PDF-"),
        ("[href*=\"evidence.pdf\"]", "%PDF-"),
        ("[href*=\"evidence.json\"]", "{\"evi"),
    ] {
        let kept = format!(
            "return fetch(document.querySelector('{selector}').href).then(r => r.text()).then(t => t.slice(0, 5))"
        );
        assert_eq!(browser.run(&kept, &[]).await, start, "{selector}");
    }
}

#[tokio::test]
async fn the_receipt_leads_to_the_copy_also_after_a_cancellation() {
    for (device, size) in [(Device::PHONE, "phone"), (Device::DESKTOP, "desk")] {
        let app = installation().await;
        let company = app.company("Acme").await;
        let folio = company.created(contract()).await;
        let browser = Browser::on(device).await;
        browser.open(&link(&app, MARIA).await).await;
        sign(&app, &browser, MARIA).await;
        browser
            .sees("Falta la firma de otra persona. Le avisaremos por correo")
            .await;
        browser
            .sees("Enviamos su comprobante al correo m•••1@e•••.com")
            .await;
        browser.picture("done", &format!("waiting-{size}")).await;
        let receipt = app.mail_to(MARIA, "Usted firmó").await;
        assert!(receipt.text.contains("Faltan otras firmas"), "{}", receipt.text);
        company.cancel([&folio], "Ya no hace falta.").await.ok();
        browser.reload().await;
        browser.sees("quien la pidió anuló el proceso").await;
        browser.sees("Contrato de arrendamiento.pdf").await;
        browser.is_accessible("signed, and cancelled").await;
        browser.picture("done", &format!("cancelled-{size}")).await;
        let first_bytes = async |selector: &str| {
            let fetched = format!(
                "return fetch(document.querySelector('{selector}').href).then(r => r.text()).then(t => t.slice(0, 5))"
            );
            browser.run(&fetched, &[]).await
        };
        assert_eq!(first_bytes("[href*=\"evidence.pdf\"]").await, "%PDF-");
        let start = receipt.text.find("https://firmas.example.com/sign?s=").unwrap();
        let own = receipt.text[start..].split_whitespace().next().unwrap();
        browser.open(&here(&app, own)).await;
        browser.sees("quien la pidió anuló el proceso").await;
        assert_eq!(first_bytes(".files a").await, "%PDF-");
        let back = "return document.querySelector('.go').href";
        assert_eq!(
            browser.run(back, &[]).await,
            "https://cliente.example.com/gracias"
        );
    }
}
