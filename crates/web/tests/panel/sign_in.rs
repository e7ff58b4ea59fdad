//! Getting in, and being kept out.

use domain::Role;
use reqwest::Method;
use std::time::Duration;
use testkit::{PASSWORD, PanelBrowser, TestApp, TestResponse};

const LUISA: &str = "luisa@example.com";

/// After the guess that was refused, only the browser in which the user signed in before may sign in.
async fn assert_locked_for_other_browsers(refused: &TestResponse, known: &PanelBrowser<'_>) {
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("5")));
    let other = PanelBrowser::new(known.app, &known.email);
    assert_eq!(other.try_password(PASSWORD).await.status, 429);
    known.forget("firmeza_panel");
    known.sign_in().await;
}

#[tokio::test]
async fn a_person_signs_in_and_out() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let luisa = company.panel_user("Luisa@Example.com", Role::Reader).await;
    let asked = luisa.get("/panel/nothing?q=a").await;
    assert_eq!(asked.status, 404, "a page that is not there is not there");
    let asked = luisa.get("/panel/account").await;
    assert_eq!(
        (asked.status, asked.header("location")),
        (303, Some("/panel/sign-in?next=%2Fpanel%2Faccount"))
    );
    let page = luisa.get("/panel/sign-in?next=%2Fpanel%2Faccount").await;
    assert!(page.text().contains("name=\"next\" value=\"/panel/account\""));
    let fields = [
        ("email", " LUISA@example.com "),
        ("password", PASSWORD),
        ("next", "/panel/account?x=1"),
    ];
    let entered = luisa.post_bare("/panel/sign-in", &fields).await;
    assert_eq!(entered.header("location"), Some("/panel/account?x=1"));
    let set: Vec<_> = entered.headers.get_all("set-cookie").iter().collect();
    assert!(
        set[0].to_str().unwrap().starts_with("__Host-firmeza_panel="),
        "{set:?}"
    );
    for part in ["; Secure; Path=/", "HttpOnly", "SameSite=Lax"] {
        assert!(
            set.iter().all(|cookie| cookie.to_str().unwrap().contains(part)),
            "{set:?}"
        );
    }
    let page = luisa.get("/panel/account").await;
    assert_eq!(page.status, 200);
    for words in ["Acme", "luisa@example.com", "Consulta", "Esta sesión"] {
        assert!(page.text().contains(words), "{words}");
    }
    let stolen = luisa.cookie("firmeza_panel").unwrap();
    let left = luisa.post("/panel/sign-out", &[]).await;
    assert_eq!(left.header("location"), Some("/panel/sign-in?done=out"));
    assert_eq!(luisa.cookie("firmeza_panel"), None);
    let again = luisa
        .request(Method::GET, "/panel/account")
        .header("cookie", format!("__Host-firmeza_panel={stolen}"));
    assert_eq!(
        luisa.send(again).await.status,
        303,
        "what was left is over for everybody"
    );
}

#[tokio::test]
async fn the_answer_never_says_whether_the_address_exists() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    company.panel_user(LUISA, Role::Reader).await;
    let disabled = company.panel_user("gone@example.com", Role::Reader).await;
    app.app()
        .operator()
        .set_user_enabled("gone@example.com", false)
        .await
        .unwrap();
    let mut said = Vec::new();
    for (person, password) in [
        (PanelBrowser::new(&app, LUISA), "no es esta clave"),
        (PanelBrowser::new(&app, "nobody@example.com"), "no es esta clave"),
        (disabled, PASSWORD),
    ] {
        let answer = person.try_password(password).await;
        assert_eq!(answer.status, 422);
        assert_eq!(person.cookie("firmeza_panel"), None);
        said.push(answer.text().replace(&person.email, "EMAIL"));
    }
    assert!(said[0].contains("El correo o la contraseña no son correctos"));
    assert_eq!(said[0], said[1]);
    assert_eq!(said[0], said[2]);
    // From now on all wait alike, too.
    let mut waits = Vec::new();
    for email in [LUISA, "nobody@example.com"] {
        let person = PanelBrowser::new(&app, email);
        for _ in 0..4 {
            assert_eq!(person.try_password("no es esta clave").await.status, 422);
        }
        let refused = person.try_password("no es esta clave").await;
        waits.push((refused.status, refused.header("retry-after").map(str::to_owned)));
    }
    assert_eq!(waits[0], (429, Some("5".to_owned())));
    assert_eq!(waits[0], waits[1]);
}

#[tokio::test]
async fn guessing_takes_ever_longer_and_never_for_good() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let luisa = company.panel_user(LUISA, Role::Reader).await;
    for _ in 0..5 {
        assert_eq!(luisa.try_password("no es esta clave").await.status, 422);
    }
    let refused = luisa.try_password(PASSWORD).await;
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("5")));
    assert!(refused.text().contains("Intente de nuevo en 5 segundos"));
    app.advance(Duration::from_secs(5));
    assert_eq!(luisa.try_password("no es esta clave").await.status, 422);
    assert_eq!(
        luisa.try_password(PASSWORD).await.header("retry-after"),
        Some("10")
    );
    app.advance(Duration::from_secs(10));
    luisa.sign_in().await;
    luisa.forget("firmeza_panel");
    assert_eq!(
        luisa.try_password("no es esta clave").await.status,
        422,
        "and it is forgotten"
    );
}

