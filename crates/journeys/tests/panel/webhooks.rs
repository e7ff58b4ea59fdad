//! An administrator manages a webhook.

use crate::sign_in::enter;
use domain::Role::Administrator;
use journeys::{Browser, Device};
use testkit::{Receiver, Reply, TestApp, folio};

/// Looks again until the page says that.
async fn reloads_until(browser: &Browser, words: &str) {
    testkit::until(words, async || {
        browser.reload().await;
        browser.visible_text().await.contains(words).then_some(())
    })
    .await;
}

async fn an_address_is_added_tried_and_removed(device: Device) {
    let app = TestApp::builder().with_webhooks().at_home().start().await;
    let receiver = Receiver::start().await;
    let company = app.company("Acme").await;
    company.panel_user("luisa@example.com", Administrator).await;
    let browser = Browser::on(device).await;
    let album = format!("webhooks/{}", device.label());
    enter(&app, &browser, "luisa@example.com", "/panel/webhooks").await;
    browser.sees("Aún no hay ninguna").await;
    browser.picture(&album, "1-none").await;

    browser.write("#address", "https://169.254.169.254/").await;
    browser.press("main .go").await;
    browser.sees("Esa dirección no es pública").await;
    browser.is_accessible("an address that is refused").await;
    browser
        .run("document.getElementById('address').value = ''", &[])
        .await;
    browser.write("#address", &receiver.url()).await;
    browser.write("#label", "ERP de contratos").await;
    browser.press("main .go").await;
    browser.sees("whsec_").await;
    browser.is_accessible("a secret").await;
    browser.picture(&album, "2-secret").await;
    browser.press("main .go").await;
    browser.sees("Todavía no hay avisos").await;

    receiver.will([Reply::Status(503)]);
    browser.press("main .go").await;
    browser.sees("La prueba va en camino").await;
    reloads_until(&browser, "503").await;
    browser.sees("Con fallas").await;
    browser.is_accessible("an address that fails").await;
    browser.picture(&album, "3-failing").await;
    browser.press("form[action$='/resend'] button").await;
    browser.sees("El aviso va de nuevo en camino").await;
    reloads_until(&browser, "Recibido").await;

    company.created(folio()).await;
    app.app().project_changes().await.unwrap();
    reloads_until(&browser, "Folio creado").await;
    receiver.until(3).await;
    reloads_until(&browser, "204").await;
    browser.picture(&album, "4-told").await;
    browser.press("td a[href*='/deliveries/']").await;
    browser.sees("Lo que se envía").await;
    browser.sees("maria.1001@example.com").await;
    browser.is_accessible("a delivery").await;
    browser.picture(&album, "5-delivery").await;
    browser.press("main p.address a:last-child").await;
    browser.press("details:has(form[action$='/kinds']) summary").await;
    browser.press("form[action$='/kinds'] [id='folio.created']").await;
    browser.press("form[action$='/kinds'] button").await;
    browser.sees("Recibe 10 de 11 avisos").await;
    browser
        .press("details:has(form[action$='/replay']) summary")
        .await;
    browser.is_accessible("an address with its forms").await;
    browser.picture(&album, "6-replay").await;
    browser.press("form[action$='/replay'] button").await;
    browser.sees("No había avisos que enviar de nuevo").await;

    browser.press("form[action$='/remove'] button").await;
    browser.sees("¿Eliminar esta dirección?").await;
    browser.is_accessible("the question before a removal").await;
    browser.picture(&album, "7-question").await;
    browser.press("main form button").await;
    browser.sees("Se eliminó la dirección").await;
    browser.sees("Aún no hay ninguna").await;
}

#[tokio::test]
async fn a_webhook_on_a_phone() {
    an_address_is_added_tried_and_removed(Device::PHONE).await;
}

#[tokio::test]
async fn a_webhook_on_a_desktop() {
    an_address_is_added_tried_and_removed(Device::DESKTOP).await;
}
