//! `GET evidence`.

use domain::event::DocumentRef;
use domain::{Actor, Event, EventKind, FolioId, Origin, SignerIndex};
use reqwest::Method;
use serde_json::Value;
use testkit::{Company, FolioAct, START, TestApp, folio, signer, until};

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
    let checked = app::evidence::check(&answer.body, None, &[], app.app().clock.now());
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
async fn it_has_the_outcome_of_every_message() {
    let app = TestApp::builder().delivering().start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let evidence = until("the invitations to have left", async || {
        let checked = app::evidence::check(&acme.evidence(&id).await.body, None, &[], app.app().clock.now());
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
    let sealed: Value = acme.evidence(&id).await.json();
    for (pointer, value, fault) in [
        (
            "/evidence/messages/0/recipient",
            "otra@example.com".into(),
            "message",
        ),
        (
            "/evidence/messages/0/recipient",
            "otra@example.com".into(),
            "message_missing",
        ),
        (
            "/evidence/messages/0/sent_at",
            "2026-03-02T00:00:00Z".into(),
            "message",
        ),
        ("/evidence/messages/0/state", "dead".into(), "message"),
        ("/evidence/messages", Value::Array(Vec::new()), "message_missing"),
    ] {
        let mut changed = sealed.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        let faults =
            app::evidence::check(changed.to_string().as_bytes(), None, &[], app.app().clock.now()).faults;
        assert!(
            faults.iter().any(|found| found.name() == fault),
            "{pointer}: {faults:?}"
        );
    }
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
    let checked = app::evidence::check(&second.body, None, &[], app.app().clock.now());
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

/// More downloads than fit into one file.
async fn download_often(company: &Company<'_>, id: &str) {
    let (folio, document) = (id.parse::<FolioId>().unwrap(), company.document_of(id).await);
    let event = Event {
        at: START,
        origin: Origin {
            actor: Actor::Service,
            client: domain::Client::default(),
        },
        what: EventKind::Downloaded {
            document: DocumentRef {
                document: document.parse().unwrap(),
                sha256: "ab".repeat(32),
            },
        },
    };
    let events = vec![(folio, event); app::evidence::EVENTS_PER_BUNDLE + 10];
    let app = company.app().app();
    let appended = app.store.write(move |tx| tx.append_events(&events));
    appended.await.unwrap();
}

#[tokio::test]
async fn a_long_history_comes_in_parts_that_follow_each_other() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    download_often(&acme, &id).await;
    let mut last = "0".repeat(64);
    for (part, held) in [(1, app::evidence::EVENTS_PER_BUNDLE), (2, 11)] {
        let answer = acme.get(&format!("evidence?folioId={id}&part={part}")).await;
        let checked = app::evidence::check(&answer.body, None, &[], app.app().clock.now());
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
    // A part is saved beside the others, not over them.
    for (format, name) in [
        ("json", format!("evidencia-{id}-2.json")),
        ("pdf", format!("constancia-{id}-2.pdf")),
    ] {
        let answer = acme
            .get(&format!("evidence?folioId={id}&part=2&format={format}"))
            .await;
        let disposition = answer.header("content-disposition").unwrap();
        assert!(disposition.contains(&name), "{disposition}");
    }
    let person = acme.signed_in("lectora@acme.example", domain::Role::Reader).await;
    let page = person.get(&format!("/panel/folios/{id}")).await.text();
    for (part, query) in [(1, ""), (2, "?part=2")] {
        for (file, words) in [
            ("evidence.pdf", "Constancia (PDF)"),
            ("evidence.json", "Evidencia (JSON)"),
        ] {
            let link = format!(
                "<a href=\"/panel/folios/{id}/{file}{query}\" download>{words}, parte {part} de 2</a>"
            );
            assert!(page.contains(&link), "{link}: {page}");
        }
    }
    let third = acme.get(&format!("evidence?folioId={id}&part=3")).await;
    third.refused(404, "El recurso solicitado no existe.");
}

/// The cookie of a signer who opens their link.
async fn session(nobody: &Company<'_>, folio: &str, place: usize) -> String {
    let link = nobody
        .app()
        .app()
        .links
        .signer(folio.parse().unwrap(), SignerIndex(place));
    let query = link.as_str().split_once('?').unwrap().1.to_owned();
    let page = nobody.get(&format!("/sign?{query}")).await;
    let cookie = page.header("set-cookie").unwrap();
    cookie.split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_signer_who_has_acted_has_it_by_the_session_that_shows_the_folio() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let nobody = acme.saying(None);
    let path = format!("/sign/{id}-0/evidence.json");
    assert_eq!(nobody.get(&path).await.status, 403, "not without a session");
    let asked =
        |path: &str, cookie: &str| nobody.send(nobody.request(Method::GET, path).header("cookie", cookie));
    let cookie = session(&nobody, &id, 0).await;
    for path in [path.as_str(), &format!("/sign/{id}-0/evidence.pdf")] {
        let early = asked(path, &cookie).await;
        assert_eq!(early.status, 404, "not before the act: {path}");
        assert!(!early.text().contains("maria.1002@example.com"));
    }
    app.sign_by_email(&id, SignerIndex(0), "maria.1001@example.com")
        .await;
    let waiting = session(&nobody, &id, 1).await;
    let other = asked(&format!("/sign/{id}-1/evidence.json"), &waiting).await;
    assert_eq!(other.status, 404, "another's act is not one's own");
    let cookie = session(&nobody, &id, 0).await;
    let unproven = asked(&path, &cookie).await;
    let text = unproven.text();
    assert!(
        text.contains("Confirme que es usted"),
        "a link alone is not enough: {text}"
    );
    app.prove_cookie(format!("{id}-0").parse().unwrap(), &cookie)
        .await;
    let answer = asked(&path, &cookie).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(
        app::evidence::check(&answer.body, None, &[], app.app().clock.now()).faults,
        []
    );
    let report = asked(&format!("/sign/{id}-0/evidence.pdf"), &cookie).await;
    assert_eq!(report.header("content-type"), Some("application/pdf"));
    let other = asked(&format!("/sign/{id}-1/evidence.json"), &cookie).await;
    assert_eq!(other.status, 403, "another signer's session is another");
    let recorded = until("in the history, once a visit", async || {
        let history = acme.history(&id).await;
        let told = history
            .iter()
            .map(|event| serde_json::from_str::<Value>(&event.body).unwrap())
            .filter(|body| body["what"] == "evidence_downloaded");
        Some(told.collect::<Vec<_>>()).filter(|told| told.len() == 1)
    })
    .await;
    assert!(
        recorded.iter().all(|body| body["who"] == "signer"),
        "{recorded:?}"
    );
}

#[tokio::test]
async fn a_signer_finds_the_signature_however_often_the_document_was_downloaded_before() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    download_often(&acme, &id).await;
    app.sign_by_email(&id, SignerIndex(0), "maria.1001@example.com")
        .await;
    let nobody = acme.saying(None);
    let cookie = session(&nobody, &id, 0).await;
    app.prove_cookie(format!("{id}-0").parse().unwrap(), &cookie)
        .await;
    let asked = async |path: String| {
        let request = nobody.request(Method::GET, &path).header("cookie", &cookie);
        nobody.send(request).await
    };
    let page = asked(format!("/sign/{id}-0")).await.text();
    for (part, query) in [(1, ""), (2, "?part=2")] {
        for (file, words) in [
            ("evidence.pdf", "Constancia de la firma"),
            ("evidence.json", "Evidencia para programas (JSON)"),
        ] {
            let link =
                format!("<a href=\"/sign/{id}-0/{file}{query}\" download>{words}, parte {part} de 2</a>");
            assert!(page.contains(&link), "{link}: {page}");
        }
    }
    for (part, signatures) in [(1, 0), (2, 1)] {
        let answer = asked(format!("/sign/{id}-0/evidence.json?part={part}")).await;
        let checked = app::evidence::check(&answer.body, None, &[], app.app().clock.now());
        assert_eq!(checked.faults, [], "part {part}");
        let evidence = checked.evidence.unwrap();
        assert!(!evidence.history.is_whole(), "part {part}");
        assert_eq!(evidence.consents.len(), signatures, "part {part}");
        let told = |event: &&app::evidence::EventFacts| event.body.contains("\"what\":\"signed\"");
        let told = evidence.history.events.iter().filter(told).count();
        assert_eq!(told, signatures, "part {part}");
    }
    let second = asked(format!("/sign/{id}-0/evidence.pdf?part=2")).await;
    let disposition = second.header("content-disposition").unwrap();
    assert!(
        disposition.contains(&format!("constancia-{id}-2.pdf")),
        "{disposition}"
    );
    for part in ["0", "x", "3"] {
        let answer = asked(format!("/sign/{id}-0/evidence.json?part={part}")).await;
        assert_eq!(answer.status, 404, "part {part}");
    }
}

#[tokio::test]
async fn of_a_bulk_signature_only_the_folios_that_were_acted_on_have_it() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let folios = [acme.created(folio()).await, acme.created(folio()).await];
    let answer = acme.start_bulk(&folios, &signer("1001")).await;
    let url = url::Url::parse(&answer.at("/data/signProcessMassiveUrl")).unwrap();
    acme.act(&folios[0], FolioAct::Reject(SignerIndex(0))).await;
    let nobody = acme.saying(None);
    let page = nobody.get(&url[url::Position::BeforePath..]).await;
    let cookie = page.header("set-cookie").unwrap().split(';').next().unwrap();
    let bulk = answer.at("/data/massiveId");
    app.prove_cookie(format!("b{bulk}").parse().unwrap(), cookie)
        .await;
    for (folio, status) in [(&folios[0], 200), (&folios[1], 404)] {
        let path = format!("/sign/b{bulk}/evidence.json?folio={folio}");
        let asked = nobody.request(Method::GET, &path).header("cookie", cookie);
        assert_eq!(nobody.send(asked).await.status, status, "{path}");
    }
}
