//! The second factor: set up, asked for, used once, lost.

use domain::Role;
use std::time::Duration;
use testkit::{Authenticator, PASSWORD, PanelBrowser, START, TestApp, TestResponse};

const LUISA: &str = "luisa@example.com";
const PAGE: &str = "/panel/account/second-factor";
const REMOVE: &str = "/panel/account/second-factor/remove";
const RENEW: &str = "/panel/account/recovery";

fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = text
        .split_once(start)
        .unwrap_or_else(|| panic!("no {start} in {text}"));
    rest.split_once(end).unwrap().0
}

/// Reads the secret off the page and turns the second factor on; the phone, and the recovery codes.
async fn turned_on(person: &PanelBrowser<'_>, after: Duration) -> (Authenticator, Vec<String>) {
    let page = person.get(PAGE).await.text();
    assert!(page.contains("<svg class=\"qr\""), "{page}");
    let spelt = between(&page, "<code class=\"secret\">", "</code>").replace(' ', "");
    let phone = Authenticator::with_key(&spelt);
    let token = between(&page, "name=\"secret\" value=\"", "\"").to_owned();
    let code = phone.code(START.after(after));
    for (code, password) in [("000000", PASSWORD), (&*code, "no es esta clave")] {
        let wrong = person.post(PAGE, &filled(&token, code, password)).await;
        assert_eq!(wrong.status, 422);
        assert!(
            wrong.text().contains(&spelt[..4]),
            "the same secret is shown again"
        );
    }
    let done = person.post(PAGE, &filled(&token, &code, PASSWORD)).await;
    assert_eq!(done.status, 200, "{}", done.text());
    let text = done.text();
    let codes = text
        .split("<li>")
        .skip(1)
        .map(|rest| rest.split('<').next().unwrap());
    let codes: Vec<String> = codes.filter(|code| code.len() == 14).map(str::to_owned).collect();
    assert_eq!(codes.len(), 10, "{text}");
    (phone, codes)
}

fn filled<'t>(token: &'t str, code: &'t str, password: &'t str) -> [(&'t str, &'t str); 3] {
    [("secret", token), ("code", code), ("password", password)]
}

fn both<'t>(password: &'t str, code: &'t str) -> [(&'t str, &'t str); 2] {
    [("password", password), ("code", code)]
}

/// Password and code on a browser.
async fn enter(person: &PanelBrowser<'_>, code: &str) -> TestResponse {
    person.forget("firmeza_panel");
    let asked = person.try_password(PASSWORD).await;
    assert_eq!(asked.header("location"), Some("/panel/sign-in/code"));
    assert_eq!(person.cookie("firmeza_panel"), None);
    person.post_bare("/panel/sign-in/code", &[("code", code)]).await
}

#[tokio::test]
async fn a_code_is_asked_for_and_each_is_good_once() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in(LUISA, Role::Reader).await;
    let other = PanelBrowser::new(&app, LUISA);
    other.sign_in().await;
    let before = luisa.cookie("firmeza_panel");
    let (phone, _) = turned_on(&luisa, Duration::ZERO).await;
    assert_ne!(
        luisa.cookie("firmeza_panel"),
        before,
        "the session has another token"
    );
    assert_eq!(luisa.get("/panel/account").await.status, 200);
    assert_eq!(
        other.get("/panel/account").await.status,
        303,
        "and the others are over"
    );
    // The code that turned it on is used up.
    let used = enter(&other, &phone.code(START.after(Duration::ZERO))).await;
    assert_eq!(used.status, 422, "{}", used.text());
    app.advance(Duration::from_secs(30));
    let code = phone.code(START.after(Duration::from_secs(30)));
    let spaced = format!("{} {}", &code[..3], &code[3..]);
    let entered = other.post_bare("/panel/sign-in/code", &[("code", &spaced)]).await;
    assert_eq!(entered.status, 303, "{}", entered.text());
    assert_eq!(other.get("/panel/account").await.status, 200);
    let third = PanelBrowser::new(&app, LUISA);
    assert_eq!(enter(&third, &code).await.status, 422, "a code works once");
}

