//! What people do with browsers: press twice, go back, open two tabs.

use crate::installation::{
    MARIA, accept, code, contract, installation, link, opened_by_maria, phone, sign, state, validated,
};
use journeys::Browser;
use testkit::{pdf, signers};

async fn press_twice(browser: &Browser) {
    let script = "const go = document.querySelector('.go'); go.click(); go.click()";
    browser.run(script, &[]).await;
}

#[tokio::test]
async fn a_double_press_signs_once() {
    let app = installation().await;
    let company = app.company("Acme").await;
    let (folio, browser) = opened_by_maria(&app, &company).await;
    accept(&browser).await;
    // Typed digits would be handed in by themselves.
    let fill = "document.querySelector('#code').value = arguments[0]";
    browser.run(fill, &[code(&app, MARIA).await.into()]).await;
    press_twice(&browser).await;
    browser.sees("Listo, usted firmó").await;
    validated(&app, &company, &folio, &pdf::lease(3), 2).await;
}

#[tokio::test]
async fn a_double_press_without_javascript_signs_once() {
    let app = installation().await;
    let company = app.company("Acme").await;
    let folio = company.created(contract().signers(&signers(1))).await;
    let browser = phone().await.without_javascript().await;
    browser.open(&link(&app, MARIA).await).await;
    browser.press("label[for=consent]").await;
    browser.press(".go").await;
    browser.sees("Escriba el código").await;
    browser.write("#code", &code(&app, MARIA).await).await;
    press_twice(&browser).await;
    browser.sees("firmó").await;
    validated(&app, &company, &folio, &pdf::lease(3), 2).await;
}

#[tokio::test]
async fn going_back_after_signing_changes_nothing() {
    let app = installation().await;
    let company = app.company("Acme").await;
    let (folio, browser) = opened_by_maria(&app, &company).await;
    sign(&app, &browser, MARIA).await;
    browser.back().await;
    browser.back().await;
    browser.reload().await;
    browser.sees("firmó").await;
    assert_eq!(state(&company, &folio).await, "FIRMADO");
    validated(&app, &company, &folio, &pdf::lease(3), 2).await;
}

#[tokio::test]
async fn two_tabs_end_in_one_signature() {
    let app = installation().await;
    let company = app.company("Acme").await;
    let folio = company.created(contract().signers(&signers(1))).await;
    let browser = phone().await;
    let link = link(&app, MARIA).await;
    browser.open(&link).await;
    accept(&browser).await;
    let code = code(&app, MARIA).await;
    browser.write("#code", &code[..5]).await;
    let first = browser.new_tab().await;
    browser.open(&link).await;
    browser.press("label[for=consent]").await;
    browser.press("[name=have]").await;
    browser.write("#code", &code).await;
    browser.sees("Listo, usted firmó").await;
    browser.to_tab(&first).await;
    browser.write("#code", &code).await;
    browser.sees("Usted ya firmó").await;
    validated(&app, &company, &folio, &pdf::lease(3), 2).await;
}
