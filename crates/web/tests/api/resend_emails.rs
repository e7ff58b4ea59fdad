//! `POST forward_emails`

use crate::UNKNOWN;
use domain::{FolioState, SignerIndex, Template};
use serde_json::json;
use std::fmt::Write;
use std::time::Duration;
use testkit::{FolioAct, Form, TestApp, correction, folio};

const MARIA: &str = "maria.1001@example.com";

#[tokio::test]
async fn a_signer_is_written_to_again_under_the_same_link() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let answer = acme.resend(&id, &[correction("1001", MARIA, "3001234567")]).await;
    insta::assert_snapshot!("resent", answer.shown());
    let last = acme.messages(&id).await.pop().unwrap();
    assert_eq!(
        (last.template, last.recipient.as_str()),
        (Template::Reminder, MARIA)
    );
    assert_eq!(acme.read(&id).await.at("/data/folioData/stateName"), "PENDIENTE");
}

#[tokio::test]
async fn a_corrected_contact_is_stored_and_the_old_address_is_notified() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    app.advance(Duration::from_mins(1));
    acme.resend(
        &id,
        &[correction("1001", "nueva@example.com", "+57 301 000 0000")],
    )
    .await
    .ok();
    let read = acme.read(&id).await;
    assert_eq!(read.at("/data/signers/0/email"), "nueva@example.com");
    assert_eq!(read.at("/data/signers/0/cellPhoneNumber"), "+573010000000");
    assert_eq!(read.at("/data/signers/1/email"), "maria.1002@example.com");
    assert_eq!(read.at("/data/folioData/dateLastUpdate"), "2026-03-02 09:31:00");
    let messages = acme.messages(&id).await;
    let sent: Vec<_> = messages[2..]
        .iter()
        .map(|m| (m.template, m.recipient.as_str()))
        .collect();
    assert_eq!(
        sent,
        [
            (Template::ContactChanged, MARIA),
            (Template::ContactChanged, "+573001234567"),
            (Template::Reminder, "nueva@example.com")
        ]
    );
    let history = acme.history(&id).await;
    let told = history[1].full_body().to_string();
    assert!(told.contains(MARIA) && told.contains("nueva@example.com"));
    assert!(!history[1].body.contains(MARIA), "its text has digests");
}

#[tokio::test]
async fn what_a_resend_does_not_name_stays_as_it_is() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let contact = async || {
        let read = acme.read(&id).await;
        (
            read.at("/data/signers/0/email"),
            read.at("/data/signers/0/cellPhoneNumber"),
        )
    };
    for (correction, email, mobile) in [
        (json!({ "documentNumber": "1001" }), MARIA, "3001234567"),
        (
            json!({ "documentNumber": "1001", "email": "otra@example.com" }),
            "otra@example.com",
            "3001234567",
        ),
        (
            json!({ "documentNumber": "1001", "email": null, "cellPhoneNumber": "3109876543" }),
            "otra@example.com",
            "3109876543",
        ),
        (
            json!({ "documentNumber": "1001", "email": " ", "cellPhoneNumber": "" }),
            "otra@example.com",
            "3109876543",
        ),
    ] {
        acme.resend(&id, std::slice::from_ref(&correction)).await.ok();
        assert_eq!(
            contact().await,
            (email.to_owned(), mobile.to_owned()),
            "{correction}"
        );
    }
    let wrong = json!({ "documentNumber": "1001", "email": "otra" });
    acme.resend(&id, &[wrong])
        .await
        .refused(400, "Invalid parameters");
}

#[tokio::test]
async fn what_cannot_be_resent_is_refused_and_changes_nothing() {
    let app = TestApp::start().await;
    let (acme, globex) = (app.company("Acme").await, app.company("Globex").await);
    let own = acme.created(folio()).await;
    let half = acme.created(folio()).await;
    acme.act(&half, FolioAct::Sign(SignerIndex(0))).await;
    let foreign = globex.created(folio()).await;
    let fine = json!([correction("1001", MARIA, "3001234567")]).to_string();
    let named =
        json!([{ "documentNumber": "1001", "email": MARIA, "cellPhoneNumber": "3001234567", "name": "X" }]);
    let twice = json!([
        correction("1001", MARIA, "3001234567"),
        correction("1001", MARIA, "3001234567")
    ]);
    let stranger = json!([correction("9999", MARIA, "3001234567")]).to_string();
    let url = "https://cliente.example.com";
    let long_url = format!("{url}/{}", "a".repeat(474));
    let before = app.census().await;
    let mut table = String::new();
    for (label, folio, signers, url) in [
        ("another company's folio", foreign.as_str(), fine.as_str(), url),
        ("a folio that is not there", UNKNOWN, &fine, url),
        ("no identifier", "", &fine, url),
        ("a malformed identifier", "x", &fine, url),
        ("no signers", &own, "", url),
        ("an empty list", &own, "[]", url),
        ("not JSON", &own, "[{", url),
        ("an object", &own, "{}", url),
        ("no such signer", &own, &stranger, url),
        ("a signer who has signed", &half, &fine, url),
        ("a name besides", &own, &named.to_string(), url),
        ("a signer twice", &own, &twice.to_string(), url),
        (
            "an email that is none",
            &own,
            &json!([correction("1001", "x", "3001234567")]).to_string(),
            url,
        ),
        (
            "a number as text",
            &own,
            r#"[{"documentNumber":1001,"email":"a@b.co","cellPhoneNumber":"3001234567"}]"#,
            url,
        ),
        ("no return address", &own, &fine, ""),
        ("a return address that is none", &own, &fine, "gracias"),
        ("a return address too long", &own, &fine, &long_url),
    ] {
        let form = [("folioId", folio), ("signers", signers), ("urlReturn", url)];
        let answer = acme.post_form("forward_emails", form).await;
        assert!(answer.json()["error"]["message"].is_string(), "{}", answer.text());
        writeln!(table, "{label}: {} {}", answer.status, answer.message()).unwrap();
    }
    let answer = acme.post_form("forward_emails", Form::new()).await;
    writeln!(table, "nothing: {} {}", answer.status, answer.message()).unwrap();
    insta::assert_snapshot!("resend_refusals", table);
    assert_eq!(app.census().await, before);
}

#[tokio::test]
async fn a_finished_folio_is_not_resent() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    for state in FolioState::ALL.into_iter().filter(|state| state.is_final()) {
        let id = acme.created_in(state, folio()).await;
        let answer = acme.resend(&id, &[correction("1001", MARIA, "3001234567")]).await;
        assert_eq!(answer.status, 400, "{state:?}: {}", answer.text());
    }
}

#[tokio::test]
async fn ten_in_ten_minutes_and_fifty_a_day() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let maria = [correction("1001", MARIA, "3001234567")];
    for _ in 0..5 {
        for _ in 0..10 {
            acme.resend(&id, &maria).await.ok();
        }
        let answer = acme.resend(&id, &maria).await;
        answer.refused(429, "Demasiadas solicitudes");
        let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
        app.advance(Duration::from_secs(wait.min(600)));
    }
    let answer = acme.resend(&id, &maria).await;
    answer.refused(429, "Demasiadas solicitudes");
    let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!(wait > 80_000, "{wait}");
    // Another signer of the folio has turns of its own.
    acme.resend(&id, &[correction("1002", "otra@example.com", "3001234567")])
        .await
        .ok();
    app.advance(Duration::from_secs(wait));
    acme.resend(&id, &maria).await.ok();
}
