//! Forms that do nothing, and what every answer carries.

use domain::Role;
use reqwest::Method;
use testkit::{PanelBrowser, TestApp, encoded};

const END: &str = "/panel/account/sessions";

#[tokio::test]
async fn forms_from_elsewhere_do_nothing() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in("luisa@example.com", Role::Reader).await;
    let second = PanelBrowser::new(&app, "luisa@example.com");
    second.sign_in().await;
    let csrf = luisa.csrf().await;
    let form = |mark: &str, headers: &[(&str, &str)]| {
        let request = luisa.request(Method::POST, END).body(encoded(&[("csrf", mark)]));
        headers
            .iter()
            .fold(request, |request, (name, value)| request.header(*name, *value))
    };
    for (what, request) in [
        ("another site", form(&csrf, &[("sec-fetch-site", "cross-site")])),
        ("a sibling", form(&csrf, &[("sec-fetch-site", "same-site")])),
        (
            "another origin",
            form(&csrf, &[("origin", "https://evil.example")]),
        ),
        ("an origin that hides", form(&csrf, &[("origin", "null")])),
        ("no mark", form("", &[("sec-fetch-site", "same-origin")])),
        (
            "another's mark",
            form(&second.csrf().await, &[("sec-fetch-site", "same-origin")]),
        ),
    ] {
        let answer = luisa.send(request).await;
        assert_eq!(answer.status, 403, "{what}");
        assert!(answer.text().contains("No se hizo nada"), "{what}");
    }
    assert_eq!(second.get("/panel/account").await.status, 200);
    let endless = encoded(&[("csrf", &csrf), ("x", &"x".repeat(65 << 10))]);
    let endless = luisa
        .request(Method::POST, END)
        .header("sec-fetch-site", "same-origin")
        .body(endless);
    assert_eq!(luisa.send(endless).await.status, 400);
    let good = form(&csrf, &[("origin", "https://firmeza.example.com")]);
    assert_eq!(luisa.send(good).await.status, 303);
    assert_eq!(second.get("/panel/account").await.status, 303);
}

#[tokio::test]
async fn another_site_cannot_sign_a_user_in() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let luisa = company.panel_user("luisa@example.com", Role::Reader).await;
    let fields = encoded(&[("email", "luisa@example.com"), ("password", testkit::PASSWORD)]);
    let foreign = luisa
        .request(Method::POST, "/panel/sign-in")
        .header("sec-fetch-site", "cross-site")
        .body(fields);
    assert_eq!(luisa.send(foreign).await.status, 403);
    assert_eq!(luisa.cookie("firmeza_panel"), None);
}

#[tokio::test]
async fn every_response_has_security_headers_and_is_not_cached() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let luisa = company.signed_in("luisa@example.com", Role::Administrator).await;
    for path in ["/panel/sign-in", "/panel/account", "/panel/nothing/here"] {
        let answer = luisa.get(path).await;
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
        assert!(!policy.contains("unsafe"), "{policy}");
        for (name, value) in [
            ("referrer-policy", "same-origin"),
            ("cache-control", "no-store"),
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{path} {name}");
        }
        assert!(answer.body.len() < 100 << 10, "{path}");
    }
}

#[test]
fn no_page_is_large() {
    for sample in web::panel::samples::all() {
        let size = sample.html.len();
        assert!(size > 500 && size < 100 << 10, "{} has {size} bytes", sample.name);
    }
}

/// Texts between these two, wherever they stand.
fn between<'h>(html: &'h str, before: &str, after: &str) -> Vec<&'h str> {
    let parts = html.split(before).skip(1);
    parts.filter_map(|part| Some(part.split_once(after)?.0)).collect()
}

#[test]
fn every_secret_and_identifier_has_a_button_that_copies_it() {
    let is_identifier = |text: &&str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        text.len() >= 16 && text.chars().all(plain) && text.contains(|c: char| c.is_ascii_digit())
    };
    let mut checked = 0;
    for sample in web::panel::samples::all() {
        let html = &sample.html;
        let codes = between(html, "<code>", "</code>")
            .into_iter()
            .filter(is_identifier);
        let secrets = between(html, "<code class=\"secret\"", "</code>");
        let secrets = secrets.iter().filter_map(|rest| Some(rest.split_once('>')?.1));
        for shown in codes.chain(secrets) {
            let button = format!("data-copy=\"{shown}\"");
            assert!(html.contains(&button), "{}: {shown}", sample.name);
            checked += 1;
        }
        let recovery = between(html, "<ul class=\"secret codes\">", "</ul>");
        assert!(
            recovery.is_empty() || html.contains("data-copy="),
            "{}",
            sample.name
        );
    }
    assert!(checked > 10, "samples show secrets and identifiers: {checked}");
}
