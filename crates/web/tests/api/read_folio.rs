//! `GET consult`

use crate::UNKNOWN;
use domain::{FolioState, SignerIndex};
use std::fmt::Write;
use std::time::Duration;
use testkit::{FolioAct, TestApp, folio};

#[tokio::test]
async fn every_state_has_its_code_and_name() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let mut table = String::new();
    for state in FolioState::ALL {
        let id = acme.created_in(state, folio()).await;
        let read = acme.read(&id).await.ok();
        let data = &read["data"]["folioData"];
        writeln!(table, "{state:?}: {} {}", data["state"], data["stateName"]).unwrap();
        for signer in read["data"]["signers"].as_array().unwrap() {
            writeln!(table, "  {} {}", signer["folioState"], signer["folioStateName"]).unwrap();
        }
        writeln!(table, "  {}", data["observation"]).unwrap();
    }
    insta::assert_snapshot!("folio_states", table);
}

#[tokio::test]
async fn a_signature_shows_when_and_from_where() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    app.advance(Duration::from_secs(3661));
    acme.act(&id, FolioAct::Sign(SignerIndex(1))).await;
    insta::assert_snapshot!("half_signed", acme.read(&id).await.shown());
}

#[tokio::test]
async fn a_cancelled_folio_keeps_its_signers_states() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    acme.act(&id, FolioAct::Sign(SignerIndex(0))).await;
    acme.cancel([&id], "El cliente desistió.").await.ok();
    let read = acme.read(&id).await;
    assert_eq!(read.at("/data/folioData/stateName"), "ANULADO");
    assert_eq!(read.at("/data/folioData/observation"), "El cliente desistió.");
    assert_eq!(read.at("/data/signers/0/folioStateName"), "FIRMADO");
    assert_eq!(read.at("/data/signers/1/folioStateName"), "PENDIENTE");
}

#[tokio::test]
async fn a_dropped_folio_is_still_read() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created_in(FolioState::Signed, folio()).await;
    acme.act(&id, FolioAct::Drop).await;
    let read = acme.read(&id).await;
    assert_eq!(read.at("/data/folioData/flag_drop"), "1");
    assert_eq!(read.at("/data/folioData/stateName"), "FIRMADO");
}

#[tokio::test]
async fn what_cannot_be_read_is_told_apart() {
    let app = TestApp::start().await;
    let (acme, globex) = (app.company("Acme").await, app.company("Globex").await);
    let foreign = globex.created(folio()).await;
    let format = "El ID del folio a consultar no existe o no contiene un formato válido.";
    let upper = foreign.to_uppercase();
    for path in [
        "consult",
        "consult?folioId=",
        "consult?folioId=x",
        "consult?folioid=00000000000000000000000000000000",
        &format!("consult?folioId={upper}x"),
        &format!("consult?folioId={foreign}&folioId={foreign}"),
        "consult?folioId=%00%ff",
        &format!("consult?folioId={foreign}%20"),
    ] {
        acme.get(path).await.refused(400, format);
    }
    let denied = "Acceso denegado. No tiene permisos para consultar este folio.";
    acme.read(&foreign).await.refused(403, denied);
    acme.read(UNKNOWN)
        .await
        .refused(404, "El recurso solicitado no existe.");
}

#[tokio::test]
async fn reading_changes_nothing() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let before = app.census().await;
    let first = acme.read(&id).await.body;
    app.advance(Duration::from_mins(1));
    assert_eq!(acme.read(&id).await.body, first);
    assert_eq!(app.census().await, before);
}