#[tokio::test]
async fn one_that_stands_is_not_replaced() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in(LUISA, Role::Reader).await;
    // A page that was opened before.
    let page = luisa.get(PAGE).await.text();
    let other =
        Authenticator::with_key(&between(&page, "<code class=\"secret\">", "</code>").replace(' ', ""));
    let token = between(&page, "name=\"secret\" value=\"", "\"").to_owned();
    let (phone, _) = turned_on(&luisa, Duration::ZERO).await;
    assert_eq!(luisa.get(PAGE).await.header("location"), Some("/panel/account"));
    let code = other.code(START.after(Duration::ZERO));
    let again = luisa.post(PAGE, &filled(&token, &code, PASSWORD)).await;
    assert_eq!(again.header("location"), Some("/panel/account"));
    app.advance(Duration::from_secs(30));
    let code = phone.code(START.after(Duration::from_secs(30)));
    let entered = enter(&PanelBrowser::new(&app, LUISA), &code).await;
    assert_eq!(entered.status, 303, "the first is still the one");
}

#[tokio::test]
async fn a_code_step_that_is_no_longer_needed_starts_the_sign_in_again() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in(LUISA, Role::Reader).await;
    let (_, codes) = turned_on(&luisa, Duration::ZERO).await;
    let other = PanelBrowser::new(&app, LUISA);
    assert_eq!(enter(&other, "1").await.status, 422);
    assert_eq!(luisa.post(REMOVE, &both(PASSWORD, &codes[0])).await.status, 303);
    let late = other.post_bare("/panel/sign-in/code", &[("code", "1")]).await;
    assert_eq!(late.header("location"), Some("/panel/sign-in?done=late"));
    other.sign_in().await;
}

#[tokio::test]
async fn recovery_codes_work_once_each() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in(LUISA, Role::Reader).await;
    let (_, codes) = turned_on(&luisa, Duration::ZERO).await;
    let other = PanelBrowser::new(&app, LUISA);
    let typed = codes[3].to_uppercase().replace('-', " ");
    assert_eq!(enter(&other, &typed).await.status, 303);
    assert!(
        other
            .get("/panel/account")
            .await
            .text()
            .contains("Quedan 9 códigos")
    );
    let third = PanelBrowser::new(&app, LUISA);
    assert_eq!(enter(&third, &codes[3]).await.status, 422);
    assert_eq!(
        third
            .post_bare("/panel/sign-in/code", &[("code", &codes[4])])
            .await
            .status,
        303
    );
    // New recovery codes end the old ones. They need the password and a code.
    for (password, code, said) in [
        (
            "no es esta clave",
            codes[6].as_str(),
            "Esa no es su contraseña actual",
        ),
        (PASSWORD, "", "El código no es correcto"),
        (PASSWORD, "000000", "El código no es correcto"),
        (PASSWORD, codes[3].as_str(), "El código no es correcto"),
    ] {
        let wrong = third.post(RENEW, &both(password, code)).await;
        assert_eq!(wrong.status, 422, "{code}");
        assert!(wrong.text().contains(said), "{}", wrong.text());
    }
    let renewed = third.post(RENEW, &both(PASSWORD, &codes[6])).await;
    assert_eq!(renewed.status, 200);
    assert!(!renewed.text().contains(&codes[5]));
    app.mail_to(LUISA, "Sus códigos de recuperación cambiaron").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let audit = admin.get("/panel/audit").await.text();
    assert!(
        audit.contains("<td>Creó códigos de recuperación nuevos"),
        "{audit}"
    );
    let fourth = PanelBrowser::new(&app, LUISA);
    assert_eq!(enter(&fourth, &codes[5]).await.status, 422);
}

#[tokio::test]
async fn guessing_codes_takes_ever_longer_and_the_password_is_soon_forgotten() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in(LUISA, Role::Reader).await;
    let (phone, _) = turned_on(&luisa, Duration::ZERO).await;
    let other = PanelBrowser::new(&app, LUISA);
    assert_eq!(enter(&other, "1").await.status, 422);
    for _ in 0..4 {
        assert_eq!(
            other
                .post_bare("/panel/sign-in/code", &[("code", "1")])
                .await
                .status,
            422
        );
    }
    let refused = other.post_bare("/panel/sign-in/code", &[("code", "1")]).await;
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("30")));
    app.advance(Duration::from_mins(11));
    let late = phone.code(START.after(Duration::from_mins(11)));
    let late = other.post_bare("/panel/sign-in/code", &[("code", &late)]).await;
    assert_eq!(late.header("location"), Some("/panel/sign-in?done=late"));
    let nothing = PanelBrowser::new(&app, LUISA);
    let forged = nothing.post_bare("/panel/sign-in/code", &[("code", "1")]).await;
    assert_eq!(forged.header("location"), Some("/panel/sign-in?done=late"));
}

