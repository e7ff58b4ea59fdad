//! Every route, with every kind of key and every kind of identifier.

use crate::UNKNOWN;
use app::{ApiKey, SystemRandom};
use serde_json::json;
use std::fmt::Write;
use std::time::Duration;
use testkit::{Company, START, TestApp, TestResponse, correction, folio, signer};

pub(crate) const ROUTES: [&str; 13] = [
    "POST sign",
    "GET consult",
    "POST consult (JSON)",
    "POST consult (form)",
    "POST forward_emails",
    "GET download",
    "GET download/",
    "POST download",
    "POST download/",
    "POST cancel",
    "POST massive_sign",
    "GET consult_massive_sign",
    "GET evidence",
];

pub(crate) async fn ask(company: &Company<'_>, route: &str, id: &str) -> TestResponse {
    let list = json!([id]).to_string();
    match route {
        "POST sign" => company.create(folio()).await,
        "GET consult" => company.read(id).await,
        "POST consult (JSON)" => company.read_several(&[id]).await,
        "POST consult (form)" => company.post_form("consult", [("folios", list.as_str())]).await,
        "POST forward_emails" => {
            let maria = correction("1001", "maria.1001@example.com", "3001234567");
            company.resend(id, &[maria]).await
        }
        "GET download" => company.download(id).await,
        "GET download/" => company.get(&format!("download/?documentId={id}")).await,
        "POST download" => company.post_form("download", [("documentId", id)]).await,
        "POST download/" => company.post_form("download/", [("documentId", id)]).await,
        "POST cancel" => company.cancel([id], "Se cancela por error.").await,
        "POST massive_sign" => company.start_bulk([id], &signer("1001")).await,
        "GET consult_massive_sign" => company.read_bulk(id).await,
        "GET evidence" => company.evidence(id).await,
        other => unreachable!("{other}"),
    }
}

/// What the route's identifier names: a new one, of the company.
pub(crate) async fn thing(company: &Company<'_>, route: &str) -> String {
    let folio = company.created(folio()).await;
    if route.contains("download") {
        company.document_of(&folio).await
    } else if route.contains("consult_massive_sign") {
        let started = company.start_bulk([&folio], &signer("1001")).await;
        started.at("/data/massiveId")
    } else {
        folio
    }
}

/// The words, and what the single element of a list says.
fn said(answer: &TestResponse) -> String {
    if answer.header("content-type") == Some("application/pdf") {
        return "(the document)".to_owned();
    }
    let json = answer.json();
    if json["seal"].is_object() {
        return "(the evidence)".to_owned();
    }
    let element = &json["data"][0];
    let element = if element["folioId"].is_string() {
        format!(
            "[{} {}]",
            element["status"],
            element["message"].as_str().unwrap_or_default()
        )
    } else {
        String::new()
    };
    let detail = json["data"]["details"][0]["status"].as_str().unwrap_or_default();
    let said = [answer.message(), element, detail.to_owned()];
    said.into_iter()
        .filter(|s| !s.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[tokio::test]
async fn every_route_with_every_key_and_every_identifier() {
    let app = TestApp::start().await;
    let (acme, globex) = (app.company("Acme").await, app.company("Globex").await);
    let initech = app.company("Initech").await;
    let revoked = acme.showing(&acme.new_key(None).await);
    revoked.revoke().await;
    let expired = acme.showing(&acme.new_key(Some(START.after(Duration::from_secs(1)))).await);
    app.advance(Duration::from_secs(1));
    let wrong = format!("Bearer {}", ApiKey::random(&mut SystemRandom).reveal());
    let keys = [
        ("none", acme.saying(None)),
        ("empty", acme.saying(Some(""))),
        ("malformed", acme.saying(Some("Bearer nonsense"))),
        ("wrong", acme.saying(Some(&wrong))),
        ("revoked", revoked),
        ("expired", expired),
        ("other company's", globex),
        ("own", acme.clone()),
    ];
    let mut table = String::new();
    let mut foreign_folios = Vec::new();
    for route in ROUTES {
        writeln!(table, "{route}").unwrap();
        let (own, foreign) = (thing(&acme, route).await, thing(&initech, route).await);
        for (key, company) in &keys {
            let ids: &[(&str, &str)] = if route == "POST sign" {
                &[("-", "-")]
            } else {
                &[
                    ("own", &own),
                    ("foreign", &foreign),
                    ("unknown", UNKNOWN),
                    ("malformed", "x"),
                ]
            };
            for (id, value) in ids {
                let answer = ask(company, route, value).await;
                let said = said(&answer);
                writeln!(table, "  {key:<16}{id:<10}{} {said}", answer.status).unwrap();
            }
        }
        foreign_folios.push((route, foreign));
    }
    insta::assert_snapshot!("matrix", table);
    let metrics = app.monitoring("/metrics").await.text();
    for operation in web::api::Operation::ALL {
        let asked = format!("operation=\"{}\",status=\"200\"", operation.name());
        assert!(metrics.contains(&asked), "{operation:?} is not in the matrix");
    }
    for (route, id) in foreign_folios.iter().filter(|(route, _)| *route == "POST cancel") {
        let state = initech.read(id).await.at("/data/folioData/stateName");
        assert_eq!(state, "PENDIENTE", "{route}");
    }
}

#[tokio::test]
async fn nothing_but_a_key_opens_an_operation() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let luisa = acme
        .signed_in("luisa@example.com", domain::Role::Administrator)
        .await;
    let mut held = acme.signer_secrets().await;
    held.push(("a panel session", luisa.cookie("firmeza_panel").unwrap()));
    let mut things = Vec::new();
    for route in ROUTES {
        things.push((route, thing(&acme, route).await));
    }
    let before = app.census().await;
    for (what, value) in &held {
        let showing = acme.saying(Some(&format!("Bearer {value}")));
        let keyless = acme.saying(None);
        for (route, id) in &things {
            assert_eq!(ask(&showing, route, id).await.status, 403, "{route} with {what}");
            let (method, path) = route.split_once(' ').unwrap();
            let path = path.split(' ').next().unwrap();
            let path = format!("{path}?folioId={id}&documentId={id}&massiveId={id}");
            let cookies = format!(
                "__Host-firmeza_panel={value}; __Host-firmeza_{}_0={value}",
                &id[..12]
            );
            let request = keyless.request(method.parse().unwrap(), &path);
            let request = request.header("cookie", cookies).header("authorization", value);
            let status = keyless.send(request).await.status;
            assert_eq!(status, 401, "{route} with {what} as a cookie");
        }
    }
    assert_eq!(app.census().await, before);
}
