//! Keys that may be used for some operations only.

use crate::matrix::{ROUTES, ask, thing};
use domain::Permission::{self, Act, Create, Download, Evidence, Read};
use domain::Permissions;
use reqwest::Method;
use serde_json::json;
use testkit::{RawConnection, TestApp, folio};

const DENIED: &str = "Acceso denegado. No tiene los permisos necesarios para acceder a este recurso.";

/// The permission that each route needs.
const NEEDED: [(&str, Permission); 13] = [
    ("POST sign", Create),
    ("GET consult", Read),
    ("POST consult (JSON)", Read),
    ("POST consult (form)", Read),
    ("POST forward_emails", Act),
    ("GET download", Download),
    ("GET download/", Download),
    ("POST download", Download),
    ("POST download/", Download),
    ("POST cancel", Act),
    ("POST massive_sign", Act),
    ("GET consult_massive_sign", Read),
    ("GET evidence", Evidence),
];

/// The body of a denial: the message is inside `error` for resend, download and the start of a bulk signature.
fn denial(route: &str) -> serde_json::Value {
    let nested = ["forward_emails", "download", "massive_sign"];
    let path = route.split(' ').nth(1).unwrap_or_default().trim_end_matches('/');
    if nested.contains(&path) {
        json!({ "success": false, "status": 403, "error": { "message": DENIED } })
    } else {
        json!({ "success": false, "status": 403, "message": DENIED })
    }
}

fn only(permission: Permission) -> Permissions {
    Permissions::new([permission]).unwrap()
}

fn all_but(permission: Permission) -> Permissions {
    let others = Permission::ALL.into_iter().filter(|other| *other != permission);
    Permissions::new(others).unwrap()
}

#[tokio::test]
async fn every_operation_needs_its_permission_and_no_other() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    assert_eq!(NEEDED.map(|(route, _)| route), ROUTES);
    let mut keys = Vec::new();
    for permission in Permission::ALL {
        for permissions in [only(permission), all_but(permission)] {
            keys.push((permissions, acme.with_permissions(permissions).await));
        }
    }
    for (route, needed) in NEEDED {
        for (permissions, company) in &keys {
            let id = thing(&acme, route).await;
            let answer = ask(company, route, &id).await;
            if permissions.iter().any(|permission| permission == needed) {
                assert_eq!(
                    answer.status,
                    200,
                    "{route} with {permissions}: {}",
                    answer.text()
                );
            } else {
                assert_eq!(answer.status, 403, "{route} with {permissions}");
                assert_eq!(answer.json(), denial(route), "{route} with {permissions}");
            }
        }
    }
}

#[tokio::test]
async fn a_denied_operation_changes_nothing_and_tells_nothing() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let document = acme.document_of(&id).await;
    let before = app.census().await;
    let blobs = app.blobs_kept().await;
    let reader = acme.with_permissions(only(Read)).await;
    reader.create(folio()).await.refused(403, DENIED);
    reader.once("k-1").create(folio()).await.refused(403, DENIED);
    reader
        .cancel([&id], "Se cancela por error.")
        .await
        .refused(403, DENIED);
    assert_eq!(
        reader.read(&id).await.at("/data/folioData/stateName"),
        "PENDIENTE"
    );
    // Not what is wrong with a request, nor whether the thing exists.
    let creator = acme.with_permissions(only(Create)).await;
    for query in [
        "consult".to_owned(),
        format!("consult?folioId={}", "0".repeat(32)),
        "download?documentId=x".to_owned(),
        "consult_massive_sign".to_owned(),
        "evidence?folioId=x".to_owned(),
    ] {
        creator.get(&query).await.refused(403, DENIED);
    }
    let head = creator.request(Method::HEAD, &format!("download?documentId={document}"));
    assert_eq!(creator.send(head).await.status, 403);
    assert_eq!(app.census().await, before);
    assert_eq!(app.blobs_kept().await, blobs);
}

#[tokio::test]
async fn a_key_without_the_permission_is_denied_before_the_body_comes() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    for (path, needed) in [
        ("sign", Create),
        ("consult", Read),
        ("forward_emails", Act),
        ("download/", Download),
        ("cancel", Act),
        ("massive_sign", Act),
    ] {
        let company = acme.with_permissions(all_but(needed)).await;
        let mut raw = RawConnection::connect(&app).await;
        // A body is announced and never sent.
        raw.send(RawConnection::head(path, company.header(), 1 << 20))
            .await;
        raw.response().await.refused(403, DENIED);
    }
}