#[tokio::test]
async fn it_is_turned_off_with_the_password_and_a_code_or_by_an_administrator() {
    let app = TestApp::builder().delivering().start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in(LUISA, Role::Reader).await;
    let told = async |times: usize| {
        let subject = "Su verificación en dos pasos se desactivó";
        testkit::until("the person is told", async || {
            let mails = app.mailbox().await;
            let told = mails
                .iter()
                .filter(|mail| mail.recipient == LUISA && mail.subject == subject);
            (told.count() == times).then_some(())
        })
        .await;
    };
    let (phone, _) = turned_on(&luisa, Duration::ZERO).await;
    let used = phone.code(START.after(Duration::ZERO));
    app.advance(Duration::from_secs(30));
    let code = phone.code(START.after(Duration::from_secs(30)));
    for (password, code) in [
        ("no es esta clave", code.as_str()),
        (PASSWORD, ""),
        (PASSWORD, used.as_str()),
    ] {
        assert_eq!(luisa.post(REMOVE, &both(password, code)).await.status, 422);
    }
    assert_eq!(luisa.post(REMOVE, &both(PASSWORD, &code)).await.status, 303);
    told(1).await;
    PanelBrowser::new(&app, LUISA).sign_in().await;
    turned_on(&luisa, Duration::ZERO).await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let list = admin.get("/panel/users").await.text();
    let rows: Vec<&str> = list.split("href=\"/panel/users/").skip(1).collect();
    let row = rows.iter().find(|row| row.contains(LUISA)).unwrap();
    let path = format!("/panel/users/{}/second-factor", &row[..32]);
    let asked = admin.post(&path, &[]).await;
    assert!(asked.text().contains("perdió su celular"), "{}", asked.text());
    assert_eq!(
        luisa.get("/panel/account").await.status,
        200,
        "nothing is done before the answer"
    );
    assert_eq!(admin.post(&path, &[("sure", "yes")]).await.status, 303);
    assert_eq!(luisa.get("/panel/account").await.status, 303);
    told(2).await;
    luisa.sign_in().await;
    turned_on(&luisa, Duration::ZERO).await;
    let operator = app.app().operator();
    assert!(operator.remove_second_factor(LUISA).await.unwrap());
    assert!(!operator.remove_second_factor(LUISA).await.unwrap());
    assert_eq!(luisa.get("/panel/account").await.status, 303);
    told(3).await;
    luisa.sign_in().await;
    let audit = admin.get("/panel/audit").await.text();
    assert_eq!(
        audit
            .matches("<td>Quitó la verificación en dos pasos de una persona")
            .count(),
        3,
        "{audit}"
    );
}

#[tokio::test]
async fn an_administrator_does_not_take_their_own_off_among_the_companys_people() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in(LUISA, Role::Administrator).await;
    company.panel_user("otra@example.com", Role::Administrator).await;
    turned_on(&admin, Duration::ZERO).await;
    let list = admin.get("/panel/users").await.text();
    let rows: Vec<&str> = list.split("href=\"/panel/users/").skip(1).collect();
    let row = rows.iter().find(|row| row.contains(LUISA)).unwrap();
    let own = format!("/panel/users/{}", &row[..32]);
    let page = admin.get(&own).await.text();
    assert!(!page.contains("/second-factor\""), "{page}");
    let path = format!("{own}/second-factor");
    let forms: [&[(&str, &str)]; 2] = [&[], &[("sure", "yes")]];
    for fields in forms {
        let refused = admin.post(&path, fields).await;
        assert_eq!(refused.status, 422);
        let text = refused.text();
        assert!(text.contains("con su contraseña y un código"), "{text}");
    }
    assert_eq!(
        admin.get("/panel/account").await.status,
        200,
        "the session goes on"
    );
    let asked = PanelBrowser::new(&app, LUISA).try_password(PASSWORD).await;
    assert_eq!(asked.header("location"), Some("/panel/sign-in/code"));
}

const COMPANY: &[(&str, &str)] = &[
    ("name", "Acme"),
    ("colour", "#0b5563"),
    ("timezone", ""),
    ("origins", ""),
    ("folio_days", ""),
    ("retention_days", ""),
];

/// Makes the second factor mandatory in the company, or optional.
async fn demand(admin: &PanelBrowser<'_>, demanded: bool) -> TestResponse {
    let mut fields = COMPANY.to_vec();
    if demanded {
        fields.push(("second_factor", "yes"));
    }
    admin.post("/panel/company", &fields).await
}

