//! Bodies that are not what they say they are.

use std::fmt::Write;
use std::time::Instant;
use testkit::{Company, Form, PROMPT, RawConnection, TestApp, TestResponse, folio};

const PATHS: [&str; 6] = [
    "sign",
    "consult",
    "forward_emails",
    "download/",
    "cancel",
    "massive_sign",
];

#[tokio::test]
async fn the_wrong_content_type_or_a_broken_form() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let before = app.census().await;
    let form = folio().form().into_bytes();
    let boundary = Form::content_type();
    let half = &form[..form.len() / 2];
    let bodies: [(&str, &str, &[u8]); 10] = [
        ("no type", "", &form),
        ("JSON", "application/json", b"{}"),
        ("urlencoded", "application/x-www-form-urlencoded", b"folioName=x"),
        ("no boundary", "multipart/form-data", &form),
        ("an empty boundary", "multipart/form-data; boundary=", &form),
        ("another boundary", "multipart/form-data; boundary=other", &form),
        ("nothing", &boundary, b""),
        ("cut off", &boundary, half),
        ("no form at all", &boundary, b"\x00\x01\x02\xff"),
        ("only the end", &boundary, b"--firmeza-test-boundary-5f1c--\r\n"),
    ];
    let mut table = String::new();
    for (label, content_type, body) in bodies {
        writeln!(table, "{label}").unwrap();
        for path in PATHS {
            let begun = Instant::now();
            let answer = acme.post(path, content_type, body.to_vec()).await;
            assert!(begun.elapsed() < PROMPT, "{label} {path}");
            writeln!(table, "  {path:<15}{} {}", answer.status, answer.message()).unwrap();
        }
    }
    insta::assert_snapshot!("broken_bodies", table);
    assert_eq!(app.census().await, before);
    assert_eq!(app.blobs_kept().await, 0);
}

/// Sends a body that must be refused within a second.
async fn refused_at_once(app: &TestApp, company: &Company<'_>, path: &str, body: &[u8]) -> TestResponse {
    let mut raw = RawConnection::connect(app).await;
    let begun = Instant::now();
    raw.send(RawConnection::head(path, company.header(), body.len()))
        .await;
    raw.send(body).await;
    let answer = raw.response().await;
    let took = begun.elapsed();
    assert!(took < PROMPT, "{path} took {took:?}");
    assert!(matches!(answer.status, 400 | 413), "{path}: {}", answer.text());
    answer
}

#[tokio::test]
async fn a_hundred_thousand_parts() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let before = app.census().await;
    let many = (0..100_000).fold(folio().form(), |form, _| form.text("x", "y"));
    let body = many.into_bytes();
    let files = (0..100_000).fold(Form::new(), |form, _| {
        form.part(
            "Content-Disposition: form-data; name=\"documents[]\"; filename=\"a\"",
            "",
        )
    });
    for body in [body, files.into_bytes()] {
        for path in ["sign", "cancel"] {
            let answer = refused_at_once(&app, &acme, path, &body).await;
            assert_eq!(answer.json()["success"], false);
        }
    }
    assert_eq!(app.census().await, before);
}

#[tokio::test]
async fn a_part_with_headers_without_end() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let before = app.census().await;
    let endless = [
        format!("X: {}", "a".repeat(3 << 20)),
        "X-Y: z\r\n".repeat(300_000),
        format!("Content-Disposition: form-data; name=\"{}\"", "n".repeat(1 << 20)),
    ];
    for headers in endless {
        let body = Form::new().part(&headers, "x").into_bytes();
        for path in ["sign", "cancel"] {
            refused_at_once(&app, &acme, path, &body).await;
        }
    }
    assert_eq!(app.census().await, before);
}

#[tokio::test]
async fn a_body_in_chunks_is_as_good_as_any() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let head = format!(
        "POST /api/integrations/sign HTTP/1.1\r\nhost: test\r\nx-api-key: {}\r\ncontent-type: {}\r\n\
         transfer-encoding: chunked\r\n\r\n",
        acme.header(),
        Form::content_type()
    );
    let mut raw = RawConnection::connect(&app).await;
    for round in 0..2 {
        raw.send(&head).await;
        for byte in folio()
            .form()
            .into_bytes()
            .chunks(if round == 0 { 1 } else { 97 })
        {
            raw.send([format!("{:x}\r\n", byte.len()).as_bytes(), byte, b"\r\n"].concat())
                .await;
        }
        raw.send("0\r\n\r\n").await;
        assert_eq!(raw.response().await.status, 200, "round {round}");
    }
    let mut broken = RawConnection::connect(&app).await;
    broken.send(&head).await;
    broken.send("zz\r\n").await;
    assert!((400..500).contains(&broken.response().await.status));
    assert_eq!(app.census().await.of("folios"), 2);
}

#[tokio::test]
async fn paths_and_methods_that_are_not_there() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let mut table = String::new();
    for (method, path) in [
        ("GET", "sign"),
        ("DELETE", "consult"),
        ("PUT", "download"),
        ("GET", "cancel"),
        ("POST", "consult_massive_sign"),
        ("GET", "nothing"),
        ("GET", "sign/"),
        ("GET", "/api"),
        ("GET", "/api/integrations/%2e%2e/%2e%2e/etc/passwd"),
        ("GET", "/elsewhere"),
        ("POST", "/health"),
    ] {
        let answer = acme.send(acme.request(method.parse().unwrap(), path)).await;
        let allow = answer.header("allow").unwrap_or("-");
        assert!(answer.header("x-request-id").is_some());
        writeln!(
            table,
            "{method} {path}: {} allow {allow} {}",
            answer.status,
            answer.text().trim()
        )
        .unwrap();
    }
    insta::assert_snapshot!("unknown_paths_and_methods", table);
    let stranger = acme.saying(None);
    for (method, path) in [
        ("GET", "sign"),
        ("DELETE", "consult"),
        ("GET", "nothing"),
        ("GET", "/api"),
    ] {
        let answer = stranger
            .send(stranger.request(method.parse().unwrap(), path))
            .await;
        assert_eq!(
            (answer.status, answer.text()),
            (
                401,
                r#"{"success":false,"status":401,"message":"Autenticación requerida"}"#.to_owned()
            ),
            "{method} {path}"
        );
    }
}
