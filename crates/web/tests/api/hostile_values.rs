//! Values that no honest caller sends: refused in words, promptly, and nothing is stored.

use serde_json::{Value, json};
use std::time::Instant;
use testkit::{Form, PROMPT, TestApp, TestResponse, correction, folio, signer, signers};

/// The fields of a create, besides its documents.
const CREATE_FIELDS: [&str; 7] = [
    "signers",
    "folioName",
    "folioMessage",
    "signatureType",
    "urlReturn",
    "fileType",
    "sendEmail",
];

/// Asks, and insists on a refusal without much work.
async fn promptly(what: &str, ask: impl Future<Output = TestResponse>) -> TestResponse {
    let begun = Instant::now();
    let answer = ask.await;
    let took = begun.elapsed();
    assert!(took < PROMPT, "{what} took {took:?}");
    assert!((400..500).contains(&answer.status), "{what}: {}", answer.text());
    assert_eq!(answer.json()["status"], answer.status, "{what}");
    assert!(!answer.message().is_empty(), "{what}");
    answer
}

fn nested(depth: usize) -> String {
    "[".repeat(depth) + &"]".repeat(depth)
}

#[tokio::test]
async fn json_nested_five_thousand_deep() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let before = app.census().await;
    let (deep, objects) = (nested(5000), "{\"a\":".repeat(5000) + "1" + &"}".repeat(5000));
    for text in [&deep, &objects] {
        promptly("signers", acme.create(folio().with("signers", text.as_str()))).await;
        promptly("base64", acme.create(folio().base64(text.as_str()))).await;
        let member = format!(r#"[{{"name":"a.pdf","extra":{text},"content":""}}]"#);
        promptly("a member", acme.create(folio().base64(member))).await;
        let body = format!("{{\"folioId\":{text}}}");
        promptly("read", acme.post("consult", "application/json", body)).await;
        for (path, field) in [
            ("consult", "folios"),
            ("cancel", "folios"),
            ("massive_sign", "foliosIds"),
            ("massive_sign", "signer"),
            ("forward_emails", "signers"),
        ] {
            let form = Form::new()
                .text("folioId", crate::UNKNOWN)
                .text("urlReturn", "https://example.com")
                .text("observation", "Se cancela por error.")
                .text(field, text);
            promptly(path, acme.post_form(path, form)).await;
        }
    }
    assert_eq!(app.census().await, before);
}

#[tokio::test]
async fn bytes_that_are_no_text() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let before = app.census().await;
    for field in CREATE_FIELDS {
        let answer = promptly(field, acme.create(folio().with(field, b"ab\xff\xfe".to_vec()))).await;
        assert_eq!(answer.json()["errors"][0]["field"], field);
    }
    let base64 = b"[{\"name\":\"\xff.pdf\",\"content\":\"JVBE\"}]".to_vec();
    promptly("base64", acme.create(folio().base64(base64))).await;
    let body = b"{\"folioId\":[\"\xff\"]}".to_vec();
    promptly("read", acme.post("consult", "application/json", body)).await;
    for path in ["cancel", "massive_sign", "forward_emails", "consult", "download/"] {
        let form = Form::new()
            .text("folios", b"\xff")
            .text("foliosIds", b"\xff")
            .text("documentId", b"\xff");
        promptly(path, acme.post_form(path, form)).await;
    }
    assert_eq!(app.census().await, before);
}

#[tokio::test]
async fn nul_and_control_characters_and_reversed_text_in_names() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let before = app.census().await;
    for character in [
        '\0', '\u{1}', '\u{1b}', '\u{7f}', '\u{85}', '\u{202e}', '\u{2066}', '\u{2028}',
    ] {
        let text = format!("Con{character}trato");
        promptly("the name", acme.create(folio().with("folioName", text.as_str()))).await;
        promptly(
            "the message",
            acme.create(folio().with("folioMessage", text.as_str())),
        )
        .await;
        let mut evil = signer("1001");
        evil["name"] = json!(text);
        promptly("a signer", acme.create(folio().signers(&json!([evil])))).await;
        let url = format!("https://example.com/{character}");
        promptly("the address", acme.create(folio().with("urlReturn", url))).await;
    }
    assert_eq!(app.census().await, before);
}

#[tokio::test]
async fn a_signer_has_no_hidden_letters_and_is_not_the_service() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let before = app.census().await;
    let named = |name: String| {
        let mut evil = signer("1001");
        evil["name"] = json!(name);
        folio().signers(&json!([evil]))
    };
    for hidden in ['\u{200d}', '\u{ad}', '\u{3164}', '\u{fe0f}', '\u{e0041}'] {
        let answer = promptly(
            "a hidden letter",
            acme.create(named(format!("Ana{hidden} Gómez"))),
        )
        .await;
        assert_eq!(
            answer.message(),
            "El parámetro (signers[0].name) contiene caracteres no permitidos."
        );
    }
    let [_, _, (_, service), _] = app.app().notary.certificates();
    let own = service.common_name().unwrap();
    for name in [
        own.clone(),
        own.to_uppercase(),
        format!("  {}", own.replace(' ', "  ")),
    ] {
        let answer = promptly("the service's name", acme.create(named(name))).await;
        assert_eq!(
            answer.message(),
            "El parámetro (signers[0].name) es un nombre reservado para el servicio."
        );
    }
    assert_eq!(app.census().await, before);
    let id = acme
        .created(named("\u{feff}Ana\u{200b} Gómez\u{200f}".to_owned()))
        .await;
    let read = acme.read(&id).await.ok();
    assert!(read.to_string().contains("\"Ana Gómez\""), "{read}");
}

