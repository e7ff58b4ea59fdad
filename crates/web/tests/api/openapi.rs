//! The API described for machines.

use crate::UNKNOWN;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;
use testkit::{TestApp, correction, folio, signer};

/// Where each operation is described.
const DESCRIBED: [(&str, &str); 11] = [
    ("create_folio", "/paths/~1api~1integrations~1sign/post"),
    ("read_folio", "/paths/~1api~1integrations~1consult/get"),
    ("read_folios", "/paths/~1api~1integrations~1consult/post"),
    ("resend_emails", "/paths/~1api~1integrations~1forward_emails/post"),
    ("download_document", "/paths/~1api~1integrations~1download/get"),
    ("download_document", "/paths/~1api~1integrations~1download/post"),
    ("cancel_folios", "/paths/~1api~1integrations~1cancel/post"),
    ("start_bulk", "/paths/~1api~1integrations~1massive_sign/post"),
    (
        "read_bulk",
        "/paths/~1api~1integrations~1consult_massive_sign/get",
    ),
    ("read_evidence", "/paths/~1api~1integrations~1evidence/get"),
    ("read_evidence", "/paths/~1api~1integrations~1evidence_report/get"),
];

async fn document(app: &TestApp) -> Value {
    let answer = app.company("Acme").await.saying(None).get("/openapi.json").await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    answer.ok()
}

#[tokio::test]
async fn every_operation_and_every_status_of_the_table_is_described() {
    let app = TestApp::start().await;
    let document = document(&app).await;
    let mut statuses: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for row in web::api::error_table() {
        statuses
            .entry(row.operation)
            .or_default()
            .insert(row.status.to_string());
    }
    for (operation, pointer) in DESCRIBED {
        let described = document.pointer(pointer).unwrap_or_else(|| panic!("{pointer}"));
        let responses = described["responses"].as_object().unwrap();
        assert!(responses.contains_key("200"), "{pointer}");
        for status in &statuses[operation] {
            let schema = responses[status].pointer("/content/application~1json/schema/$ref");
            assert!(schema.is_some(), "{pointer} {status}");
        }
    }
}

#[tokio::test]
async fn the_document_has_the_shape_of_openapi_3_1() {
    let app = TestApp::start().await;
    let document = document(&app).await;
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["servers"][0]["url"], "https://firmeza.example.com");
    let mut names = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        assert!(path.starts_with('/'), "{path}");
        for (method, operation) in item.as_object().unwrap() {
            assert!(["get", "post"].contains(&method.as_str()), "{path} {method}");
            let name = operation["operationId"].as_str().unwrap();
            assert!(names.insert(name.to_owned()), "{name} twice");
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                assert!(parameter["name"].is_string() && parameter["schema"].is_object());
                assert!(["query", "header"].contains(&parameter["in"].as_str().unwrap()));
            }
            for (status, response) in operation["responses"].as_object().unwrap() {
                assert!(status.parse::<u16>().is_ok(), "{name} {status}");
                assert!(response["description"].is_string(), "{name} {status}");
            }
        }
    }
    let security = document["security"][0]
        .as_object()
        .unwrap()
        .keys()
        .next()
        .unwrap();
    let scheme = &document["components"]["securitySchemes"][security];
    assert_eq!(scheme["name"], "x-api-key");
    references(&document, &document);
}

/// Every reference leads somewhere.
fn references(document: &Value, value: &Value) {
    match value {
        Value::Object(members) => {
            if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
                let target = reference.strip_prefix('#').and_then(|at| document.pointer(at));
                assert!(target.is_some(), "{reference}");
            }
            members.values().for_each(|member| references(document, member));
        }
        Value::Array(items) => items.iter().for_each(|item| references(document, item)),
        _ => {}
    }
}

