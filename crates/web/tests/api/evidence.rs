//! `GET evidence`.

use domain::history::DocumentRef;
use domain::{Actor, Event, FolioId, Happening, Origin};
use reqwest::Method;
use serde_json::Value;
use testkit::{START, TestApp, folio, until};

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

#[tokio::test]
async fn a_long_history_comes_in_parts_that_follow_each_other() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let (folio, document) = (id.parse::<FolioId>().unwrap(), acme.document_of(&id).await);
    let event = Event {
        at: START,
        origin: Origin {
            actor: Actor::Service,
            address: None,
        },
        what: Happening::Downloaded {
            document: DocumentRef {
                document: document.parse().unwrap(),
                sha256: "ab".repeat(32),
            },
        },
    };
    let events = vec![(folio, event); app::evidence::EVENTS + 10];
    app.app()
        .store
        .write(move |tx| tx.append_events(&events))
        .await
        .unwrap();
    let mut last = "0".repeat(64);
    for (part, held) in [(1, app::evidence::EVENTS), (2, 11)] {
        let answer = acme.get(&format!("evidence?folioId={id}&part={part}")).await;
        let checked = app::evidence::check(&answer.body, None);
        assert_eq!(checked.faults, [], "part {part}");
        let history = checked.evidence.unwrap().history;
        // The first part was handed out in between, and that is an event as well.
        assert!(
            history.events.len() - held <= 1,
            "part {part}: {}",
            history.events.len()
        );
        assert_eq!(history.before, last);
        last = history.events.last().unwrap().hash.clone();
    }
    let third = acme.get(&format!("evidence?folioId={id}&part=3")).await;
    third.refused(404, "El recurso solicitado no existe.");
}

#[tokio::test]
async fn a_signer_has_it_by_the_session_that_shows_the_folio() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let nobody = acme.saying(None);
    let path = format!("/sign/{id}-0/evidence.json");
    assert_eq!(nobody.get(&path).await.status, 403, "not without a session");
    let link = app.app().links.signer(id.parse().unwrap(), 0);
    let query = link.as_str().split_once('?').unwrap().1.to_owned();
    let page = nobody.get(&format!("/sign?{query}")).await;
    let cookie = page
        .header("set-cookie")
        .unwrap()
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    let with_session = |path: &str| nobody.request(Method::GET, path).header("cookie", &cookie);
    let answer = nobody.send(with_session(&path)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(app::evidence::check(&answer.body, None).faults, []);
    let report = nobody
        .send(with_session(&format!("/sign/{id}-0/evidence.pdf")))
        .await;
    assert_eq!(report.header("content-type"), Some("application/pdf"));
    let other = nobody
        .send(with_session(&format!("/sign/{id}-1/evidence.json")))
        .await;
    assert_eq!(other.status, 403, "another signer's session is another");
    let recorded = until("both in the history", async || {
        acme.history(&id).await.into_iter().nth(2)
    })
    .await;
    let body: Value = serde_json::from_str(&recorded.body).unwrap();
    assert_eq!(
        (&body["what"], &body["who"]),
        (&"evidence_downloaded".into(), &"signer".into())
    );
}
