//! `POST massive_sign`

use crate::UNKNOWN;
use domain::{FolioState, SignerIndex};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write;
use std::time::Duration;
use testkit::{FolioAct, Form, TestApp, folio, signer, signers};

#[tokio::test]
async fn one_address_for_many_folios() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let folios = [acme.created(folio()).await, acme.created(folio()).await];
    let answer = acme.start_bulk(&folios, &signer("1001")).await;
    insta::assert_snapshot!("bulk_started", answer.shown());
    let url = url::Url::parse(&answer.at("/data/signProcessMassiveUrl")).unwrap();
    let query: HashMap<_, _> = url.query_pairs().into_owned().collect();
    let bulk = app.app().links.read_bulk(&query["msv"]).unwrap();
    assert_eq!(bulk.to_string(), answer.at("/data/massiveId"));
    assert_eq!(app.app().links.read_account(&query["a"]), Some(acme.id));
    for folio in &folios {
        assert_eq!(
            acme.read(folio).await.at("/data/folioData/stateName"),
            "PENDIENTE"
        );
        assert!(acme.history(folio).await[1].body.contains("bulk_started"));
    }
}

#[tokio::test]
async fn fifty_at_once_and_no_more() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let mut folios = Vec::new();
    for _ in 0..51 {
        folios.push(acme.created(folio()).await);
    }
    acme.start_bulk(&folios, &signer("1001"))
        .await
        .refused(400, "Parámetros inválidos en la solicitud.");
    acme.start_bulk(&folios[..50], &signer("1001")).await.ok();
}

#[tokio::test]
async fn what_is_no_bulk_signature_is_refused_whole() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let own = acme.created(folio()).await;
    let before = app.census().await;
    let list = json!([own]).to_string();
    let twice = json!([own, own]).to_string();
    let fine = json!([signer("1001")]).to_string();
    let mut tax = signer("1001");
    tax["documentType"] = json!("NIT");
    let url = "https://cliente.example.com";
    let long_url = format!("{url}/{}", "a".repeat(474));
    let mut table = String::new();
    for (label, folios, signer, url) in [
        ("no folios", "", fine.as_str(), url),
        ("an empty list", "[]", &fine, url),
        ("not JSON", "[", &fine, url),
        ("malformed", "[\"x\"]", &fine, url),
        ("one twice", &twice, &fine, url),
        ("no signer", &list, "", url),
        ("an object", &list, &signer("1001").to_string(), url),
        ("two signers", &list, &signers(2).to_string(), url),
        ("no signers", &list, "[]", url),
        ("half a signer", &list, r#"[{"documentNumber":"1001"}]"#, url),
        ("a stranger", &list, &json!([signer("9999")]).to_string(), url),
        ("another type of document", &list, &json!([tax]).to_string(), url),
        ("no return address", &list, &fine, ""),
        ("a return address too long", &list, &fine, &long_url),
    ] {
        let form = [("foliosIds", folios), ("signer", signer), ("urlReturn", url)];
        let answer = acme.post_form("massive_sign", form).await;
        writeln!(table, "{label}: {} {}", answer.status, answer.message()).unwrap();
    }
    let answer = acme.post_form("massive_sign", Form::new()).await;
    writeln!(table, "nothing: {} {}", answer.status, answer.message()).unwrap();
    let body = json!({ "foliosIds": [own], "signer": [signer("1001")], "urlReturn": url }).to_string();
    let answer = acme.post("massive_sign", "application/json", body).await;
    writeln!(table, "as JSON: {} {}", answer.status, answer.message()).unwrap();
    insta::assert_snapshot!("bulk_refusals", table);
    assert_eq!(app.census().await, before);
}

#[tokio::test]
async fn of_several_errors_the_first_in_order_is_reported() {
    let app = TestApp::start().await;
    let (acme, globex) = (app.company("Acme").await, app.company("Globex").await);
    let fine = acme.created(folio()).await;
    let foreign = globex.created(folio()).await;
    let cancelled = acme.created_in(FolioState::Cancelled, folio()).await;
    let signed = acme.created_in(FolioState::Signed, folio()).await;
    let half = acme.created(folio()).await;
    acme.act(&half, FolioAct::Sign(SignerIndex(0))).await;
    let without = acme.created(folio().signers(&json!([signer("2002")]))).await;
    let rejected = acme.created_in(FolioState::RejectedBySigner, folio()).await;
    let ordered: [(&str, u16); 4] = [(&without, 400), (&foreign, 403), (UNKNOWN, 404), (&half, 409)];
    for (place, (folio, status)) in ordered.iter().enumerate() {
        let faulty = ordered[place..].iter().rev().map(|(folio, _)| *folio);
        let list: Vec<&str> = [fine.as_str()].into_iter().chain(faulty).collect();
        let answer = acme.start_bulk(&list, &signer("1001")).await;
        assert_eq!(answer.status, *status, "{folio}: {}", answer.text());
    }
    // The signer rejected it, or has signed what others have not; what ended otherwise is gone. The first counts.
    for (folios, status) in [
        ([&rejected, &cancelled], 409),
        ([&half, &cancelled], 409),
        ([&cancelled, &half], 410),
        ([&signed, &rejected], 410),
    ] {
        let answer = acme.start_bulk(folios, &signer("1001")).await;
        assert_eq!(answer.status, status, "{folios:?}: {}", answer.text());
    }
    assert_eq!(app.census().await.of("bulks"), 0);
}

#[tokio::test]
async fn an_expired_folio_is_gone() {
    let app = TestApp::builder()
        .policy(|policy| policy.folio_lifetime = Some(Duration::from_hours(1)))
        .start()
        .await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    app.advance(Duration::from_secs(3599));
    acme.start_bulk([&id], &signer("1001")).await.ok();
    app.advance(Duration::from_secs(1));
    let answer = acme.start_bulk([&id], &signer("1001")).await;
    let gone = "Acceso denegado. No tiene los permisos necesarios para acceder a este recurso o es posible que el \
                recurso al que intenta acceder ya no exista.";
    answer.refused(410, gone);
    assert_eq!(answer.json()["error"]["message"], Value::from(gone));
}
