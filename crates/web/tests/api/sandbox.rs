//! `/sandbox`: the clock and the signers that tests of integrators drive.

use domain::SignerIndex;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use testkit::{Company, MAILBOX_TOKEN, TestApp, TestResponse, folio, until};

/// A request of the company's system, through the mailbox's gate.
async fn ask(company: &Company<'_>, method: Method, path: &str, body: &Value) -> TestResponse {
    let request = company
        .request(method, path)
        .bearer_auth(MAILBOX_TOKEN)
        .header("content-type", "application/json")
        .body(body.to_string());
    company.send(request).await
}

async fn script(company: &Company<'_>, folio: &str, number: &str, action: &str) -> TestResponse {
    let body = json!({ "folioId": folio, "documentNumber": number, "action": action });
    ask(company, Method::POST, "/sandbox/signers", &body).await
}

async fn advance(company: &Company<'_>, span: Duration) -> TestResponse {
    let body = json!({ "advanceSeconds": span.as_secs() });
    ask(company, Method::POST, "/sandbox/clock", &body).await
}

#[tokio::test]
async fn scripted_signers_take_a_folio_to_its_end() {
    let app = TestApp::builder().delivering().start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    script(&acme, &id, "1001", "sign").await.ok();
    assert_eq!(
        acme.read(&id).await.at("/data/signers/0/folioStateName"),
        "FIRMADO"
    );
    script(&acme, &id, "1001", "sign")
        .await
        .refused(409, "El firmante ya ha realizado la firma");
    script(&acme, &id, "1002", "sign").await.ok();
    assert_eq!(acme.read(&id).await.at("/data/folioData/stateName"), "FIRMADO");
    let told: Vec<Value> = acme
        .history(&id)
        .await
        .iter()
        .map(|event| event.full_body()["what"].clone())
        .collect();
    let told: Vec<&Value> = told
        .iter()
        .filter(|what| !["delivered", "extended"].map(Value::from).contains(what))
        .collect();
    let signing = ["opened", "end_reached", "accepted", "code_sent", "signed"];
    let expected: Vec<&str> = ["created"]
        .into_iter()
        .chain(signing)
        .chain(signing)
        .chain(["completed"])
        .collect();
    assert_eq!(json!(told), json!(expected));
    script(&acme, &id, "1002", "sign")
        .await
        .refused(409, "El folio no se encuentra activo.");
}

#[tokio::test]
async fn a_scripted_signer_rejects_with_a_reason_or_not_at_all() {
    let app = TestApp::builder().delivering().start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let reject = async |reason: Value| {
        let body = json!({ "folioId": id, "documentNumber": "1002", "action": "reject", "reason": reason });
        ask(&acme, Method::POST, "/sandbox/signers", &body).await
    };
    reject(Value::Null).await.refused(400, "El parámetro (reason)");
    reject(json!("corto"))
        .await
        .refused(400, "El parámetro (reason) debe tener al menos 10 caracteres.");
    reject(json!("No es lo que acordamos.")).await.ok();
    let read = acme.read(&id).await;
    assert_eq!(read.at("/data/folioData/stateName"), "RECHAZADO FIRMANTE");
    assert_eq!(read.at("/data/folioData/observation"), "No es lo que acordamos.");
    script(&acme, &id, "1001", "sign")
        .await
        .refused(409, "El folio no se encuentra activo.");
}

#[tokio::test]
async fn a_signer_whose_mail_bounces_is_undelivered_and_can_be_corrected() {
    let app = TestApp::builder().delivering().start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio().with("sendEmail", "false")).await;
    script(&acme, &id, "1001", "bounce").await.ok();
    let resend = async |correction: Value| acme.resend(&id, &[correction]).await.ok();
    resend(json!({ "documentNumber": "1001" })).await;
    let what = async |kind: &str| {
        acme.history(&id)
            .await
            .iter()
            .filter(|event| event.full_body()["what"] == kind)
            .count()
    };
    until("the bounce", async || {
        (what("undelivered").await == 1).then_some(())
    })
    .await;
    assert_eq!(what("delivered").await, 0);
    script(&acme, &id, "1001", "sign")
        .await
        .refused(409, "El mensaje con el código no llegó al firmante.");
    resend(json!({ "documentNumber": "1001", "email": "otra@example.com" })).await;
    app.mail_to("otra@example.com", "").await;
    script(&acme, &id, "1001", "sign").await.ok();
    script(&acme, &id, "1002", "ignore").await.ok();
    assert_eq!(
        acme.read(&id).await.at("/data/signers/1/folioStateName"),
        "PENDIENTE"
    );
}

#[tokio::test]
async fn the_clock_moves_folios_and_what_signers_do() {
    let app = TestApp::builder()
        .delivering()
        .policy(|policy| policy.folio_lifetime = Some(Duration::from_hours(48)))
        .start()
        .await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let before = ask(&acme, Method::GET, "/sandbox/clock", &Value::Null)
        .await
        .at("/data/now");
    assert_eq!(before, "2026-03-02 09:30:00");
    let moved = advance(&acme, Duration::from_hours(24)).await;
    assert_eq!(moved.at("/data/now"), "2026-03-03 09:30:00");
    advance(&acme, Duration::from_hours(24)).await.ok();
    script(&acme, &id, "1001", "sign")
        .await
        .refused(409, "El folio no se encuentra activo.");
    let young = acme.created(folio()).await;
    script(&acme, &young, "1001", "sign").await.ok();
    assert_eq!(
        acme.read(&young).await.at("/data/signers/0/dateLastUpdate"),
        "2026-03-04 09:30:00"
    );
    advance(&acme, Duration::from_hours(24 * 365 * 30))
        .await
        .refused(400, "El reloj de pruebas no puede adelantarse");
}

#[tokio::test]
async fn only_a_key_of_the_company_behind_the_gate_drives_it() {
    let app = TestApp::builder().delivering().start().await;
    let (acme, globex) = (app.company("Acme").await, app.company("Globex").await);
    let foreign = globex.created(folio()).await;
    script(&acme, &foreign, "1001", "sign")
        .await
        .refused(403, "Acceso denegado.");
    script(&acme, crate::UNKNOWN, "1001", "sign")
        .await
        .refused(404, "El recurso solicitado no existe.");
    let own = acme.created(folio()).await;
    script(&acme, &own, "9999", "sign")
        .await
        .refused(404, "El folio no tiene ese firmante.");
    script(&acme, "x", "1001", "sign")
        .await
        .refused(400, "El parámetro (folioId)");
    script(&acme, &own, "1001", "dance")
        .await
        .refused(400, "El cuerpo de la solicitud");
    let stranger = acme.saying(None);
    ask(&stranger, Method::GET, "/sandbox/clock", &Value::Null)
        .await
        .refused(401, "Autenticación requerida");
    let without_gate = acme.send(acme.request(Method::GET, "/sandbox/clock")).await;
    assert_eq!(without_gate.status, 403);
    let production = TestApp::start().await;
    let there = production.company("Acme").await;
    assert_eq!(
        ask(&there, Method::GET, "/sandbox/clock", &Value::Null)
            .await
            .status,
        404
    );
    assert_eq!(
        app.app().signing(party(&own), None).await.unwrap().folios.len(),
        1
    );
}

fn party(folio: &str) -> app::SigningParty {
    app::SigningParty::Signer {
        folio: folio.parse().unwrap(),
        signer_index: SignerIndex(0),
    }
}
