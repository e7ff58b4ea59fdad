//! Getting in: a wrong password, a right one, a second step, a forgotten password.

use crate::sign_in::{enter, leave};
use domain::Role::Reader;
use journeys::{Browser, Device};
use testkit::{Authenticator, PASSWORD, TestApp};

const LUISA: &str = "luisa@example.com";

async fn with_a_second_step(device: Device) {
    let app = TestApp::builder().at_home().start().await;
    let company = app.company("Inmobiliaria Los Andes").await;
    company.panel_user(LUISA, Reader).await;
    let browser = Browser::on(device).await;
    let album = format!("getting-in/{}", device.label());
    browser.open(&format!("http://{}/panel", app.address())).await;
    browser.sees("Entrar al panel").await;
    browser.picture(&album, "1-door").await;
    browser.write("#email", LUISA).await;
    browser.write("#password", "no es esta clave").await;
    browser.press(".go").await;
    browser.sees("no son correctos").await;
    browser.is_accessible("a wrong password").await;
    browser.write("#password", PASSWORD).await;
    browser.press(".go").await;
    browser.sees("Inmobiliaria Los Andes").await;

    browser
        .open(&format!("http://{}/panel/account", app.address()))
        .await;
    browser.sees("Sesiones abiertas").await;
    browser.is_accessible("the account").await;
    browser.picture(&album, "2-account").await;
    browser.press("a[href='/panel/account/second-factor']").await;
    let phone = Authenticator::with_key(&browser.text("code.secret").await);
    browser.is_accessible("setting up the second step").await;
    browser.picture(&album, "3-second-step").await;
    browser.write("#code", &phone.code(app.app().clock.now())).await;
    browser.write("#own", PASSWORD).await;
    browser.press("main .go").await;
    browser.sees("Sus códigos de recuperación").await;
    let recovery = browser.text(".codes li").await;
    browser.is_accessible("recovery codes").await;
    browser.picture(&album, "4-recovery").await;
    browser.press("main .go").await;
    browser.sees("Quedan 10 códigos").await;
    leave(&browser).await;
    browser.sees("Usted salió del panel").await;

    enter(&app, &browser, LUISA, "/panel/account").await;
    browser.sees("Escriba el código de su aplicación").await;
    browser.is_accessible("the second step").await;
    browser.picture(&album, "5-code").await;
    app.advance(std::time::Duration::from_secs(30));
    browser.write("#code", &phone.code(app.app().clock.now())).await;
    browser.press(".go").await;
    browser.sees("Sesiones abiertas").await;
    leave(&browser).await;
    browser.sees("Usted salió del panel").await;
    enter(&app, &browser, LUISA, "/panel/account").await;
    browser.write("#code", &recovery).await;
    browser.press(".go").await;
    browser.sees("Quedan 9 códigos").await;
}

#[tokio::test]
async fn with_a_second_step_on_a_phone() {
    with_a_second_step(Device::PHONE).await;
}

#[tokio::test]
async fn with_a_second_step_on_a_desktop() {
    with_a_second_step(Device::DESKTOP).await;
}

/// Two browsers of one person: the one ends the session of the other, and changes the password.
async fn looking_after_ones_account(device: Device) {
    const NEW: &str = "una frase que nadie sabe";
    let app = TestApp::builder().at_home().start().await;
    let company = app.company("Acme").await;
    company.panel_user(LUISA, Reader).await;
    let browser = Browser::on(device).await;
    let album = format!("getting-in/{}", device.label());
    enter(&app, &browser, LUISA, "/panel/account").await;
    browser.sees("Sesiones abiertas").await;
    let other = browser.beside(device).await;
    enter(&app, &other, LUISA, "/panel/account").await;
    other.sees("Sesiones abiertas").await;
    browser.reload().await;
    browser.picture(&album, "7-sessions").await;
    browser.press("form[action$='/end'] button").await;
    browser.sees("Se cerró la sesión.").await;
    other.reload().await;
    other.sees("Entrar al panel").await;

    browser.write("#old", "no es esta clave").await;
    browser.write("#new", NEW).await;
    browser
        .press("form[action='/panel/account/password'] button")
        .await;
    browser.sees("Esa no es su contraseña actual.").await;
    browser.is_accessible("a wrong password of one's own").await;
    browser.write("#old", PASSWORD).await;
    browser.write("#new", NEW).await;
    browser
        .press("form[action='/panel/account/password'] button")
        .await;
    browser.sees("Se cambió su contraseña").await;

    for said in ["no son correctos"; 5].into_iter().chain(["segundos"]) {
        other
            .open(&format!("http://{}/panel/sign-in", app.address()))
            .await;
        other.write("#email", LUISA).await;
        other.write("#password", PASSWORD).await;
        other.press(".go").await;
        other.sees(said).await;
    }
    other.is_accessible("too many wrong passwords").await;
    other.picture(&album, "8-wait").await;
    browser.reload().await;
    browser.sees("Sesiones abiertas").await;
}

#[tokio::test]
async fn looking_after_ones_account_on_a_phone() {
    looking_after_ones_account(Device::PHONE).await;
}

#[tokio::test]
async fn looking_after_ones_account_on_a_desktop() {
    looking_after_ones_account(Device::DESKTOP).await;
}

#[tokio::test]
async fn after_forgetting_the_password_without_javascript() {
    let app = TestApp::builder().delivering().at_home().start().await;
    let company = app.company("Acme").await;
    company.panel_user(LUISA, Reader).await;
    let browser = Browser::on(Device::PHONE).await.without_javascript().await;
    browser
        .open(&format!("http://{}/panel/sign-in", app.address()))
        .await;
    browser.press("a[href='/panel/forgotten']").await;
    browser.write("#email", LUISA).await;
    browser.press(".go").await;
    browser.sees("el enlace va en camino").await;
    let mail = app.mail_to(LUISA, "Elija una contraseña nueva").await;
    let path = mail.text.split("http://127.0.0.1").nth(1).unwrap();
    let path = path.split_whitespace().next().unwrap();
    browser.open(&format!("http://{}{path}", app.address())).await;
    browser.sees("Elija su contraseña").await;
    browser.picture("getting-in/phone", "6-reset").await;
    browser.write("#new", "una frase que nadie sabe").await;
    browser.press(".go").await;
    browser.sees("Se guardó su contraseña").await;
    browser.write("#email", LUISA).await;
    browser.write("#password", "una frase que nadie sabe").await;
    browser.press(".go").await;
    browser.sees("Acme").await;
}
