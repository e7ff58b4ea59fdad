//! `POST cancel`

use crate::UNKNOWN;
use domain::{FolioState, SignerIndex, Template};
use serde_json::json;
use std::fmt::Write;
use testkit::{FolioAct, Form, TestApp, folio, redacted};

const WHY: &str = "El cliente desistió.";

#[tokio::test]
async fn a_pending_folio_is_cancelled_for_good() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    app.advance(std::time::Duration::from_secs(90));
    insta::assert_snapshot!("cancelled", acme.cancel([&id], WHY).await.shown());
    insta::assert_snapshot!("cancelled_again", acme.cancel([&id], WHY).await.shown());
    let read = acme.read(&id).await;
    assert_eq!(read.at("/data/folioData/observation"), WHY);
    assert_eq!(read.at("/data/folioData/dateLastUpdate"), "2026-03-02 09:31:30");
    let messages = acme.messages(&id).await;
    let notices: Vec<_> = messages
        .iter()
        .filter(|m| m.template == Template::Cancelled)
        .map(|m| m.recipient.as_str())
        .collect();
    assert_eq!(notices, ["maria.1001@example.com", "maria.1002@example.com"]);
}

#[tokio::test]
async fn each_folio_of_a_list_is_judged_on_its_own() {
    let app = TestApp::start().await;
    let (acme, globex) = (app.company("Acme").await, app.company("Globex").await);
    let mut list = vec![globex.created(folio()).await, UNKNOWN.to_owned()];
    for state in FolioState::ALL {
        list.push(acme.created_in(state, folio()).await);
    }
    let half = acme.created(folio()).await;
    acme.act(&half, FolioAct::Sign(SignerIndex(0))).await;
    list.push(half);
    let answer = acme.cancel(&list, WHY).await;
    insta::assert_snapshot!("mixed_cancel", answer.shown());
    assert_eq!(
        globex.read(&list[0]).await.at("/data/folioData/stateName"),
        "PENDIENTE"
    );
}

#[tokio::test]
async fn a_folio_named_twice_counts_once() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let answer = acme.cancel([&id, &id], WHY).await.ok();
    assert_eq!(answer["data"]["cancelledFolios"], 1);
    assert_eq!(answer["data"]["details"].as_array().unwrap().len(), 1);
    assert_eq!(acme.history(&id).await.len(), 2);
}

#[tokio::test]
async fn fifty_at_once_and_no_more() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let mut ids = Vec::new();
    for _ in 0..50 {
        ids.push(acme.created(folio()).await);
    }
    let one_more = ids.iter().cloned().chain([UNKNOWN.to_owned()]);
    acme.cancel(one_more, WHY)
        .await
        .refused(400, "El parámetro (folios) no puede tener más de 50 elementos.");
    let answer = acme.cancel(&ids, WHY).await.ok();
    assert_eq!(answer["data"]["cancelledFolios"], 50);
}

#[tokio::test]
async fn when_all_are_foreign_the_whole_is_denied() {
    let app = TestApp::start().await;
    let (acme, globex) = (app.company("Acme").await, app.company("Globex").await);
    let foreign = [globex.created(folio()).await, globex.created(folio()).await];
    let denied = "Acceso denegado. No tiene permisos para cancelar uno o más folios.";
    acme.cancel(&foreign, WHY).await.refused(403, denied);
    assert_eq!(acme.cancel([UNKNOWN], WHY).await.status, 200);
}

#[tokio::test]
async fn what_is_no_cancel_is_refused() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let own = acme.created(folio()).await;
    let list = json!([own]).to_string();
    let (short, long) = ("123456789", "á".repeat(501));
    let mut table = String::new();
    for (label, form) in [
        ("nothing", Form::new()),
        ("no observation", Form::new().text("folios", &list)),
        ("no folios", Form::new().text("observation", WHY)),
        ("an empty list", [("folios", "[]"), ("observation", WHY)].into()),
        (
            "blanks",
            [("folios", list.as_str()), ("observation", "            ")].into(),
        ),
        (
            "nine characters",
            [("folios", list.as_str()), ("observation", short)].into(),
        ),
        (
            "501 characters",
            [("folios", list.as_str()), ("observation", &long)].into(),
        ),
        ("not JSON", [("folios", "["), ("observation", WHY)].into()),
        ("one text", [("folios", "\"x\""), ("observation", WHY)].into()),
        ("numbers", [("folios", "[1]"), ("observation", WHY)].into()),
        ("malformed", [("folios", "[\"x\"]"), ("observation", WHY)].into()),
        (
            "folios twice",
            Form::new()
                .text("folios", &list)
                .text("folios", &list)
                .text("observation", WHY),
        ),
    ] {
        let answer = acme.post_form("cancel", form).await;
        writeln!(table, "{label}: {} {}", answer.status, answer.message()).unwrap();
    }
    insta::assert_snapshot!("cancel_refusals", redacted(&table));
    assert_eq!(acme.history(&own).await.len(), 1);
}

#[tokio::test]
async fn of_racing_cancels_exactly_one_wins() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let answers = futures_util::future::join_all((0..8).map(|_| acme.cancel([&id], WHY))).await;
    let won = answers
        .iter()
        .filter(|answer| answer.ok()["success"] == true)
        .count();
    assert_eq!(won, 1);
    assert_eq!(acme.history(&id).await.len(), 2);
}

#[tokio::test]
async fn a_text_that_is_no_identifier_fails_alone() {
    let app = TestApp::start().await;
    let (acme, globex) = (app.company("Acme").await, app.company("Globex").await);
    let (own, foreign) = (acme.created(folio()).await, globex.created(folio()).await);
    let details = async |list: &[&str]| {
        let answer = acme.cancel(list, "Se cancela por error.").await.ok();
        let detail = |detail: &serde_json::Value| (detail["folioId"].clone(), detail["status"].clone());
        let details: Vec<_> = answer["data"]["details"]
            .as_array()
            .unwrap()
            .iter()
            .map(detail)
            .collect();
        (answer["success"].as_bool().unwrap(), json!(details))
    };
    let none = json!([["no es un folio", "FAILED"], [foreign, "FAILED"]]);
    assert_eq!(details(&["no es un folio", &foreign]).await, (false, none));
    let all = json!([["", "FAILED"], [own, "CANCELLED"], ["a", "FAILED"]]);
    assert_eq!(details(&["", &own, "a", "a", &own]).await, (true, all));
    assert_eq!(details(&["a"]).await, (false, json!([["a", "FAILED"]])));
}

#[tokio::test]
async fn about_a_quiet_folio_only_signers_who_know_of_it_are_told() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let quiet = || folio().with("sendEmail", "false");
    let unknown = acme.created(quiet()).await;
    let resent = acme.created(quiet()).await;
    acme.resend(&resent, &[json!({ "documentNumber": "1002" })])
        .await
        .ok();
    let opened = acme.created(quiet()).await;
    app.send_code(&opened, SignerIndex(0)).await;
    acme.cancel([&unknown, &resent, &opened], "Se cancela por error.")
        .await
        .ok();
    let told = async |id: &str| -> Vec<String> {
        let messages = acme.messages(id).await.into_iter();
        let notices = messages.filter(|message| message.template == Template::Cancelled);
        notices.map(|message| message.recipient).collect()
    };
    assert_eq!(told(&unknown).await, Vec::<String>::new());
    assert_eq!(told(&resent).await, ["maria.1002@example.com"]);
    assert_eq!(told(&opened).await, ["maria.1001@example.com"]);
}
