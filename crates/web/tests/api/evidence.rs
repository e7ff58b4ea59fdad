//! `GET evidence`.

use reqwest::Method;
use serde_json::Value;
use testkit::{TestApp, folio, until};

#[tokio::test]
async fn evidence_is_a_file_that_holds_together() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let answer = acme.evidence(&id).await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let disposition = answer.header("content-disposition").unwrap();
    assert!(
        disposition.contains(&format!("filename=\"evidencia-{id}.json\"")),
        "{disposition}"
    );
    let checked = app::evidence::check(&answer.body, None);
    assert_eq!(checked.faults, []);
    let evidence = checked.evidence.unwrap();
    assert_eq!((evidence.company.as_str(), evidence.folio.id), ("Acme", id));
    assert_eq!(evidence.folio.state, "pending");
    assert_eq!(evidence.made.by, "https://firmeza.example.com");
    assert_eq!(evidence.history.length, 1);
    assert_eq!(evidence.messages[0].template, "invitation");
    assert_eq!(evidence.messages[0].state, "waiting");
}

#[tokio::test]
async fn it_tells_what_became_of_messages() {
    let app = TestApp::builder().delivering().start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let evidence = until("the invitations to have left", async || {
        let checked = app::evidence::check(&acme.evidence(&id).await.body, None);
        assert_eq!(checked.faults, []);
        let evidence = checked.evidence?;
        evidence
            .messages
            .iter()
            .all(|message| message.state == "sent")
            .then_some(evidence)
    })
    .await;
    let message = &evidence.messages[0];
    assert_eq!((message.channel.as_str(), message.attempts), ("email", 1));
    assert!(message.sent_at.is_some());
    let told = |event: &app::evidence::EventFacts| event.body.contains("\"what\":\"delivered\"");
    assert!(evidence.history.events.iter().any(told));
}

#[tokio::test]
async fn each_time_it_is_handed_out_is_an_event() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let path = format!("evidence?folioId={id}");
    assert_eq!(acme.send(acme.request(Method::HEAD, &path)).await.status, 200);
    let first: Value = acme.evidence(&id).await.json();
    let recorded = until("the download in the history", async || {
        acme.history(&id).await.into_iter().nth(1)
    })
    .await;
    let body: Value = serde_json::from_str(&recorded.body).unwrap();
    assert_eq!(body["what"], "evidence_downloaded");
    assert_eq!(body["sha256"], first["seal"]["sha256"], "what was handed out");
    assert_eq!(body["who"], "integration");
    let second = acme.evidence(&id).await;
    let checked = app::evidence::check(&second.body, None);
    assert_eq!(checked.faults, []);
    assert_eq!(checked.evidence.unwrap().history.length, 2);
    until("the second as well", async || {
        (acme.history(&id).await.len() == 3).then_some(())
    })
    .await;
}

#[tokio::test]
async fn what_is_asked_for_must_be_there() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let malformed = "El ID del folio a consultar no existe o no contiene un formato válido.";
    for query in ["format=xml", "part=0", "part=x", "format=json&format=json"] {
        let answer = acme.get(&format!("evidence?folioId={id}&{query}")).await;
        answer.refused(400, malformed);
    }
    acme.get("evidence").await.refused(400, malformed);
    let beyond = acme.get(&format!("evidence?folioId={id}&part=2")).await;
    beyond.refused(404, "El recurso solicitado no existe.");
}
