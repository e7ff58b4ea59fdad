//! `POST sign`: which documents are taken, and which are not.

use crate::base64;
use domain::SignerIndex;
use domain::event::hex;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use testkit::{FolioFields, Form, RawConnection, TestApp, folio, pdf, until};

#[tokio::test]
async fn several_documents_keep_their_order_in_either_spelling_of_the_field() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let form = folio()
        .documents([("a.pdf", pdf::saying("A")), ("b.pdf", pdf::saying("B"))])
        .form()
        .file("documents", "c.pdf", pdf::saying("C"));
    let id = acme.post_form("sign", form).await.at("/data/folioId");
    let read = acme.read(&id).await;
    for (place, letter) in ["A", "B", "C"].iter().enumerate() {
        let document = read.at(&format!("/data/documents/{place}/documentId"));
        assert_eq!(acme.download(&document).await.body, pdf::saying(letter));
    }
}

#[tokio::test]
async fn a_request_holds_a_few_small_documents_in_memory_and_writes_the_rest_to_temporary_files() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let documents: Vec<_> = (0..5)
        .map(|number| (format!("{number}.pdf"), pdf::of_bytes(200_000 + number)))
        .collect();
    for fields in [as_base64(&documents), folio().documents(documents.clone())] {
        let body = fields.form().into_bytes();
        let (most, rest) = body.split_at(body.len() - 1000);
        let mut raw = RawConnection::connect(&app).await;
        raw.send(RawConnection::head("sign", acme.header(), body.len()))
            .await;
        raw.send(most).await;
        until("two temporary files", async || {
            (app.temp_file_count() == 2).then_some(())
        })
        .await;
        raw.send(rest).await;
        let answer = raw.response().await;
        answer.ok();
        let id = answer.at("/data/folioId");
        let read = acme.read(&id).await;
        for (place, (_, bytes)) in documents.iter().enumerate() {
            let document = read.at(&format!("/data/documents/{place}/documentId"));
            assert!(acme.download(&document).await.body == *bytes, "{place}");
        }
    }
}

#[tokio::test]
async fn the_same_bytes_twice_are_two_documents() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let twice = folio().documents([("a.pdf", pdf::contract()), ("b.pdf", pdf::contract())]);
    let read = acme.read(&acme.created(twice).await).await;
    let ids = [0, 1].map(|place| read.at(&format!("/data/documents/{place}/documentId")));
    assert_ne!(ids[0], ids[1]);
    assert_eq!(acme.download(&ids[1]).await.body, pdf::contract());
    assert_eq!(app.blobs_kept().await, 1);
}

#[tokio::test]
async fn a_repair_is_said_in_the_history_and_a_download_returns_what_was_sent() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let sha256 = |bytes: &[u8]| hex(&Sha256::digest(bytes).into());
    // A small document, which stays in memory, and a large one.
    for contract in [pdf::contract(), pdf::of_bytes(700_000)] {
        let sent = [b"\xef\xbb\xbf", contract.as_slice()].concat();
        let id = acme
            .created(folio().documents([("marca.pdf", sent.clone())]))
            .await;
        let read = acme.read(&id).await;
        let document = read.at("/data/documents/0/documentId");
        assert!(acme.download(&document).await.body == sent);
        let path = format!("download?documentId={document}");
        let end = acme.request(Method::GET, &path).header("range", "bytes=-9");
        assert_eq!(acme.send(end).await.body, sent[sent.len() - 9..]);
        let evidence = acme.evidence(&id).await;
        let checked = app::evidence::check(&evidence.body, None, &[], app.app().clock.now());
        assert_eq!(checked.faults, []);
        let created: Value = serde_json::from_str(&checked.evidence.unwrap().history.events[0].body).unwrap();
        assert_eq!(
            created["repaired"],
            json!([{ "document": document, "sent": sha256(&sent), "repair": "structure" }])
        );
        // Once a signer has signed, it is the copy with the signature.
        app.send_code(&id, SignerIndex(0)).await;
        let code = app.code_for("maria.1001@example.com").await;
        app.give_code(&id, SignerIndex(0), code).await;
        let signed = acme.download(&document).await.body;
        assert!(signed.starts_with(b"%PDF-"));
        let copy = (contract.len() - 200..signed.len()).find(|end| {
            signed[..*end].ends_with(b"%%EOF\n")
                && created["documents"][0]["sha256"] == sha256(&signed[..*end])
        });
        assert!(
            copy.is_some(),
            "what was signed is the copy that the history names"
        );
    }
}

