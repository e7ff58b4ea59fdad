//! A form that takes long: saved while it is filled in, with people of earlier folios, over a session that ends.

use crate::sign_in::enter;
use domain::Role::Supervisor;
use journeys::{Browser, Device};
use testkit::{PASSWORD, TestApp, folio, signers};

async fn values(browser: &Browser) -> Vec<String> {
    let names = "return [...document.querySelectorAll('fieldset input[name^=name]')].map((one) => one.value)";
    let names = browser.run(names, &[]).await;
    let names = names.as_array().unwrap().iter();
    names.map(|name| name.as_str().unwrap().to_owned()).collect()
}

async fn nothing_is_lost(device: Device) {
    let app = TestApp::builder().delivering().at_home().start().await;
    let company = app.company("Acme").await;
    company.panel_user("luisa@example.com", Supervisor).await;
    company.created(folio().signers(&signers(1))).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Contrato.pdf");
    std::fs::write(&file, testkit::pdf::lease(1)).unwrap();
    let browser = Browser::on(device).await;
    let album = format!("drafts/{}", device.label());
    enter(&app, &browser, "luisa@example.com", "/panel/folios/new").await;
    browser.sees("Nuevo folio").await;

    // Everything that is wrong is told at once.
    browser.write("#email0", "andres").await;
    browser.press("form.new .go").await;
    browser.sees("Escriba un correo completo").await;
    browser
        .until("return document.querySelectorAll('form.new [aria-invalid]').length >= 6")
        .await;
    browser.is_accessible("a form with errors").await;
    browser.picture(&album, "1-errors").await;

    // A person of an earlier folio, chosen by name.
    let known = "return document.querySelector('#contacts option').value";
    let known = browser.run(known, &[]).await;
    browser
        .run("document.getElementById('email0').value = ''", &[])
        .await;
    browser.write("#name0", known.as_str().unwrap()).await;
    browser
        .until("return document.getElementById('number0').value === '1001'")
        .await;
    browser.attach("#documents", &file).await;
    browser.sees("Borrador guardado").await;
    browser
        .until("return document.querySelector('#kept li') !== null")
        .await;
    browser.press("#add").await;
    browser
        .until("return document.activeElement.name === 'name1'")
        .await;
    for (field, words) in [
        ("#name1", "Marta Díaz"),
        ("#number1", "52000111"),
        ("#email1", "marta@example.com"),
        ("#mobile1", "3009876543"),
        ("#name", "Contrato de obra"),
        ("#message", "Por favor revise y firme."),
    ] {
        browser.write(field, words).await;
    }
    browser.press("button[value='up:1']").await;
    browser
        .until("return document.getElementById('name0').value === 'Marta Díaz'")
        .await;
    assert_eq!(values(&browser).await[1], known.as_str().unwrap());
    browser.is_accessible("a form with two signers and a file").await;
    browser.picture(&album, "2-filled").await;

    // The session ends, and the form stays.
    browser.forget_cookies().await;
    browser.press("form.new .go").await;
    browser.sees("Su sesión terminó").await;
    browser.picture(&album, "3-signed-out").await;
    let form = browser.new_tab().await;
    browser
        .open(&format!("http://{}/panel/sign-in", app.address()))
        .await;
    browser.write("#email", "luisa@example.com").await;
    browser.write("#password", PASSWORD).await;
    browser.press(".go").await;
    browser.sees("Folios").await;
    browser.to_tab(&form).await;
    browser.press("form.new .go").await;
    browser.sees("Se creó el folio").await;
    browser.sees("Contrato de obra").await;
    browser.sees("Marta Díaz").await;
}

async fn buttons_do_without_a_script(device: Device) {
    let app = TestApp::builder().delivering().at_home().start().await;
    let company = app.company("Acme").await;
    company.panel_user("luisa@example.com", Supervisor).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Contrato.pdf");
    std::fs::write(&file, testkit::pdf::lease(1)).unwrap();
    let browser = Browser::on(device).await.without_javascript().await;
    enter(&app, &browser, "luisa@example.com", "/panel/folios/new").await;
    browser.sees("Nuevo folio").await;
    browser.write("#name", "Contrato de obra").await;
    browser.write("#name0", "Andrés Peña").await;
    browser.attach("#documents", &file).await;
    browser.press("#add").await;
    browser.sees("Firmante 2").await;
    browser.sees("Contrato.pdf").await;
    browser.write("#name1", "Marta Díaz").await;
    browser.press("button[value='remove:0']").await;
    browser
        .until("return document.querySelector('#name1') === null")
        .await;
    browser.press("button[value=save]").await;
    browser.until("return location.hash === ''").await;
    browser
        .open(&format!("http://{}/panel/folios/new", app.address()))
        .await;
    browser.sees("Borradores").await;
    browser.press("a[href*='draft=']").await;
    browser.sees("Contrato.pdf").await;
    for (field, words) in [
        ("#message", "Por favor revise y firme."),
        ("#number0", "52000111"),
        ("#email0", "marta@example.com"),
        ("#mobile0", "3009876543"),
    ] {
        browser.write(field, words).await;
    }
    browser.press("form.new .go").await;
    browser.sees("Se creó el folio").await;
    browser.sees("Marta Díaz").await;
}

#[tokio::test]
async fn nothing_is_lost_on_a_phone() {
    nothing_is_lost(Device::PHONE).await;
}

#[tokio::test]
async fn nothing_is_lost_on_a_desktop() {
    nothing_is_lost(Device::DESKTOP).await;
}

#[tokio::test]
async fn buttons_do_without_a_script_on_a_phone() {
    buttons_do_without_a_script(Device::PHONE).await;
}
