//! `POST consult`

use crate::UNKNOWN;
use serde_json::json;
use testkit::{Form, TestApp, folio};

const FORMAT: &str = "El cuerpo de la solicitud no cumple el formato esperado.";

#[tokio::test]
async fn each_folio_is_answered_on_its_own_in_the_order_asked_for() {
    let app = TestApp::start().await;
    let (acme, globex) = (app.company("Acme").await, app.company("Globex").await);
    let one = acme.created(folio().with("folioName", "Uno")).await;
    let two = acme.created(folio().with("folioName", "Dos")).await;
    let foreign = globex.created(folio()).await;
    let asked = [two.as_str(), &foreign, UNKNOWN, &one, "malformed", &two];
    let answer = acme.read_several(&asked).await;
    insta::assert_snapshot!("several_folios", answer.shown());
    let elements = answer.ok()["data"].clone();
    let answered: Vec<_> = elements
        .as_array()
        .unwrap()
        .iter()
        .map(|e| &e["folioId"])
        .collect();
    assert_eq!(answered, asked);
    assert_eq!(elements[0], elements[5]);
    assert_eq!(elements[3]["data"], acme.read(&one).await.json()["data"]);
}

#[tokio::test]
async fn the_form_answers_as_json_does() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let asked = [acme.created(folio()).await, UNKNOWN.to_owned()];
    let folios = json!(asked).to_string();
    let by_form = acme.post_form("consult", [("folios", folios.as_str())]).await;
    assert_eq!(by_form.ok(), acme.read_several(&asked).await.ok());
}

#[tokio::test]
async fn a_thousand_at_once_and_no_more() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let own = acme.created(folio()).await;
    let mut asked = vec![UNKNOWN.to_owned(); 999];
    asked.push(own);
    let answer = acme.read_several(&asked).await.ok();
    assert_eq!(answer["data"].as_array().unwrap().len(), 1000);
    assert_eq!(answer["data"][999]["success"], true);
    let folios = json!(asked).to_string();
    acme.post_form("consult", [("folios", folios.as_str())])
        .await
        .ok();
    asked.push(UNKNOWN.to_owned());
    acme.read_several(&asked).await.refused(400, FORMAT);
}

#[tokio::test]
async fn fifty_different_folios_come_with_all_that_belongs_to_them() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let mut asked = Vec::new();
    for number in 0..50 {
        asked.push(
            acme.created(folio().with("folioName", format!("Folio {number}")))
                .await,
        );
    }
    asked.reverse();
    let answer = acme.read_several(&asked).await.ok();
    for (place, element) in answer["data"].as_array().unwrap().iter().enumerate() {
        let data = &element["data"];
        assert_eq!(data["folioData"]["name"], format!("Folio {}", 49 - place));
        assert_eq!(data["signers"].as_array().unwrap().len(), 2);
        assert_eq!(data["documents"].as_array().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn what_is_no_list_of_identifiers_is_refused() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    for body in [
        "",
        "{",
        "[]",
        "null",
        r#"{"folioId":[]}"#,
        r#"{"folioId":"x"}"#,
        r#"{"folioId":[1]}"#,
        r#"{"folioId":[null]}"#,
        r#"{"folios":["x"]}"#,
        r#"{"folioId":["x"]} trailing"#,
        r#"{"folioId":["x"],"folioId":["x"]}"#,
        r#"{"folioId":["x"],"other":{"a":1,"a":2}}"#,
    ] {
        let answer = acme.post("consult", "application/json", body).await;
        answer.refused(400, FORMAT);
    }
    for form in [
        Form::new(),
        Form::new().text("folios", "x"),
        Form::new().text("folios", "[1]"),
        Form::new().text("folioId", format!("[\"{UNKNOWN}\"]")),
        Form::new().text("folios", "[\"a\"]").text("folios", "[\"a\"]"),
    ] {
        acme.post_form("consult", form).await.refused(400, FORMAT);
    }
    acme.post(
        "consult",
        "text/plain",
        format!("{{\"folioId\":[\"{UNKNOWN}\"]}}"),
    )
    .await
    .refused(400, FORMAT);
}