#[tokio::test]
async fn every_success_has_an_example_with_the_words_and_members_of_a_real_one() {
    let app = TestApp::start().await;
    let document = document(&app).await;
    let globex = app.company("Globex").await;
    let created = globex.create(folio()).await;
    let id = created.at("/data/folioId");
    let started = globex.start_bulk([&id], &signer("1001")).await;
    let bulk = started.at("/data/massiveId");
    let maria = correction("1001", "maria.1001@example.com", "3001234567");
    let answers = [
        ("sign/post", created),
        ("consult/get", globex.read(&id).await),
        ("consult/post", globex.read_several(&[id.as_str(), UNKNOWN]).await),
        ("forward_emails/post", globex.resend(&id, &[maria]).await),
        ("massive_sign/post", started),
        ("consult_massive_sign/get", globex.read_bulk(&bulk).await),
        ("evidence/get", globex.evidence(&id).await),
        ("cancel/post", globex.cancel([&id], "Se cancela por error.").await),
    ];
    for (operation, answer) in answers {
        let at = format!("/paths/~1api~1integrations~1{operation}/responses/200/content/application~1json");
        let described = document.pointer(&at).unwrap_or_else(|| panic!("{at}"));
        let (example, real) = (&described["examples"]["Success"]["value"], answer.ok());
        same_members(operation, example, &real);
        assert_eq!(example["message"], real["message"], "{operation}");
        let schema = described["schema"]["$ref"]
            .as_str()
            .and_then(|name| name.strip_prefix('#'));
        let schema = schema.and_then(|at| document.pointer(at)).unwrap();
        let message = &schema["properties"]["message"]["examples"][0];
        assert_eq!(*message, real["message"], "{operation}");
    }
    for form in ["get", "post"] {
        let at = format!("/paths/~1api~1integrations~1download/{form}/responses/200/content");
        let content = document.pointer(&at).unwrap_or_else(|| panic!("{at}"));
        assert!(content["application/pdf"]["examples"]["Success"]["value"].is_string());
    }
}

/// The same members of the same kinds, as far as both have values.
fn same_members(at: &str, example: &Value, real: &Value) {
    match (example, real) {
        (Value::Object(members), Value::Object(others)) => {
            let names = |members: &serde_json::Map<String, Value>| -> BTreeSet<String> {
                members.keys().cloned().collect()
            };
            assert_eq!(names(members), names(others), "{at}");
            for (name, member) in members {
                same_members(&format!("{at}.{name}"), member, &others[name]);
            }
        }
        (Value::Array(items), Value::Array(others)) => {
            for (item, other) in items.iter().zip(others) {
                same_members(&format!("{at}[]"), item, other);
            }
        }
        (Value::Null, _) | (_, Value::Null) => {}
        _ => assert_eq!(discriminant(example), discriminant(real), "{at}"),
    }
}

#[tokio::test]
async fn a_folio_has_as_many_documents_as_the_installation_says() {
    let app = TestApp::builder()
        .policy(|policy| policy.documents = 3)
        .start()
        .await;
    let document = document(&app).await;
    let fields =
        "/paths/~1api~1integrations~1sign/post/requestBody/content/multipart~1form-data/schema/properties";
    let fields = document.pointer(fields).unwrap();
    assert_eq!(fields["documents[]"]["maxItems"], 3);
    assert_eq!(fields["documentsBase64"]["contentSchema"]["maxItems"], 3);
}

#[tokio::test]
async fn the_examples_of_a_create_work_when_they_are_pasted() {
    let app = TestApp::start().await;
    let document = document(&app).await;
    let globex = app.company("Globex").await;
    let fields =
        "/paths/~1api~1integrations~1sign/post/requestBody/content/multipart~1form-data/schema/properties";
    let fields = document.pointer(fields).unwrap();
    let mut form = testkit::Form::new()
        .text("signatureType", "1")
        .text("fileType", "base64")
        .text("sendEmail", "true");
    for field in [
        "signers",
        "folioName",
        "folioMessage",
        "urlReturn",
        "documentsBase64",
    ] {
        form = form.text(field, fields[field]["examples"][0].as_str().unwrap());
    }
    globex.post_form("sign", form).await.ok();
}

#[tokio::test]
async fn the_evidence_as_a_report_has_an_address_of_its_own() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let report = acme.get(&format!("evidence_report?folioId={id}")).await;
    assert_eq!(
        (report.status, report.header("content-type")),
        (200, Some("application/pdf"))
    );
    assert!(report.body.starts_with(b"%PDF"));
    let nothing = acme.get("evidence_report").await;
    assert_eq!(nothing.status, 400);
}
