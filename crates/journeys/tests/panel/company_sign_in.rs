//! A company sets up its identity provider in the panel, and a person signs in on the provider's page. The provider is a
//! real one (panva's oidc-provider).

use crate::sign_in::{enter, leave};
use app::WebhookPolicy;
use domain::Role::Administrator;
use journeys::{Browser, Device};
use parts::{IdentityProvider, free_port};
use serde_json::{Value, json};
use testkit::TestApp;

const ANA: &str = "ana@andes.example";
const LUIS: &str = "luis@andes.example";

fn person(email: &str, name: &str, group: &str) -> Value {
    json!({
        "sub": format!("sub-of-{email}"), "amr": ["pwd", "otp"],
        "claims": { "email": email, "email_verified": true, "name": name, "groups": [group] },
    })
}

async fn the_companys_own_account(device: Device) {
    let app = TestApp::builder()
        .at_port(free_port().unwrap())
        .at_system_time()
        .policy(|policy| {
            policy.webhooks = WebhookPolicy {
                plain_http: true,
                loopback: true,
                ..WebhookPolicy::default()
            };
        })
        .start()
        .await;
    let company = app.company("Inmobiliaria Los Andes").await;
    company.panel_user(ANA, Administrator).await;
    let mut known = json!({
        "key": { "id": "1", "algorithm": "ES256" }, "claims_in_token": false, "clients": [],
        "people": {
            "ana": person(ANA, "Ana Díaz", "firmas-administracion"),
            "luis": person(LUIS, "Luis Peña", "firmas-supervision"),
            "eva": person("eva@andes.example", "Eva Ruiz", "bodega"),
        },
    });
    let text = known.to_string();
    let provider = tokio::task::spawn_blocking(move || IdentityProvider::start(&text).unwrap());
    let provider = provider.await.unwrap();

    let browser = Browser::on(device).await;
    let album = format!("company-sign-in/{}", device.label());
    enter(&app, &browser, ANA, "/panel/company/sign-in").await;
    browser.sees("Entrar con la cuenta de la empresa").await;
    browser.write("#issuer", &provider.issuer()).await;
    browser.write("#client_id", "firmeza").await;
    browser.write("#secret", "s3cret-of-firmeza").await;
    browser.write("#scopes", "openid email profile groups").await;
    browser
        .write("#administrator_groups", "firmas-administracion")
        .await;
    browser.write("#supervisor_groups", "firmas-supervision").await;
    browser.press("#creates_users").await;
    browser.is_accessible("an identity provider to be set").await;
    browser.picture(&album, "1-form").await;
    browser.press("form[action='/panel/company/sign-in'] .go").await;
    browser.sees("Falta probarla").await;
    browser.is_accessible("an identity provider that was saved").await;
    browser.picture(&album, "2-saved").await;
    let redirect = browser.text(".address code").await;
    known["clients"] = json!([{
        "client_id": "firmeza", "client_secret": "s3cret-of-firmeza", "redirect_uris": [redirect],
        "response_types": ["code"], "grant_types": ["authorization_code"],
    }]);
    provider.set(&known.to_string()).unwrap();

    browser.press("a[href='/panel/company/sign-in/try']").await;
    at_provider(&browser, "ana").await;
    browser.sees("La prueba").await;
    browser.sees("firmas-administracion").await;
    browser.is_accessible("what came of the trial").await;
    browser.picture(&album, "3-tried").await;
    browser.press("main .go").await;
    browser
        .sees("Ya se puede entrar con la cuenta de la empresa")
        .await;
    browser.picture(&album, "4-on").await;
    let address = browser.text(".address ~ p + .address code").await;
    leave(&browser).await;
    browser.sees("Usted salió del panel").await;

    let other = browser.beside(device).await;
    other.open(&address).await;
    other.sees("Entrar con la cuenta de Inmobiliaria Los Andes").await;
    other.is_accessible("the sign-in page of a company").await;
    other.picture(&album, "5-door").await;
    other.press("main a.go").await;
    at_provider(&other, "luis").await;
    other.sees("Inmobiliaria Los Andes").await;
    other
        .open(&format!("http://{}/panel/account", app.address()))
        .await;
    other.sees("Luis Peña").await;
    other.sees("sin contraseña en este panel").await;
    other
        .is_accessible("the account of a person without a password")
        .await;
    other.picture(&album, "6-account").await;
    leave(&other).await;
    // The browser remembers the company.
    other.sees("Entrar con la cuenta de Inmobiliaria Los Andes").await;

    let third = browser.beside(device).await;
    third.open(&address).await;
    third.press("main a.go").await;
    at_provider(&third, "eva").await;
    third.sees("ninguno de los grupos").await;
    third.is_accessible("a person who is not let in").await;
    third.picture(&album, "7-refused").await;
}

/// Signs in on the provider's page.
async fn at_provider(browser: &Browser, login: &str) {
    browser.sees("Cuenta de la empresa").await;
    browser.write("#login", login).await;
    browser.write("#word", "clave").await;
    browser.press("form button").await;
}

#[tokio::test]
async fn the_companys_own_account_on_a_phone() {
    the_companys_own_account(Device::PHONE).await;
}

#[tokio::test]
async fn the_companys_own_account_on_a_desktop() {
    the_companys_own_account(Device::DESKTOP).await;
}

#[tokio::test]
async fn a_language_stays_with_the_person() {
    let app = TestApp::builder().at_home().start().await;
    let company = app.company("Acme").await;
    company.panel_user(ANA, Administrator).await;
    let browser = Browser::on(Device::PHONE).await;
    browser.open(&format!("http://{}/panel", app.address())).await;
    browser.sees("Entrar al panel").await;
    browser.press(".panel-foot button[value=en]").await;
    browser.sees("Sign in to the panel").await;
    browser.picture("language/phone", "1-door").await;
    browser.write("#email", ANA).await;
    browser.write("#password", testkit::PASSWORD).await;
    browser.press("main .go").await;
    browser
        .open(&format!("http://{}/panel/account", app.address()))
        .await;
    browser.press(".panel-foot button[value=en]").await;
    browser.sees("Open sessions").await;
    browser.is_accessible("the account in English").await;
    browser.picture("language/phone", "2-account").await;
    // Another browser of the same person, which asks for Spanish.
    let other = browser.beside(Device::DESKTOP).await;
    enter(&app, &other, ANA, "/panel/account").await;
    other.sees("Open sessions").await;
    other.picture("language/desktop", "1-account").await;
}
