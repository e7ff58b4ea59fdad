//! `POST sign`: every field that can be wrong, and the words for it.

use serde_json::{Value, json};
use std::fmt::Write;
use testkit::{FolioFields, Form, TestApp, TestResponse, folio, signer, signers};

fn line(table: &mut String, label: &str, answer: &TestResponse) {
    let json = answer.json();
    let fields: Vec<_> = json["errors"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|error| error["field"].as_str())
        .collect();
    writeln!(
        table,
        "{label}: {} {} {fields:?}",
        answer.status,
        answer.message()
    )
    .unwrap();
}

#[tokio::test]
async fn an_empty_form_gets_an_error_for_every_field() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let answer = acme.post_form("sign", Form::new().text("other", "x")).await;
    insta::assert_snapshot!("create_without_anything", answer.shown());
    assert_eq!(app.census().await.of("folios"), 0);
}

#[tokio::test]
async fn each_field_has_its_rules() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let long_url = format!("https://cliente.example.com/{}", "a".repeat(2021));
    let changed: [(&str, &[&str]); 6] = [
        ("folioName", &["", " \t ", &"ñ".repeat(101), "a\nb"]),
        ("folioMessage", &["", &"á".repeat(501), "a\u{1b}b"]),
        ("signatureType", &["", "0", "3", "1.0", "uno"]),
        (
            "urlReturn",
            &[
                "",
                "cliente.example.com",
                "/gracias",
                "ftp://cliente.example.com",
                "javascript:alert(1)",
                "https://",
                &long_url,
            ],
        ),
        ("fileType", &["", "pdf", "FILE"]),
        ("sendEmail", &["", "yes", "TRUE", "1"]),
    ];
    let mut table = String::new();
    for (field, values) in changed {
        line(
            &mut table,
            &format!("no {field}"),
            &acme.create(folio().without(field)).await,
        );
        for value in values {
            let shown: String = value.chars().take(20).collect();
            let answer = acme.create(folio().with(field, *value)).await;
            line(&mut table, &format!("{field} {shown:?}"), &answer);
        }
    }
    insta::assert_snapshot!("create_faults_by_field", table);
    assert_eq!(app.census().await.of("folios"), 0);
}

#[tokio::test]
async fn each_signer_has_its_rules() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let changed: [(&str, &[Value]); 5] = [
        (
            "name",
            &[
                json!(null),
                json!(""),
                json!(7),
                json!("ñ".repeat(201)),
                json!("a\u{0}b"),
            ],
        ),
        (
            "email",
            &[
                json!(null),
                json!("maria"),
                json!("a@b"),
                json!("a b@example.com"),
                json!("a@example.com\r\nBcc: b@c.d"),
            ],
        ),
        (
            "documentType",
            &[json!(null), json!("cc"), json!("PASAPORTE"), json!(1)],
        ),
        (
            "documentNumber",
            &[json!(null), json!(1001), json!("1<2"), json!("1".repeat(33))],
        ),
        (
            "cellPhoneNumber",
            &[
                json!(null),
                json!("123456"),
                json!("1234567890123456"),
                json!("300-CALL"),
                json!(3_001_234_567u64),
            ],
        ),
    ];
    let mut table = String::new();
    for (member, values) in changed {
        for value in values {
            let mut wrong = signer("1002");
            wrong[member] = value.clone();
            let answer = acme
                .create(folio().signers(&json!([signer("1001"), wrong])))
                .await;
            let shown: String = value.to_string().chars().take(30).collect();
            line(&mut table, &format!("{member} {shown}"), &answer);
        }
    }
    let lists: [(&str, FolioFields); 8] = [
        ("eleven", folio().signers(&signers(11))),
        ("none", folio().signers(&json!([]))),
        (
            "one twice",
            folio().signers(&json!([signer("1001"), signer("1001")])),
        ),
        ("an object", folio().signers(&signer("1001"))),
        ("texts", folio().signers(&json!(["1001"]))),
        ("not JSON", folio().with("signers", "[{]")),
        ("a number", folio().with("signers", "1001")),
        ("sent twice", folio().and("signers", signers(1).to_string())),
    ];
    for (label, fields) in lists {
        line(&mut table, label, &acme.create(fields).await);
    }
    insta::assert_snapshot!("create_faults_by_signer", table);
    assert_eq!(app.census().await.of("folios"), 0);
}
