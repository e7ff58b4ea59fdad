//! `GET consult_massive_sign`

use crate::UNKNOWN;
use domain::SignerIndex;
use std::time::Duration;
use testkit::{FolioAct, TestApp, folio, signer};

#[tokio::test]
async fn the_folios_come_in_the_order_of_the_operation() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let one = acme.created(folio().with("folioName", "Uno")).await;
    let two = acme.created(folio().with("folioName", "Dos")).await;
    let bulk = acme
        .start_bulk([&two, &one], &signer("1001"))
        .await
        .at("/data/massiveId");
    acme.act(&one, FolioAct::Sign(SignerIndex(0))).await;
    let answer = acme.read_bulk(&bulk).await;
    insta::assert_snapshot!("bulk_read", answer.shown());
    assert_eq!(answer.ok()["data"][1], acme.read(&one).await.json()["data"]);
}

#[tokio::test]
async fn it_can_be_read_long_after_its_address_has_expired() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let bulk = acme
        .start_bulk([&id], &signer("1001"))
        .await
        .at("/data/massiveId");
    let first = acme.read_bulk(&bulk).await.ok();
    app.advance(Duration::from_hours(48));
    let before = app.census().await;
    assert_eq!(acme.read_bulk(&bulk).await.ok(), first);
    assert_eq!(app.census().await, before);
}

#[tokio::test]
async fn what_cannot_be_read_is_told_apart() {
    let app = TestApp::start().await;
    let (acme, globex) = (app.company("Acme").await, app.company("Globex").await);
    let folio = globex.created(folio()).await;
    let foreign = globex.start_bulk([&folio], &signer("1001")).await;
    let invalid = "El massiveId proporcionado no es válido.";
    for path in [
        "consult_massive_sign",
        "consult_massive_sign?massiveId=",
        "consult_massive_sign?massiveId=x",
    ] {
        acme.get(path).await.refused(400, invalid);
    }
    let denied = "Acceso denegado. No tiene los permisos necesarios para acceder a este recurso.";
    acme.read_bulk(&foreign.at("/data/massiveId"))
        .await
        .refused(403, denied);
    acme.read_bulk(&folio)
        .await
        .refused(404, "La operación masiva solicitada no existe.");
    acme.read_bulk(UNKNOWN)
        .await
        .refused(404, "La operación masiva solicitada no existe.");
}
