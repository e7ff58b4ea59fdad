//! An administrator connects a system.

use crate::sign_in::enter;
use domain::Role::Administrator;
use journeys::{Browser, Device};
use serde_json::json;
use testkit::TestApp;

async fn a_key_is_made_replaced_and_revoked(device: Device) {
    let app = TestApp::builder().at_home().start().await;
    let company = app.company("Acme").await;
    company.revoke().await;
    company.panel_user("admin@example.com", Administrator).await;
    let browser = Browser::on(device).await;
    let album = format!("keys/{}", device.label());
    enter(&app, &browser, "admin@example.com", "/panel/keys").await;
    browser.write("#label", "Sistema de nómina").await;
    browser.press("main .go").await;
    browser.sees("no se mostrará de nuevo").await;
    let key = browser.text("#key").await;
    browser.is_accessible("a key").await;
    browser.picture(&album, "1-key").await;
    let here = browser.address().await;
    let (origin, _) = here.split_once("/panel").unwrap();
    let allowed =
        json!({ "origin": origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
    browser.devtools("Browser.grantPermissions", allowed).await;
    let copy = format!("button[data-copy='{key}']");
    browser.press(&copy).await;
    browser.sees("Copiado").await;
    let pasted = browser.run("return navigator.clipboard.readText()", &[]).await;
    assert_eq!(pasted, key);
    browser.is_accessible("a key that was copied").await;
    let unknown = "0".repeat(32);
    let caller = company.saying(Some(&format!("Bearer {key}")));
    assert_eq!(caller.read(&unknown).await.status, 404);
    browser.press("main .go").await;
    browser.sees("Sistema de nómina").await;
    browser.is_accessible("keys").await;
    browser.picture(&album, "2-keys").await;

    browser.press("a[href$='/rotate']").await;
    browser.choose("#hours", "1").await;
    browser.is_accessible("replacing a key").await;
    browser.press("main .go").await;
    browser.sees("Su llave nueva").await;
    assert_ne!(browser.text("#key").await, key);
    assert_eq!(
        caller.read(&unknown).await.status,
        404,
        "the old one works for an hour"
    );
    browser.press("main .go").await;

    let old = "form[action$='/revoke'] button";
    browser.press(old).await;
    browser.sees("¿Revocar esta llave?").await;
    browser
        .is_accessible("the question before a key is revoked")
        .await;
    browser.press("main form button").await;
    browser.sees("Se revocó la llave").await;
    browser.picture(&album, "3-revoked").await;
}

#[tokio::test]
async fn a_key_on_a_phone() {
    a_key_is_made_replaced_and_revoked(Device::PHONE).await;
}

#[tokio::test]
async fn a_key_on_a_desktop() {
    a_key_is_made_replaced_and_revoked(Device::DESKTOP).await;
}
