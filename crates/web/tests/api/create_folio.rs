//! `POST sign`

use crate::base64;
use domain::{FolioId, SignerIndex, Template};
use serde_json::json;
use testkit::{TestApp, folio, pdf, signer, signers};

#[tokio::test]
async fn a_folio_is_created_pending_with_all_that_was_sent() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let answer = acme.create(folio()).await;
    insta::assert_snapshot!("created", answer.shown());
    let read = acme.read(&answer.at("/data/folioId")).await;
    insta::assert_snapshot!("created_read_back", read.shown());
}

#[tokio::test]
async fn the_signing_address_stands_for_the_folio_and_is_no_identifier() {
    let app = TestApp::start().await;
    let answer = app.company("Acme").await.create(folio()).await;
    let url = url::Url::parse(&answer.at("/data/signProcessUrl")).unwrap();
    assert_eq!(url.host_str(), Some("firmas.example.com"));
    let (name, token) = url.query_pairs().next().unwrap();
    assert_eq!(name, "f");
    let id: FolioId = answer.at("/data/folioId").parse().unwrap();
    assert_eq!(app.app().links.read_folio(&token), Some(id));
    assert_eq!(app.app().links.read_folio(&id.to_string()), None);
}

#[tokio::test]
async fn documents_in_base64_are_the_same_bytes() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let (small, large) = (pdf::contract(), pdf::of_bytes(700_001));
    let documents = json!([
        { "name": "uno.pdf", "content": base64(&small) },
        { "ignored": [1, { "a": null }], "content": base64(&large), "name": "dos.pdf" },
    ]);
    let id = acme.created(folio().base64(documents.to_string())).await;
    let read = acme.read(&id).await;
    for (place, (name, bytes)) in [("uno.pdf", &small), ("dos.pdf", &large)].iter().enumerate() {
        assert_eq!(&read.at(&format!("/data/documents/{place}/name")), name);
        let document = read.at(&format!("/data/documents/{place}/documentId"));
        assert!(acme.download(&document).await.body == **bytes, "{name}");
    }
}

#[tokio::test]
async fn every_signer_is_written_to_unless_the_caller_does_it() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let told = acme.created(folio().signers(&signers(3))).await;
    let messages = acme.messages(&told).await;
    let to: Vec<_> = messages
        .iter()
        .map(|m| (m.template, m.signer, m.recipient.as_str()))
        .collect();
    assert_eq!(
        to,
        [
            (Template::Invitation, SignerIndex(0), "maria.1001@example.com"),
            (Template::Invitation, SignerIndex(1), "maria.1002@example.com"),
            (Template::Invitation, SignerIndex(2), "maria.1003@example.com"),
        ]
    );
    let untold = acme.created(folio().with("sendEmail", "false")).await;
    assert!(acme.messages(&untold).await.is_empty());
}

#[tokio::test]
async fn the_longest_acceptable_values_are_taken() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let url = format!("https://cliente.example.com/{}", "a".repeat(2048 - 28));
    let longest = folio()
        .with("folioName", "ñ".repeat(100))
        .with("folioMessage", "á\n".repeat(250))
        .with("urlReturn", url)
        .with("signatureType", "2")
        .signers(&signers(10));
    let read = acme.read(&acme.created(longest).await).await;
    assert_eq!(read.at("/data/folioData/name"), "ñ".repeat(100));
    assert_eq!(
        read.at("/data/folioData/signatureTypeName"),
        "OTP Móvil Verificado"
    );
    assert_eq!(read.json()["data"]["signers"].as_array().unwrap().len(), 10);
}

#[tokio::test]
async fn unknown_members_are_ignored() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let mut talkative = signer("1001");
    talkative["favourite"] = json!({ "colour": "azul" });
    let sent = folio().signers(&json!([talkative])).with("unknownField", "x");
    acme.create(sent).await.ok();
}

#[tokio::test]
async fn dates_are_local_and_codes_are_strings() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    app.advance(std::time::Duration::from_millis(1_999));
    let read = acme.read(&acme.created(folio()).await).await.ok();
    assert_eq!(read["data"]["folioData"]["dateCreate"], "2026-03-02 09:30:01");
    assert_eq!(read["data"]["folioData"]["state"], "2");
    assert_eq!(read["data"]["folioData"]["flag_drop"], "0");
    assert_eq!(read["data"]["folioData"]["dateLastUpdate"], json!(null));
}