#[tokio::test]
async fn what_cannot_be_signed_is_refused_by_name() {
    let app = TestApp::builder()
        .policy(|policy| {
            policy.document_bytes = 1 << 20;
            policy.documents = 3;
        })
        .start()
        .await;
    let acme = app.company("Acme").await;
    let before = app.census().await;
    let fit = || ("bueno.pdf", pdf::contract());
    let cases: Vec<(&str, FolioFields)> = vec![
        (
            "not a PDF",
            folio().documents([fit(), ("x.zip", pdf::not_a_pdf())]),
        ),
        ("empty", folio().documents([("vacio.pdf", Vec::new())])),
        ("encrypted", folio().documents([("clave.pdf", pdf::encrypted())])),
        (
            "encrypted and signed",
            folio().documents([("firmado.pdf", pdf::encrypted_and_signed())]),
        ),
        ("truncated", folio().documents([("roto.pdf", pdf::truncated())])),
        (
            "a byte too large",
            folio().documents([("grande.pdf", pdf::of_bytes((1 << 20) + 1))]),
        ),
        (
            "one too many",
            folio().documents([fit(), fit(), fit(), ("cuarto.pdf", pdf::contract())]),
        ),
        (
            "in base64",
            folio().base64(json!([{ "name": "x.exe", "content": base64(b"MZ") }]).to_string()),
        ),
    ];
    let mut table = String::new();
    for (label, fields) in cases {
        let answer = acme.create(fields).await;
        writeln!(table, "{label}: {} {}", answer.status, answer.message()).unwrap();
    }
    insta::assert_snapshot!("unfit_documents", table);
    assert_eq!(app.census().await, before);
    assert_eq!(app.blobs_kept().await, 0);
}

#[tokio::test]
async fn a_document_of_the_largest_size_is_taken() {
    let app = TestApp::builder()
        .policy(|policy| policy.document_bytes = 1 << 20)
        .start()
        .await;
    let acme = app.company("Acme").await;
    let largest = pdf::of_bytes(1 << 20);
    let id = acme
        .created(folio().documents([("grande.pdf", largest.clone())]))
        .await;
    let document = acme.document_of(&id).await;
    assert!(acme.download(&document).await.body == largest);
}

