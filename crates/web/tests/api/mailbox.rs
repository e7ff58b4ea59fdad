//! The sandbox's mailbox, and who may open it.

use reqwest::Method;
use testkit::{MAILBOX_TOKEN, TestApp, folio, signers};

const HTML: &str = "text/html; charset=utf-8";

#[tokio::test]
async fn messages_are_shown_to_people_and_listed_for_programs() {
    let app = TestApp::builder().delivering().at_home().start().await;
    let acme = app.company("Acme").await;
    let nobody = acme.saying(None);
    assert!(
        nobody
            .get("/mailbox")
            .await
            .text()
            .contains("Todavía no hay mensajes")
    );
    let alone = folio().signers(&signers(1));
    acme.created(alone.with("folioName", "<b>Año</b>")).await;
    let mail = app.mail_to("maria.1001@example.com", "le pide su firma").await;

    let page = nobody.get("/mailbox").await;
    assert_eq!(page.header("content-type"), Some(HTML));
    assert!(
        page.header("content-security-policy")
            .unwrap()
            .contains("script-src 'self'")
    );
    assert!(
        page.text().contains("Acme le pide su firma: &#60;b&#62;Año"),
        "{}",
        page.text()
    );

    let email = nobody.get(&format!("/mailbox/{}/html", mail.seq)).await;
    let policy = email.header("content-security-policy").unwrap().to_owned();
    assert!(
        policy.contains("sandbox") && !policy.contains("script"),
        "{policy}"
    );
    assert!(email.text().contains("Leer y firmar"));

    let listed = nobody.get("/mailbox.json").await.json();
    let found = listed["messages"]
        .as_array()
        .unwrap()
        .iter()
        .find(|found| found["seq"] == mail.seq.0);
    let found = found.unwrap();
    assert_eq!(found["to"], "maria.1001@example.com");
    assert_eq!(found["channel"], "email");
    assert_eq!(found["text"], mail.text.as_str());
    let newest = listed["messages"][0]["seq"].as_i64().unwrap();
    let since = nobody.get(&format!("/mailbox.json?after={newest}")).await.json();
    assert_eq!(since["messages"], serde_json::json!([]));
    let nothing = nobody.get(&format!("/mailbox/letters?after={newest}")).await;
    assert_eq!(nothing.status, 204);
}

#[tokio::test]
async fn only_this_machine_may_open_it() {
    let app = TestApp::builder().delivering().at_home().start().await;
    let nobody = app.company("Acme").await.saying(None);
    for path in [
        "/mailbox",
        "/mailbox.json",
        "/mailbox/letters",
        "/mailbox/1/html",
        "/mailbox/style.css",
    ] {
        for (name, value) in [
            ("host", "firmeza.example.com"),
            ("host", "localhost.evil.example"),
            ("x-forwarded-for", "127.0.0.1"),
            ("forwarded", "for=127.0.0.1"),
        ] {
            let request = nobody.request(Method::GET, path).header(name, value);
            assert_eq!(nobody.send(request).await.status, 403, "{path} {name}: {value}");
        }
    }
    let request = nobody
        .request(Method::GET, "/mailbox")
        .header("host", "localhost:8080");
    assert_eq!(nobody.send(request).await.status, 200);
}

#[tokio::test]
async fn a_sandbox_with_a_public_address_shows_it_to_the_token_alone() {
    let app = TestApp::builder().delivering().start().await;
    let nobody = app.company("Acme").await.saying(None);
    let paths = [
        "/mailbox",
        "/mailbox.json",
        "/mailbox/letters",
        "/mailbox/1/html",
        "/mailbox/style.css",
    ];
    // As an ordinary proxy on this machine passes strangers on: its own connection, and the host it connects to.
    for path in paths {
        assert_eq!(nobody.get(path).await.status, 403, "{path}");
        let wrong = nobody.get(&format!("{path}?token=wrong")).await;
        assert_eq!(wrong.status, 403, "{path}");
    }

    let by_header = nobody
        .request(Method::GET, "/mailbox.json")
        .header("authorization", format!("Bearer {MAILBOX_TOKEN}"));
    assert_eq!(nobody.send(by_header).await.status, 200);
    let by_address = format!("/mailbox.json?token={MAILBOX_TOKEN}");
    assert_eq!(nobody.get(&by_address).await.status, 200);

    let browser = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap();
    let address = format!("http://{}/mailbox?token={MAILBOX_TOKEN}", app.address());
    let opened = browser.get(address).send().await.unwrap();
    assert_eq!(opened.status(), 303);
    assert_eq!(opened.headers()["location"], "/mailbox");
    let cookie = opened.headers()["set-cookie"].to_str().unwrap();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("Secure") && cookie.contains("Path=/mailbox"),
        "{cookie}"
    );
    let (cookie, _) = cookie.split_once(';').unwrap();
    for path in ["/mailbox", "/mailbox/letters", "/mailbox/style.css"] {
        let request = nobody.request(Method::GET, path).header("cookie", cookie);
        let answer = nobody.send(request).await;
        assert!(
            matches!(answer.status, 200 | 204),
            "{path}: {} {}",
            answer.status,
            answer.text()
        );
    }
}

#[tokio::test]
async fn without_one_there_is_nothing_at_its_address() {
    let app = TestApp::start().await;
    let nobody = app.company("Acme").await.saying(None);
    assert_eq!(nobody.get("/mailbox").await.status, 404);
}