#[tokio::test]
async fn a_company_demands_one_of_everybody() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let luisa = company.signed_in(LUISA, Role::Supervisor).await;
    let elsewhere = app.company("Globex").await;
    let stranger = elsewhere.signed_in("otra@example.com", Role::Reader).await;

    let refused = demand(&admin, true).await;
    assert_eq!(refused.status, 422, "who has none demands none");
    assert!(refused.text().contains("Active primero su propia verificación"));
    assert_eq!(luisa.get("/panel/folios").await.status, 200);
    turned_on(&admin, Duration::ZERO).await;
    let done = demand(&admin, true).await;
    assert_eq!(done.status, 303, "{}", done.text());
    let audit = admin.get("/panel/audit").await.text();
    for words in [
        "verificación en dos pasos exigida a todas las personas",
        "<td>Activó su verificación en dos pasos",
    ] {
        assert!(audit.contains(words), "{words}");
    }

    // The session that was open is bound by it, by whatever address and method.
    let csrf = luisa.csrf().await;
    for (method, path) in web::panel::ROUTES.iter().copied() {
        // The language of the page that asks for it can be chosen.
        let speech = ["/panel/language", "/panel/account/language"];
        let free = ["/panel/sign-in", "/panel/forgotten", "/panel/reset"];
        if free.iter().any(|free| path.starts_with(free))
            || path == PAGE
            || path == "/panel/sign-out"
            || speech.contains(&path)
        {
            continue;
        }
        let filled: String = path
            .split('/')
            .skip(1)
            .map(|part| match part.strip_prefix('{') {
                Some(_) => format!("/{}", "ab".repeat(16)),
                None => format!("/{part}"),
            })
            .collect();
        let answer = match method {
            "get" => luisa.get(&filled).await,
            _ => {
                luisa
                    .post_bare(&filled, &[("csrf", &csrf), ("sure", "yes")])
                    .await
            }
        };
        assert_eq!(
            (answer.status, answer.header("location")),
            (303, Some(PAGE)),
            "{method} {path}"
        );
    }
    let page = luisa.get(PAGE).await.text();
    assert!(page.contains("Actívela para seguir"), "{page}");
    assert!(!page.contains("href=\"/panel/folios\""), "{page}");
    assert_eq!(stranger.get("/panel/folios").await.status, 200);

    // A new session, too; and one can leave.
    assert_eq!(luisa.post("/panel/sign-out", &[]).await.status, 303);
    luisa.sign_in().await;
    assert_eq!(luisa.get("/panel/folios").await.header("location"), Some(PAGE));
    let (own, codes) = turned_on(&luisa, Duration::ZERO).await;
    assert_eq!(luisa.get("/panel/folios").await.status, 200);

    // It stays on while it is demanded.
    let account = luisa.get("/panel/account").await.text();
    assert!(account.contains("no se puede desactivar") && !account.contains(REMOVE));
    let refused = luisa.post(REMOVE, &both(PASSWORD, &codes[0])).await;
    assert_eq!(refused.status, 422, "{}", refused.text());
    let entered = PanelBrowser::new(&app, LUISA);
    app.advance(Duration::from_secs(30));
    let code = own.code(START.after(Duration::from_secs(30)));
    assert_eq!(enter(&entered, &code).await.status, 303);

    assert_eq!(demand(&admin, false).await.status, 303);
    assert_eq!(entered.post(REMOVE, &both(PASSWORD, &codes[1])).await.status, 303);
    assert_eq!(entered.get("/panel/folios").await.status, 200);
}

#[tokio::test]
async fn an_act_that_is_under_way_when_it_is_demanded_is_not_done() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let admin = company.signed_in("admin@example.com", Role::Administrator).await;
    let luisa = company.signed_in(LUISA, Role::Supervisor).await;
    let token = luisa.cookie("firmeza_panel").unwrap();
    let signed = app.app().panel_session(&token).await.unwrap().unwrap();
    let caller = signed.caller("203.0.113.7".parse().unwrap());
    let folio = company.created(testkit::folio()).await;
    turned_on(&admin, Duration::ZERO).await;
    assert_eq!(demand(&admin, true).await.status, 303);
    let why = domain::Observation::new("Se cancela por error.").unwrap();
    let act = app
        .app()
        .cancel_folios(caller, vec![folio.parse().unwrap()], false, why, None);
    assert!(matches!(act.await, Err(app::Error::Denied)));
}
