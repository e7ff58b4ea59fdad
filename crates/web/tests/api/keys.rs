//! Authentication: `x-api-key`, exactly as documented.

use app::{ApiKey, SystemRandom};
use reqwest::Method;
use std::time::Duration;
use testkit::{Form, RawConnection, START, TestApp, folio, pdf, until};

const MISSING: &str = r#"{"success":false,"status":401,"message":"Autenticación requerida"}"#;
const DENIED: &str = "Acceso denegado. No tiene los permisos necesarios para acceder a este recurso.";

#[tokio::test]
async fn without_a_key_the_body_is_exact_in_every_operation() {
    let app = TestApp::start().await;
    let nobody = app.company("Acme").await.saying(None);
    for (method, path) in [
        (Method::POST, "sign"),
        (Method::GET, "consult"),
        (Method::POST, "consult"),
        (Method::POST, "forward_emails"),
        (Method::GET, "download"),
        (Method::POST, "download/"),
        (Method::POST, "cancel"),
        (Method::POST, "massive_sign"),
        (Method::GET, "consult_massive_sign"),
    ] {
        for header in [None, Some(""), Some("  ")] {
            let nobody = nobody.saying(header);
            let answer = nobody.send(nobody.request(method.clone(), path)).await;
            assert_eq!(
                (answer.status, answer.text().as_str()),
                (401, MISSING),
                "{method} {path}"
            );
        }
    }
}

#[tokio::test]
async fn only_bearer_one_space_and_a_live_key_is_let_in() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let key = acme.header().strip_prefix("Bearer ").unwrap().to_owned();
    let never_issued = ApiKey::random(&mut SystemRandom).reveal().to_owned();
    let mistyped = format!("{}x", &key[..key.len() - 1]);
    for header in [
        key.clone(),
        format!("bearer {key}"),
        format!("BEARER {key}"),
        format!("Bearer  {key}"),
        format!("Bearer\t{key}"),
        format!("Bearer{key}"),
        format!("Basic {key}"),
        format!("Bearer {}", key.to_uppercase()),
        format!("Bearer {mistyped}"),
        format!("Bearer {never_issued}"),
        format!("Bearer {key} {key}"),
        format!("Bearer {key},"),
        "Bearer".to_owned(),
        format!("Bearer {}", "a".repeat(8000)),
    ] {
        let answer = acme.saying(Some(&header)).read(&id).await;
        answer.refused(403, DENIED);
    }
    let twice = acme
        .request(Method::GET, &format!("consult?folioId={id}"))
        .header("x-api-key", acme.header());
    acme.send(twice).await.refused(403, DENIED);
    acme.read(&id).await.ok();
}

#[tokio::test]
async fn a_denied_key_gets_the_envelope_of_the_operation() {
    let app = TestApp::start().await;
    let stranger = app.company("Acme").await.saying(Some("Bearer x"));
    let a = stranger.get("consult?folioId=x").await;
    assert_eq!(a.json()["message"], DENIED);
    let b = stranger.get("download?documentId=x").await;
    assert_eq!(b.json()["error"]["message"], DENIED);
}

#[tokio::test]
async fn a_revoked_key_is_refused_at_once_by_every_instance() {
    let app = TestApp::start().await;
    let other = app.another_instance().await;
    let acme = app.company("Acme").await;
    let second = acme.showing(&acme.new_key(None).await);
    let id = acme.created(folio()).await;
    acme.at(&other).read(&id).await.ok();
    acme.revoke().await;
    acme.at(&other).read(&id).await.refused(403, DENIED);
    acme.read(&id).await.refused(403, DENIED);
    acme.create(folio()).await.refused(403, DENIED);
    second.at(&other).read(&id).await.ok();
}

/// A revoked key is refused before any error of the body is reported.
#[tokio::test]
async fn a_key_that_was_live_a_moment_ago_reads_nothing_and_creates_nothing() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let second = acme.showing(&acme.new_key(None).await);
    acme.created(folio()).await;
    acme.revoke().await;
    let before = app.census().await;
    for asked in [
        folio(),
        folio().without("folioName"),
        folio().documents([("contrato.pdf", b"no PDF".to_vec())]),
    ] {
        acme.create(asked.clone()).await.refused(403, DENIED);
        acme.once("k-1").create(asked).await.refused(403, DENIED);
    }
    acme.post("sign", "text/plain", "no form")
        .await
        .refused(403, DENIED);
    assert_eq!(app.census().await, before);
    second.created(folio()).await;
}

#[tokio::test]
async fn a_key_is_refused_from_the_moment_it_expires() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let hour = Duration::from_hours(1);
    let passing = acme.showing(&acme.new_key(Some(START.after(hour))).await);
    let moment = Duration::from_micros(1);
    app.advance(hour.saturating_sub(moment));
    passing.read(&id).await.ok();
    app.advance(moment);
    passing.read(&id).await.refused(403, DENIED);
    acme.read(&id).await.ok();
}

#[tokio::test]
async fn a_key_that_is_refused_stores_nothing_and_its_body_is_not_read() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let before = app.census().await;
    acme.saying(Some("Bearer x"))
        .create(folio())
        .await
        .refused(403, DENIED);
    assert_eq!(app.census().await, before);
    assert_eq!(app.blobs_kept().await, 0);
}

#[tokio::test]
async fn the_last_use_of_a_key_is_noted() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    {
        // What was noted is written down when an instance stops.
        let other = app.another_instance().await;
        app.advance(Duration::from_secs(5));
        acme.at(&other).get("consult").await.refused(400, "");
    }
    let keys = app.app().operator().keys("Acme".to_owned()).await.unwrap();
    assert_eq!(keys[0].last_used_at, Some(START.after(Duration::from_secs(5))));
}

#[tokio::test]
async fn a_key_that_is_revoked_while_the_body_comes_does_nothing_any_more() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let document = acme.document_of(&id).await;
    let large = folio().documents([("grande.pdf", pdf::of_bytes(4 << 20))]);
    let create = large.form().into_bytes();
    let before = app.census().await;
    let mut creating = RawConnection::connect(&app).await;
    creating
        .send(RawConnection::head("sign", acme.header(), create.len()))
        .await;
    let (half, rest) = create.split_at(create.len() / 2);
    creating.send(half).await;
    until("the document on its way", async || {
        (app.temp_file_count() > 0).then_some(())
    })
    .await;
    let forms = [
        ("consult", Form::new().text("folios", format!("[\"{id}\"]"))),
        ("download/", Form::new().text("documentId", &document)),
        (
            "cancel",
            Form::new()
                .text("folios", format!("[\"{id}\"]"))
                .text("observation", "Se cancela."),
        ),
    ];
    let mut others = Vec::new();
    for (path, form) in forms {
        let body = form.into_bytes();
        let mut raw = RawConnection::connect(&app).await;
        let head = RawConnection::head(path, acme.header(), body.len());
        raw.send(head.replace("\r\n\r\n", "\r\nexpect: 100-continue\r\n\r\n"))
            .await;
        // `100 Continue` means that the key was accepted.
        raw.wait_for_continue().await;
        others.push((raw, body));
    }
    acme.revoke().await;
    creating.send(rest).await;
    creating.response().await.refused(403, DENIED);
    for (mut raw, body) in others {
        raw.send(body).await;
        assert_eq!(raw.response().await.status, 403);
    }
    assert_eq!(app.census().await, before);
}