#[tokio::test]
async fn too_much_of_everything() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let before = app.census().await;
    let name = promptly(
        "101 letters",
        acme.create(folio().with("folioName", "漢".repeat(101))),
    )
    .await;
    assert_eq!(
        name.message(),
        "El parámetro (folioName) no puede superar 100 caracteres."
    );
    let eleven = promptly("11 signers", acme.create(folio().signers(&signers(11)))).await;
    assert_eq!(
        eleven.message(),
        "El parámetro (signers) no puede tener más de 10 elementos."
    );
    promptly(
        "60,000 signers' bytes",
        acme.create(folio().signers(&signers(400))),
    )
    .await;
    promptly(
        "a field of 1 MB",
        acme.create(folio().with("folioMessage", "a".repeat(1 << 20))),
    )
    .await;
    let folios = vec![crate::UNKNOWN; 51];
    promptly("51 folios", acme.cancel(&folios, "Se cancela por error.")).await;
    promptly("51 folios", acme.start_bulk(&folios, &signer("1001"))).await;
    let list = json!(vec!["x"; 20_000]).to_string();
    promptly(
        "20,000 folios",
        acme.post_form("consult", [("folios", list.as_str())]),
    )
    .await;
    assert_eq!(app.census().await, before);
}

#[tokio::test]
async fn a_list_that_is_far_too_long_gets_a_short_answer() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let before = app.census().await;
    let endless = format!("[{}]", vec!["{}"; 20_000].join(","));
    let list = json!([crate::UNKNOWN]).to_string();
    for (path, field, max) in [
        ("sign", "signers", 10),
        ("forward_emails", "signers", 10),
        ("massive_sign", "signer", 1),
    ] {
        let form = if path == "sign" {
            folio().with("signers", endless.as_str()).form()
        } else {
            Form::new()
                .text("folioId", crate::UNKNOWN)
                .text("foliosIds", &list)
                .text("urlReturn", "https://example.com")
                .text(field, &endless)
        };
        let answer = promptly(path, acme.post_form(path, form)).await;
        let message = format!("El parámetro ({field}) no puede tener más de {max} elementos.");
        let told = json!([{ "field": field, "message": message }]);
        assert_eq!((answer.status, &answer.json()["errors"]), (400, &told), "{path}");
    }
    assert_eq!(app.census().await, before);
}

#[tokio::test]
async fn not_every_one_of_many_errors_is_listed() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let members: Vec<String> = (0..500).map(|number| format!("\"m{number}\":0")).collect();
    let object = format!("{{{}}}", members.join(","));
    // Of each correction ten members too many and the one that it lacks; of all of them, a hundred.
    for (corrections, told) in [(1, 11), (10, 100)] {
        let list = format!("[{}]", vec![object.as_str(); corrections].join(","));
        let form = Form::new()
            .text("folioId", crate::UNKNOWN)
            .text("signers", list)
            .text("urlReturn", "https://example.com");
        let answer = promptly("resend", acme.post_form("forward_emails", form)).await;
        let errors = answer.json()["errors"].as_array().map(Vec::len);
        assert_eq!((answer.status, errors), (400, Some(told)), "{corrections}");
    }
}

#[tokio::test]
async fn numbers_where_texts_belong() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let before = app.census().await;
    for member in [
        "name",
        "email",
        "documentType",
        "documentNumber",
        "cellPhoneNumber",
    ] {
        for value in [json!(1), json!(true), json!([]), json!({}), json!(1e300)] {
            let mut wrong = signer("1001");
            wrong[member] = value;
            let answer = promptly(member, acme.create(folio().signers(&json!([wrong])))).await;
            let field = format!("signers[0].{member}");
            assert_eq!(answer.json()["errors"][0]["field"], field);
        }
    }
    let long = format!("[{}]", "9".repeat(10_000));
    promptly("a long number", acme.create(folio().with("signers", long))).await;
    assert_eq!(app.census().await, before);
}

#[tokio::test]
async fn missing_and_repeated_fields() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let before = app.census().await;
    for field in CREATE_FIELDS {
        let missing = promptly(field, acme.create(folio().without(field))).await;
        assert_eq!(
            missing.message(),
            format!("El parámetro ({field}) es obligatorio.")
        );
        let repeated = promptly(field, acme.create(folio().and(field, "1"))).await;
        assert_eq!(
            repeated.message(),
            format!("El parámetro ({field}) se envió más de una vez.")
        );
    }
    assert_eq!(app.census().await, before);
}

#[tokio::test]
async fn members_that_come_twice() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let before = app.census().await;
    let list = json!([id]).to_string();
    let corrected = correction("1001", "maria.1001@example.com", "3001234567");
    for member in [r#""email":"otra@example.com""#, r#""extra":[{"a":1,"a":2}]"#] {
        let opening = format!("{{{member},");
        let with = |object: &Value| format!("[{}]", object.to_string().replacen('{', &opening, 1));
        let create = folio().with("signers", with(&signer("1001")));
        let created = promptly("sign", acme.create(create)).await;
        assert_eq!(
            created.message(),
            "El parámetro (signers) contiene un objeto con un miembro repetido."
        );
        let resend = Form::new().text("folioId", &id).text("signers", with(&corrected));
        let bulk = Form::new()
            .text("foliosIds", &list)
            .text("signer", with(&signer("1001")));
        for (path, form) in [("forward_emails", resend), ("massive_sign", bulk)] {
            let form = form.text("urlReturn", "https://example.com");
            let answer = promptly(path, acme.post_form(path, form)).await;
            assert_eq!(answer.status, 400, "{path}");
            assert!(answer.json()["error"]["message"].is_string(), "{path}");
        }
    }
    assert_eq!(app.census().await, before);
}
