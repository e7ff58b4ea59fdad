//! The panel speaks the language that a person chose, on every browser, and so do the emails about the account.

use domain::Role::{Administrator, Reader};
use testkit::{PanelBrowser, TestApp};

const LUISA: &str = "luisa@example.com";

#[tokio::test]
async fn a_choice_stays_with_the_browser_and_with_the_person() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let luisa = company.panel_user(LUISA, Reader).await;
    assert!(
        luisa
            .get("/panel/sign-in")
            .await
            .text()
            .contains("Entrar al panel")
    );
    let form = [("language", "en"), ("back", "/panel/sign-in?next=/panel/account")];
    let chosen = luisa.post_bare("/panel/language", &form).await;
    assert_eq!(
        chosen.header("location"),
        Some("/panel/sign-in?next=/panel/account")
    );
    assert!(
        luisa
            .get("/panel/sign-in")
            .await
            .text()
            .contains("Sign in to the panel")
    );
    luisa.sign_in().await;
    assert!(luisa.get("/panel/account").await.text().contains("Open sessions"));
    // In this browser only, so far.
    let other = PanelBrowser::new(&app, LUISA);
    other.sign_in().await;
    assert!(
        other
            .get("/panel/account")
            .await
            .text()
            .contains("Sesiones abiertas")
    );
    let form = [("language", "en"), ("back", "https://evil.example/panel")];
    let kept = other.post("/panel/account/language", &form).await;
    assert_eq!(kept.header("location"), Some("/panel/folios"));
    let third = PanelBrowser::new(&app, LUISA);
    third.sign_in().await;
    assert!(third.get("/panel/account").await.text().contains("Open sessions"));
    // What is no language of the panel changes nothing.
    for language in ["pt", "xx", ""] {
        let form = [("language", language), ("back", "/panel/account")];
        assert_eq!(third.post("/panel/account/language", &form).await.status, 303);
    }
    assert!(third.get("/panel/account").await.text().contains("Open sessions"));

    let asked = third.post_bare("/panel/forgotten", &[("email", LUISA)]).await;
    assert_eq!(asked.status, 303);
    let mail = app.mail_to(LUISA, "Choose a new password").await;
    assert!(mail.text.contains("Hello, Persona"), "{}", mail.text);
}

#[tokio::test]
async fn an_invited_person_is_written_to_in_the_companys_language() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in(LUISA, Administrator).await;
    app.tamper("UPDATE companies SET language = 'pt'").await;
    let form = [
        ("email", "nora@example.com"),
        ("name", "Nora"),
        ("role", "reader"),
    ];
    assert_eq!(admin.post("/panel/users", &form).await.status, 303);
    app.mail_to("nora@example.com", "Seu acesso ao painel de assinaturas")
        .await;
}
