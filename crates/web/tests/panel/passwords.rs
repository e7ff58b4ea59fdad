//! Passwords: changed, forgotten, chosen by a link.

use domain::Role;
use std::time::Duration;
use testkit::{PASSWORD, PanelBrowser, TestApp};

const LUISA: &str = "luisa@example.com";
const NEW: &str = "una frase que nadie sabe";

/// The path of the link in the last email to that address.
async fn link(app: &TestApp, email: &str, words: &str) -> String {
    let mail = app.mail_to(email, words).await;
    let base = "https://firmeza.example.com";
    let start = mail.text.find(base).unwrap_or_else(|| panic!("{}", mail.text));
    let link = mail.text[start..].split_whitespace().next().unwrap();
    link[base.len()..].to_owned()
}

fn token(path: &str) -> &str {
    path.split_once("?t=").unwrap().1
}

#[tokio::test]
async fn a_change_ends_the_other_sessions_and_is_notified() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in(LUISA, Role::Reader).await;
    let other = PanelBrowser::new(&app, LUISA);
    other.sign_in().await;
    let change = "/panel/account/password";
    let weak = luisa.post(change, &[("old", PASSWORD), ("new", "corta")]).await;
    assert!(weak.status == 422 && weak.text().contains("al menos 10 caracteres"));
    let wrong = luisa
        .post(change, &[("old", "no es esta clave"), ("new", NEW)])
        .await;
    assert!(wrong.status == 422 && wrong.text().contains("no es su contraseña actual"));
    assert_eq!(other.get("/panel/account").await.status, 200);
    let before = luisa.cookie("firmeza_panel");
    let done = luisa.post(change, &[("old", PASSWORD), ("new", NEW)]).await;
    assert_eq!(done.status, 303);
    assert_ne!(luisa.cookie("firmeza_panel"), before);
    assert_eq!(luisa.get("/panel/account").await.status, 200);
    assert_eq!(other.get("/panel/account").await.status, 303);
    assert_eq!(other.try_password(PASSWORD).await.status, 422);
    assert_eq!(other.try_password(NEW).await.status, 303);
    app.mail_to(LUISA, "Su contraseña cambió").await;
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_by_a_link_that_works_once() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in(LUISA, Role::Reader).await;
    let stranger = PanelBrowser::new(&app, LUISA);
    let asked = stranger
        .post_bare("/panel/forgotten", &[("email", " Luisa@example.com")])
        .await;
    let unknown = stranger
        .post_bare("/panel/forgotten", &[("email", "nobody@example.com")])
        .await;
    assert_eq!((asked.status, &asked.body), (unknown.status, &unknown.body));
    assert_eq!(asked.header("location"), unknown.header("location"));
    let path = link(&app, LUISA, "Elija una contraseña nueva").await;
    assert!(stranger.get(&path).await.text().contains("luisa@example.com"));
    assert_eq!(stranger.get(&path).await.status, 200, "looking uses nothing up");
    assert_eq!(stranger.get("/panel/reset?t=nonsense").await.status, 404);
    let fields = |new: &'static str| [("t", token(&path).to_owned()), ("new", new.to_owned())];
    let post = async |new: &'static str| {
        let fields = fields(new);
        let fields: Vec<(&str, &str)> = fields.iter().map(|(n, v)| (*n, v.as_str())).collect();
        stranger.post_bare("/panel/reset", &fields).await
    };
    assert_eq!(post("corta").await.status, 422);
    let done = post(NEW).await;
    assert_eq!(done.header("location"), Some("/panel/sign-in?done=password"));
    assert_eq!(post("otra frase que nadie sabe").await.status, 404);
    assert_eq!(
        luisa.get("/panel/account").await.status,
        303,
        "what was open is over"
    );
    assert_eq!(stranger.try_password(PASSWORD).await.status, 422);
    assert_eq!(stranger.try_password(NEW).await.status, 303);
    assert!(
        app.mailbox()
            .await
            .iter()
            .all(|mail| mail.recipient != "nobody@example.com")
    );
}

