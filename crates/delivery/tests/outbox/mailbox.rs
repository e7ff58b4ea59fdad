//! Messages of a sandbox, from the act to the built-in mailbox.

use crate::{FIRST, single};
use app::SigningParty;
use domain::SignerIndex;
use domain::event::hex;
use testkit::{TestApp, correction, folio, signer, until};

/// The subjects of the emails to the first signer, oldest first.
fn subjects_to_first(newest_first: Vec<store::Mail>) -> Vec<String> {
    let to_first = newest_first
        .into_iter()
        .rev()
        .filter(|mail| mail.recipient == FIRST);
    to_first.map(|mail| mail.subject).collect()
}

#[tokio::test]
async fn an_invitation_reaches_every_signer_and_the_history_says_so() {
    let app = TestApp::builder().delivering().start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let mail = app.mail_to(FIRST, "le pide su firma").await;
    assert!(mail.subject.starts_with("Acme le pide su firma: "));
    assert!(mail.text.contains("https://firmas.example.com/sign?s="));
    assert!(mail.html.contains("Leer y firmar"));
    let history = until("both deliveries in the history", async || {
        let history = acme.history(&id).await;
        (history.len() == 3).then_some(history)
    });
    let history = history.await;
    for event in &history[1..] {
        let body = event.full_body();
        assert_eq!(body["what"], "delivered");
        assert_eq!(body["who"], "service");
        assert_eq!(body["attempt"], 1);
        assert_eq!(body["template"], "invitation");
    }
    let body = history[1].full_body();
    let mails = app.mailbox().await;
    assert!(
        mails
            .iter()
            .any(|mail| body["message_id"] == mail.message_id.as_str())
    );
}

#[tokio::test]
async fn a_corrected_address_is_notified_in_order() {
    let app = TestApp::builder().delivering().start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    app.mail_to(FIRST, "le pide su firma").await;
    acme.resend(&id, &[correction("1001", "nueva@example.com", "3001234567")])
        .await
        .ok();
    app.mail_to("nueva@example.com", "Recordatorio").await;
    app.mail_to(FIRST, "Cambio de una dirección").await;
    let subjects = subjects_to_first(app.mailbox().await);
    assert_eq!(subjects.len(), 2, "{subjects:?}");
    assert!(subjects[0].contains("le pide su firma"), "{subjects:?}");
}

#[tokio::test]
async fn the_code_of_a_bulk_signature_goes_to_the_address_that_it_was_given() {
    let app = TestApp::builder().delivering().start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    let mut elsewhere = signer("1001");
    elsewhere["email"] = "maria@otra.example.com".into();
    let bulk = acme.start_bulk([&id], &elsewhere).await.at("/data/massiveId");
    let party = SigningParty::Bulk(bulk.parse().unwrap());
    app.ask_for_codes(party).await.unwrap();
    app.mail_to("maria@otra.example.com", "Su código de firma para los documentos")
        .await;
    let to_the_other = |mail: &store::Mail| mail.recipient == FIRST && mail.subject.contains("código");
    assert!(!app.mailbox().await.iter().any(to_the_other));
}

#[tokio::test]
async fn messages_to_one_recipient_come_in_their_order() {
    let app = TestApp::builder().delivering().start().await;
    let acme = app.company("Acme").await;
    for number in 0..60 {
        acme.created(folio().with("folioName", format!("Folio {number:02}")))
            .await;
    }
    let mails = until("all messages", async || {
        let mails = app.mailbox().await;
        (mails.len() == 120).then_some(mails)
    });
    let names = subjects_to_first(mails.await);
    let mut sorted = names.clone();
    sorted.sort();
    assert_eq!(names, sorted);
}

#[tokio::test]
async fn two_instances_send_every_message_once() {
    let app = TestApp::builder().delivering().start().await;
    let other = app.another_instance().await;
    let acme = app.company("Acme").await;
    let there = acme.at(&other);
    for _ in 0..20 {
        tokio::join!(acme.created(folio()), there.created(folio()));
    }
    until("all messages", async || {
        (app.mailbox().await.len() >= 80).then_some(())
    })
    .await;
    let waiting = app.app().store.read(|tx| tx.outbox_age()).await.unwrap();
    assert_eq!((waiting.waiting, waiting.given_up), (0, 0));
    let mut ids: Vec<String> = app
        .mailbox()
        .await
        .into_iter()
        .map(|mail| mail.message_id)
        .collect();
    ids.sort();
    ids.dedup();
    assert_eq!((ids.len(), app.mailbox().await.len()), (80, 80));
}

#[tokio::test]
async fn the_message_to_a_signer_has_the_history_head_of_that_time() {
    let app = TestApp::builder().delivering().start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(single()).await;
    app.send_code(&id, SignerIndex(0)).await;
    let code = app.mail_to(FIRST, "Su código").await.text;
    let code = code.lines().find_map(|line| domain::Code::typed(line.trim()));
    app.give_code(&id, SignerIndex(0), code.unwrap()).await;
    let mail = app.mail_to(FIRST, "Usted firmó").await;
    let line = mail
        .text
        .lines()
        .find_map(|line| line.strip_prefix("Huella del historial: evento "));
    let (number, hash) = line
        .unwrap_or_else(|| panic!("{}", mail.text))
        .split_once(", ")
        .unwrap();
    let history = acme.history(&id).await;
    let event = history.iter().find(|event| event.number.to_string() == number);
    assert_eq!(hex(&event.unwrap().hash), hash);
    assert!(mail.html.contains(hash), "{}", mail.html);
    let completed = history
        .iter()
        .find(|event| event.body.contains("\"completed\""))
        .unwrap();
    assert!(
        completed.number <= number.parse().unwrap(),
        "it covers the signatures"
    );
}
