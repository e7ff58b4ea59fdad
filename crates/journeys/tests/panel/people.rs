//! An administrator looks after people.

use crate::sign_in::enter;
use domain::Role::Administrator;
use journeys::{Browser, Device};
use testkit::TestApp;

const ADMIN: &str = "admin@example.com";
const NORA: &str = "nora@example.com";

async fn somebody_is_invited_and_stopped(device: Device) {
    let app = TestApp::builder().delivering().at_home().start().await;
    let company = app.company("Acme").await;
    company.panel_user(ADMIN, Administrator).await;
    let browser = Browser::on(device).await;
    let album = format!("people/{}", device.label());
    enter(&app, &browser, ADMIN, "/panel/users").await;
    browser.sees("Invitar a alguien").await;
    browser.write("#name", "Nora Vélez").await;
    browser.write("#email", NORA).await;
    browser.press("label[for=role-supervisor]").await;
    browser.press("main .go").await;
    browser.sees("el mensaje va en camino").await;
    browser.sees("Invitaciones pendientes").await;
    browser.is_accessible("people").await;
    browser.picture(&album, "1-invited").await;

    let mail = app.mail_to(NORA, "Su acceso al panel").await;
    let path = mail.text.split("http://127.0.0.1").nth(1).unwrap();
    let path = path.split_whitespace().next().unwrap();
    let nora = browser.beside(device).await;
    nora.open(&format!("http://{}{path}", app.address())).await;
    nora.write("#new", "una frase que nadie sabe").await;
    nora.press(".go").await;
    nora.sees("Se guardó su contraseña").await;
    nora.write("#email", NORA).await;
    nora.write("#password", "una frase que nadie sabe").await;
    nora.press(".go").await;
    nora.sees("Todavía no hay folios").await;
    nora.open(&format!("http://{}/panel/account", app.address()))
        .await;
    nora.sees("Supervisión").await;
    nora.open(&format!("http://{}/panel/users", app.address())).await;
    nora.sees("Su rol no permite esto").await;

    browser.reload().await;
    let id =
        "return [...document.querySelectorAll('.list a')].find(a => a.textContent.includes('Nora')).href";
    let page = browser.run(id, &[]).await;
    browser.open(page.as_str().unwrap()).await;
    browser.press("form[action$='/disable'] button").await;
    browser.sees("¿Quitar el acceso a esta persona?").await;
    browser
        .is_accessible("the question before access is taken away")
        .await;
    browser.picture(&album, "2-question").await;
    browser.press("main form button").await;
    browser.sees("Sin acceso").await;
    nora.reload().await;
    nora.sees("Entrar al panel").await;
    browser.is_accessible("a change that can be undone").await;
    browser.press(".note form button").await;
    // Only Nora was without access; the page before says all the rest as well.
    browser
        .until("return document.readyState === 'complete' && !document.body.innerText.includes('Sin acceso')")
        .await;
    browser.sees("Se guardó el cambio").await;
    browser
        .open(&format!("http://{}/panel/audit", app.address()))
        .await;
    browser.sees("Quitó el acceso a una persona").await;
    browser.is_accessible("the audit").await;
    browser.picture(&album, "3-audit").await;
    browser
        .open(&format!(
            "http://{}/panel/audit?what=user_disabled&who={ADMIN}",
            app.address()
        ))
        .await;
    browser.sees("Quitar los filtros").await;
    browser.is_accessible("the audit with filters").await;
    browser.picture(&album, "4-filtered").await;
}

#[tokio::test]
async fn somebody_is_invited_and_stopped_on_a_phone() {
    somebody_is_invited_and_stopped(Device::PHONE).await;
}

#[tokio::test]
async fn somebody_is_invited_and_stopped_on_a_desktop() {
    somebody_is_invited_and_stopped(Device::DESKTOP).await;
}