#[tokio::test]
async fn guesses_of_others_hold_a_known_browser_back_by_nothing() {
    let app = TestApp::builder().trusted_proxies("127.0.0.0/8").start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in(LUISA, Role::Reader).await;
    let guess = async |number: usize| {
        let stranger = PanelBrowser::new(&app, LUISA);
        let fields = testkit::encoded(&[("email", LUISA), ("password", "no es esta clave")]);
        let request = stranger
            .request(Method::POST, "/panel/sign-in")
            .header("x-forwarded-for", format!("203.0.113.{number}"))
            .header("sec-fetch-site", "same-origin")
            .body(fields);
        stranger.send(request).await
    };
    for number in 0..20 {
        assert_eq!(guess(number).await.status, 422);
    }
    // The account is locked for a little while, for every address.
    let refused = guess(200).await;
    assert_locked_for_other_browsers(&refused, &luisa).await;
    // The wait is half a minute at the most.
    for _ in 0..10 {
        app.advance(Duration::from_secs(31));
        assert_eq!(guess(201).await.status, 422);
        app.advance(Duration::from_mins(16));
    }
    app.advance(Duration::from_secs(31));
    PanelBrowser::new(&app, LUISA).sign_in().await;
}

#[tokio::test]
async fn one_network_does_not_try_everybody() {
    let app = TestApp::builder().trusted_proxies("127.0.0.0/8").start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in(LUISA, Role::Reader).await;
    let stranger = PanelBrowser::new(&app, "nobody@example.com");
    let guess = async |number: usize| {
        let email = format!("persona{number}@example.com");
        let fields = [("email", email.as_str()), ("password", "no es esta clave")];
        stranger.post_bare("/panel/sign-in", &fields).await
    };
    for number in 0..59 {
        assert_eq!(guess(number).await.status, 422);
    }
    // A successful sign-in is not counted as a guess, and does not reset the count.
    PanelBrowser::new(&app, LUISA).sign_in().await;
    assert_eq!(guess(59).await.status, 422);
    let refused = guess(60).await;
    assert_locked_for_other_browsers(&refused, &luisa).await;
    let elsewhere = PanelBrowser::new(&app, LUISA);
    let request = elsewhere
        .request(Method::POST, "/panel/sign-in")
        .header("x-forwarded-for", "203.0.113.7")
        .header("sec-fetch-site", "same-origin")
        .body(testkit::encoded(&[("email", LUISA), ("password", PASSWORD)]));
    assert_eq!(elsewhere.send(request).await.status, 303);
    app.advance(Duration::from_secs(5));
    // Successful sign-ins cause no wait.
    for _ in 0..2 {
        PanelBrowser::new(&app, LUISA).sign_in().await;
    }
}

#[tokio::test]
async fn a_try_whose_password_was_not_checked_is_not_counted() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in(LUISA, Role::Reader).await;
    let (store, csrf) = (&app.app().store, luisa.csrf().await);
    let user = store.read(|tx| tx.user_with_email(LUISA)).await.unwrap().unwrap();
    let (seq, kept) = (user.seq, user.password.unwrap());
    let damaged = store.write(move |tx| tx.set_password(seq, "no hash"));
    damaged.await.unwrap();
    let fields = [("csrf", csrf.as_str()), ("password", PASSWORD)];
    let stranger = PanelBrowser::new(&app, LUISA);
    for _ in 0..6 {
        assert_eq!(stranger.try_password(PASSWORD).await.status, 500);
        let own = luisa.post_bare("/panel/account/recovery", &fields).await;
        assert_eq!(own.status, 500);
    }
    let mended = store.write(move |tx| tx.set_password(seq, &kept));
    mended.await.unwrap();
    stranger.sign_in().await;
    let own = luisa.post_bare("/panel/account/recovery", &fields).await;
    assert_ne!(own.status, 500);
    assert!(!own.text().contains("Intente de nuevo en"), "{}", own.text());
}

#[tokio::test]
async fn guesses_that_come_at_once_are_counted_one_by_one() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    company.panel_user(LUISA, Role::Reader).await;
    let mut tries = tokio::task::JoinSet::new();
    let address = app.address();
    for _ in 0..12 {
        tries.spawn(async move {
            let fields = testkit::encoded(&[("email", LUISA), ("password", "no es esta clave")]);
            let client = reqwest::Client::builder().no_proxy().build().unwrap();
            let sent = client
                .post(format!("http://{address}/panel/sign-in"))
                .header("sec-fetch-site", "same-origin")
                .body(fields)
                .send();
            sent.await.unwrap().status().as_u16()
        });
    }
    let mut statuses = tries.join_all().await;
    statuses.sort_unstable();
    assert_eq!(statuses[..5], [422; 5]);
    assert_eq!(statuses[5..], [429; 7]);
}