#[tokio::test]
async fn choosing_a_password_resets_the_wait_after_wrong_guesses() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let known = company.signed_in(LUISA, Role::Reader).await;
    known.forget("firmeza_panel");
    let stranger = PanelBrowser::new(&app, LUISA);
    for (person, new) in [(&known, NEW), (&stranger, "otra frase que nadie sabe")] {
        for _ in 0..5 {
            assert_eq!(person.try_password("no es esta clave").await.status, 422);
        }
        assert_eq!(person.try_password("no es esta clave").await.status, 429);
        person.post_bare("/panel/forgotten", &[("email", LUISA)]).await;
        let emails = if new == NEW { 1 } else { 3 };
        testkit::until("the link", async || {
            (app.mailbox().await.len() == emails).then_some(())
        })
        .await;
        let path = link(&app, LUISA, "Elija una contraseña nueva").await;
        let fields = [("t", token(&path)), ("new", new)];
        assert_eq!(person.post_bare("/panel/reset", &fields).await.status, 303);
        assert_eq!(person.try_password(new).await.status, 303);
        // An email reports the change.
        testkit::until("the email about the change", async || {
            (app.mailbox().await.len() == emails + 1).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn a_link_is_good_for_an_hour_and_few_are_sent() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let luisa = company.panel_user(LUISA, Role::Reader).await;
    for _ in 0..5 {
        let asked = luisa.post_bare("/panel/forgotten", &[("email", LUISA)]).await;
        assert_eq!(asked.status, 303);
    }
    let path = link(&app, LUISA, "Elija una contraseña nueva").await;
    testkit::until("three emails", async || {
        (app.mailbox().await.len() == 3).then_some(())
    })
    .await;
    app.advance(Duration::from_mins(59));
    assert_eq!(luisa.get(&path).await.status, 200);
    app.advance(Duration::from_mins(1));
    assert_eq!(luisa.get(&path).await.status, 404);
    let fields = [("t", token(&path)), ("new", NEW)];
    assert_eq!(luisa.post_bare("/panel/reset", &fields).await.status, 404);
}

#[tokio::test]
async fn a_disabled_person_gets_no_link() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let luisa = company.panel_user(LUISA, Role::Reader).await;
    luisa.post_bare("/panel/forgotten", &[("email", LUISA)]).await;
    let path = link(&app, LUISA, "Elija una contraseña nueva").await;
    app.app().operator().set_user_enabled(LUISA, false).await.unwrap();
    assert_eq!(luisa.get(&path).await.status, 404);
    luisa.post_bare("/panel/forgotten", &[("email", LUISA)]).await;
    app.app().operator().set_user_enabled(LUISA, true).await.unwrap();
    assert_eq!(luisa.get(&path).await.status, 404, "the old link stays dead");
    luisa.post_bare("/panel/forgotten", &[("email", LUISA)]).await;
    testkit::until("the second email", async || {
        (app.mailbox().await.len() == 2).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_password_that_the_operator_gives_ends_the_links() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let luisa = company.panel_user(LUISA, Role::Reader).await;
    luisa.post_bare("/panel/forgotten", &[("email", LUISA)]).await;
    let path = link(&app, LUISA, "Elija una contraseña nueva").await;
    assert_eq!(luisa.get(&path).await.status, 200);
    let owner = app.app().operator().password_owner(LUISA).await.unwrap();
    let given = app::panel::Password::new("otra frase bien larga", &owner).unwrap();
    app.app()
        .operator()
        .set_user_password(LUISA, given)
        .await
        .unwrap();
    assert_eq!(luisa.get(&path).await.status, 404);
}

#[tokio::test]
async fn what_is_guessed_easily_is_refused_with_words_that_help() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Papelería Andina").await;
    let luisa = company.signed_in(LUISA, Role::Reader).await;
    luisa.post_bare("/panel/forgotten", &[("email", LUISA)]).await;
    let path = link(&app, LUISA, "Elija una contraseña nueva").await;
    for (weak, words) in [
        ("qwerty12345", "palabras o claves muy comunes"),
        ("Colombia2026", "palabras o claves muy comunes"),
        ("Papeleria2026", "a partir de su correo, su nombre o su empresa"),
        ("Luisa12345", "a partir de su correo, su nombre o su empresa"),
        ("abcdabcdabcd", "sigue un patrón"),
    ] {
        let change = [("old", PASSWORD), ("new", weak)];
        let reset = [("t", token(&path)), ("new", weak)];
        for refused in [
            luisa.post("/panel/account/password", &change).await,
            luisa.post_bare("/panel/reset", &reset).await,
        ] {
            assert_eq!(refused.status, 422, "{weak}");
            assert!(refused.text().contains(words), "{weak}: {}", refused.text());
        }
    }
    let long = "@({[<!|$+%4".repeat(2000);
    let refused = luisa
        .post_bare("/panel/reset", &[("t", token(&path)), ("new", &long)])
        .await;
    assert!(refused.status == 422 && refused.text().contains("como máximo 128"));
}