#[tokio::test]
async fn documents_come_in_the_form_that_was_announced() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let base64 = json!([{ "name": "a.pdf", "content": base64(&pdf::contract()) }]).to_string();
    let cases = [
        (
            "both, file announced",
            folio().with("documentsBase64", base64.as_str()),
        ),
        (
            "both, base64 announced",
            folio()
                .with("documentsBase64", base64.as_str())
                .with("fileType", "base64"),
        ),
        ("none, file announced", folio().documents::<&str>([])),
        (
            "none, base64 announced",
            folio().documents::<&str>([]).with("fileType", "base64"),
        ),
        (
            "not base64",
            folio().base64(r#"[{"name":"a.pdf","content":"*"}]"#),
        ),
        (
            "base64 cut short",
            folio().base64(r#"[{"name":"a.pdf","content":"JVBER"}]"#),
        ),
        ("not JSON", folio().base64("[{")),
        ("no list", folio().base64(r#"{"name":"a.pdf","content":"JVBE"}"#)),
        ("an empty list", folio().base64("[]")),
        ("no content", folio().base64(r#"[{"name":"a.pdf"}]"#)),
        (
            "content is a number",
            folio().base64(r#"[{"name":"a.pdf","content":1}]"#),
        ),
        (
            "twice",
            folio()
                .base64(base64.as_str())
                .and("documentsBase64", base64.as_str()),
        ),
    ];
    let mut table = String::new();
    for (label, fields) in cases {
        let answer = acme.create(fields).await;
        writeln!(table, "{label}: {} {}", answer.status, answer.message()).unwrap();
    }
    insta::assert_snapshot!("documents_in_the_wrong_form", table);
    assert_eq!(app.census().await.of("folios"), 0);
}

#[tokio::test]
async fn an_empty_field_of_the_other_form_is_no_document() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    for blank in ["", " \r\n\t"] {
        acme.created(folio().with("documentsBase64", blank)).await;
        acme.create(folio().base64(blank))
            .await
            .refused(400, "El parámetro (documentsBase64) es obligatorio.");
    }
    let list = json!([{ "name": "a.pdf", "content": base64(&pdf::contract()) }]).to_string();
    let as_base64 = || folio().base64(list.as_str()).form();
    for unchosen in [
        as_base64().file("documents[]", "", ""),
        as_base64().text("documents", ""),
    ] {
        let id = acme.post_form("sign", unchosen).await.at("/data/folioId");
        let document = acme.document_of(&id).await;
        assert_eq!(acme.download(&document).await.body, pdf::contract());
    }
    for chosen in [
        as_base64().file("documents[]", "vacio.pdf", ""),
        as_base64().file("documents[]", "", pdf::contract()),
    ] {
        let answer = acme.post_form("sign", chosen).await;
        answer.refused(400, "El parámetro (documents[]) no corresponde");
    }
}

#[tokio::test]
async fn evil_file_names_are_kept_harmless() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let names = [
        "../../etc/passwd",
        r"C:\\temp\\a.pdf",
        "%0d%0aSet-Cookie: a=b.pdf",
        "factura\u{202e}fdp.exe",
        "Ñandú «1».pdf",
        "",
        "....pdf",
    ];
    let mut shown = String::new();
    for name in names {
        let form: Form = folio().documents([(name, pdf::contract())]).into();
        let id = acme.post_form("sign", form).await.at("/data/folioId");
        let kept = acme.read(&id).await.at("/data/documents/0/name");
        let answer = acme.download(&acme.document_of(&id).await).await;
        let disposition = answer.header("content-disposition").unwrap();
        writeln!(shown, "{name:?}\n  {kept}\n  {disposition}").unwrap();
    }
    for name in [
        "a\r\nX-Evil: 1.pdf",
        "\"quoted\".pdf",
        "nul\0.pdf",
        "a\u{2066}b.pdf",
        "/",
        &"ñ".repeat(400),
    ] {
        let documents = json!([{ "name": name, "content": base64(&pdf::contract()) }]);
        let id = acme.created(folio().base64(documents.to_string())).await;
        let kept = acme.read(&id).await.at("/data/documents/0/name");
        let answer = acme.download(&acme.document_of(&id).await).await;
        assert_eq!(answer.body, pdf::contract());
        assert_eq!(answer.header("x-evil"), None);
        writeln!(shown, "{name:?} in base64\n  {kept}").unwrap();
    }
    insta::assert_snapshot!("evil_file_names", shown);
}

/// So many documents, each with its own text.
fn many(count: usize) -> Vec<(String, Vec<u8>)> {
    let document = |number: usize| (format!("{number}.pdf"), pdf::saying(&number.to_string()));
    (1..=count).map(document).collect()
}

/// The same as base64.
fn as_base64(documents: &[(String, Vec<u8>)]) -> FolioFields {
    let listed: serde_json::Value = documents
        .iter()
        .map(|(name, bytes)| json!({ "name": name, "content": base64(bytes) }))
        .collect();
    folio().base64(listed.to_string())
}

#[tokio::test]
async fn as_many_as_may_be_are_all_taken() {
    let app = TestApp::builder()
        .policy(|policy| policy.documents = 100)
        .start()
        .await;
    let acme = app.company("Acme").await;
    let documents = many(100);
    for fields in [as_base64(&documents), folio().documents(documents.clone())] {
        let read = acme.read(&acme.created(fields).await).await;
        let last = read.at("/data/documents/99/documentId");
        assert_eq!(acme.download(&last).await.body, pdf::saying("100"));
    }
}

#[tokio::test]
async fn too_many_documents_are_refused_by_name_in_either_form() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let documents = many(90);
    let before = app.census().await;
    for fields in [as_base64(&documents), folio().documents(documents.clone())] {
        let answer = acme.create(fields).await;
        assert_eq!(answer.status, 409, "{}", answer.text());
        assert!(answer.message().contains("21.pdf"), "{}", answer.message());
    }
    assert_eq!(app.census().await, before);
}

#[tokio::test]
async fn a_part_and_a_form_name_the_encoding_of_their_text() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let latin = |text: &str| -> Vec<u8> {
        text.chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap())
            .collect()
    };
    let text_part = |name: &str, charset: &str, value: &[u8]| -> Vec<u8> {
        let kind = if charset.is_empty() {
            String::new()
        } else {
            format!("Content-Type: text/plain; charset={charset}\r\n")
        };
        let head = format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n{kind}\r\n");
        [head.as_bytes(), value, b"\r\n"].concat()
    };
    let signers = json!([{ "name": "Íñigo Núñez", "email": "i@example.com", "documentType": "CC",
        "documentNumber": "1001", "cellPhoneNumber": "3001234567" }])
    .to_string();
    let list = json!([{ "name": "Nómina.pdf", "content": base64(&pdf::contract()) }]).to_string();
    let fixed = [
        ("signatureType", "1"),
        ("urlReturn", "https://example.com"),
        ("fileType", "base64"),
        ("sendEmail", "false"),
    ];
    let part_charset = |charset: &str| text_part("folioName", charset, &latin("Nómina"));
    // The parts say it, as Java's usual client does; or a field does, as browsers do, first or last.
    for (own, first, last) in [
        ("ISO-8859-1", "", ""),
        ("", "iso-8859-1", ""),
        ("", "", "windows-1252"),
    ] {
        let mut body = Vec::new();
        if !first.is_empty() {
            body.extend(text_part("_charset_", "", first.as_bytes()));
        }
        for (name, value) in fixed {
            body.extend(text_part(name, own, value.as_bytes()));
        }
        body.extend(part_charset(own));
        body.extend(text_part("folioMessage", own, &latin("Señor: ¿está de acuerdo?")));
        body.extend(text_part("signers", own, &latin(&signers)));
        // Documents are read while they come: the field is too late for their names.
        let (charset, bytes) = if last.is_empty() {
            (own, latin(&list))
        } else {
            ("", list.clone().into_bytes())
        };
        body.extend(text_part("documentsBase64", charset, &bytes));
        if !last.is_empty() {
            body.extend(text_part("_charset_", "", last.as_bytes()));
        }
        body.extend(b"--b--\r\n");
        let created = acme
            .post("sign", "multipart/form-data; boundary=b", body)
            .await
            .ok();
        let read = acme.read(created["data"]["folioId"].as_str().unwrap()).await;
        assert_eq!(read.at("/data/folioData/name"), "Nómina");
        assert_eq!(read.at("/data/folioData/message"), "Señor: ¿está de acuerdo?");
        assert_eq!(read.at("/data/signers/0/name"), "Íñigo Núñez");
        assert_eq!(read.at("/data/documents/0/name"), "Nómina.pdf");
    }
    let body = [part_charset(""), b"--b--\r\n".to_vec()].concat();
    let answer = acme.post("sign", "multipart/form-data; boundary=b", body).await;
    let errors = answer.json()["errors"].to_string();
    assert!(
        errors.contains("El parámetro (folioName) contiene caracteres no permitidos."),
        "{errors}"
    );
}
