//! An attacker with the database, but without the master key, rewrites a history: no evidence of it is sealed.

use crate::test_folio::{TestFolio, test_folio};
use app::SigningParty;
use app::operator::integrity::{check_integrity, check_newest_folios};
use domain::event::{hash_after, hex};
use domain::{FolioId, SignerIndex};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use testkit::{Company, FolioAct, TestApp, folio};

const DAMAGED: &str = "El historial de este folio está dañado: no es el que el servicio escribió. No se entrega evidencia de él.";
const OTHER: &str = "Otra Persona";

/// Renames the first signer everywhere: the digest and the value in the first event, every hash after it, the end of the
/// history, the signer's row, and what the folio shows of it.
async fn rename(app: &TestApp, company: &Company<'_>, id: FolioId) {
    let events = company.history(&id.to_string()).await;
    let named = |column: &str| format!("(SELECT {column} FROM folios WHERE id = <bytes {id}>)");
    let (seq, mut before, mut sql) = (named("seq"), [0; 32], String::new());
    for event in &events {
        let (mut body, mut values) = (event.body.clone(), event.personal.clone());
        if event.number == 1 {
            let digest = Sha256::digest([[7_u8; 16].as_slice(), OTHER.as_bytes()].concat());
            let mut text: Value = serde_json::from_str(&body).unwrap();
            text["signers"][0]["name"] = json!({ "digest": hex(&digest.into()) });
            body = text.to_string();
            let mut list: Vec<Value> = serde_json::from_str(&values).unwrap();
            let name = list.iter_mut().find(|value| value["at"] == "/signers/0/name");
            *name.unwrap() = json!({ "at": "/signers/0/name", "salt": "07".repeat(16), "value": OTHER });
            values = json!(list).to_string();
        }
        before = hash_after(&before, &body);
        let (hash, number) = (hex(&before), event.number);
        write!(
            sql,
            "UPDATE events SET body = '{body}', personal = '{values}', hash = <bytes {hash}>
             WHERE folio = {seq} AND number = {number};"
        )
        .unwrap();
    }
    let head = hex(&before);
    write!(
        sql,
        "UPDATE folios SET history_hash = <bytes {head}> WHERE id = <bytes {id}>;
         UPDATE signers SET name = '{OTHER}' WHERE position = 0 AND folio = {seq};"
    )
    .unwrap();
    app.tamper(&sql).await;
}

async fn signed<'a>(company: &Company<'a>, app: &'a TestApp) -> TestFolio<'a> {
    let test_folio = test_folio(company, app, folio()).await;
    sign(app, test_folio).await;
    test_folio
}

async fn sign(app: &TestApp, test_folio: TestFolio<'_>) {
    let id = test_folio.folio.to_string();
    app.sign_by_email(&id, SignerIndex(0), "maria.1001@example.com")
        .await;
}

async fn faults(app: &TestApp) -> Vec<String> {
    let newest = check_newest_folios(&app.app().store, 10).await.unwrap();
    let all = check_integrity(app.database(), &app.app().store, &app.app().blobs, None).await;
    let all = all.unwrap();
    assert_eq!(newest.messages.len(), all.messages.len(), "{newest:?} {all:?}");
    all.messages
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rewritten_history_with_new_hashes_is_not_sealed() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let whole = signed(&acme, &app).await;
    let forged = signed(&acme, &app).await;
    assert_eq!(faults(&app).await, [""; 0]);
    rename(&app, &acme, forged.folio).await;

    let refused = acme.evidence(&forged.folio.to_string()).await;
    refused.refused(500, DAMAGED);
    let report = acme
        .get(&format!("evidence?folioId={}&format=pdf", forged.folio))
        .await;
    report.refused(500, DAMAGED);
    let party = SigningParty::Signer {
        folio: forged.folio,
        signer_index: SignerIndex(0),
    };
    let own = app
        .app()
        .evidence_for(
            &app.proven_session(party).await,
            forged.folio,
            1,
            domain::Client::default(),
        )
        .await;
    assert!(matches!(own, Err(app::Error::BrokenHistory)), "{own:?}");
    let told = faults(&app).await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].contains(&forged.folio.to_string()) && told[0].contains("not written by the service"),
        "{told:?}"
    );
    let history = acme.history(&forged.folio.to_string()).await;
    let handed_out = |event: &domain::event::ChainedEvent| event.body.contains("evidence_downloaded");
    assert!(!history.iter().any(handed_out), "nothing was handed out");
    let other = acme.evidence(&whole.folio.to_string()).await;
    assert_eq!(
        app::evidence::check(&other.body, None, &[], app.app().clock.now()).faults,
        []
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_that_say_something_else_than_the_history_are_not_sealed() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let of = |id: &str| format!("(SELECT seq FROM folios WHERE id = <bytes {id}>)");
    for (what, fault) in [
        (
            "UPDATE signers SET name = 'Otra' WHERE position = 0 AND folio = ",
            "its signer 1",
        ),
        (
            "UPDATE signers SET email = 'o@x.co' WHERE position = 1 AND folio = ",
            "its signer 2",
        ),
        (
            "UPDATE events SET personal = '[]' WHERE number = 1 AND folio = ",
            "event 1",
        ),
        (
            "UPDATE events SET personal = REPLACE(personal, 'María', 'Marta') WHERE number = 1 AND folio = ",
            "event 1",
        ),
        (
            "UPDATE events SET mac = NULL WHERE number = 2 AND folio = ",
            "its event 2",
        ),
        (
            "UPDATE outbox SET recipient = 'o@x.co', state = 'sent' WHERE folio = ",
            "its messages",
        ),
    ] {
        let id = acme.created(folio()).await;
        acme.resend(
            &id,
            &[testkit::correction("1002", "nueva@example.com", "3001234567")],
        )
        .await
        .ok();
        assert_eq!(acme.evidence(&id).await.status, 200);
        app.tamper(&format!("{what}{}", of(&id))).await;
        acme.evidence(&id).await.refused(500, DAMAGED);
        let newest = check_newest_folios(&app.app().store, 1).await.unwrap();
        assert_eq!(newest.faults, 1, "{what}: {newest:?}");
        assert!(newest.messages[0].contains(fault), "{what}: {newest:?}");
    }
}

#[tokio::test]
async fn a_signers_copy_withholds_what_is_the_others_own() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let test_folio = test_folio(&acme, &app, folio()).await;
    let id = test_folio.folio.to_string();
    acme.resend(
        &id,
        &[testkit::correction("1002", "nueva@example.com", "3007654321")],
    )
    .await
    .ok();
    sign(&app, test_folio).await;
    acme.act(&id, FolioAct::Reject(SignerIndex(1))).await;
    app.tamper("UPDATE outbox SET last_error = '450 nueva@example.com is greylisted' WHERE signer = 1")
        .await;

    let whole = acme.evidence(&id).await.text();
    let copy = async |place: usize| {
        let session = app.proven_session(test_folio.party(place)).await;
        let made = app
            .app()
            .evidence_for(&session, test_folio.folio, 1, domain::Client::default());
        let text = made.await.unwrap().text;
        let checked = app::evidence::check(text.as_bytes(), None, &[], app.app().clock.now());
        assert_eq!(checked.faults, [], "{text}");
        (text, checked)
    };
    let (first, checked) = copy(0).await;
    let reason = "El valor no es el acordado.";
    for secret in [
        "maria.1002@example.com",
        "nueva@example.com",
        "3007654321",
        "\"document_number\":\"1002\"",
        "127.0.0.1",
        reason,
        "greylisted",
        "volver",
    ] {
        assert!(!first.contains(secret), "{secret}: {first}");
    }
    for secret in [
        "maria.1002@example.com",
        "nueva@example.com",
        "127.0.0.1",
        reason,
        "greylisted",
    ] {
        assert!(whole.contains(secret), "the company's has {secret}");
    }
    for own in [
        "maria.1001@example.com",
        "203.0.113.7",
        "María Pérez 1002",
        "n•••a@e•••.com",
    ] {
        assert!(first.contains(own), "{own}: {first}");
    }
    let evidence = checked.evidence.unwrap();
    assert_eq!(evidence.folio.observation, None);
    assert_eq!(evidence.signers[1].email, "n•••a@e•••.com");
    assert_eq!(evidence.signers[1].address, None);
    assert_eq!(evidence.signers[0].email, "maria.1001@example.com");
    let withheld = |at: &str| {
        checked
            .withheld
            .iter()
            .any(|value| value.at == at && !value.erased)
    };
    for at in [
        "/signers/1/email",
        "/signers/1/document_number",
        "/contact/email",
        "/before/mobile",
    ] {
        assert!(withheld(at), "{at}: {:?}", checked.withheld);
    }
    assert!(withheld("/reason") && withheld("/return_url") && withheld("/address"));
    assert!(!withheld("/signers/0/email") && !withheld("/signers/1/name"));

    let (second, _) = copy(1).await;
    assert!(second.contains(reason), "one's own words");
    assert!(second.contains("nueva@example.com"), "{second}");
    for others in ["maria.1001@example.com", "maria.1002@example.com"] {
        assert!(!second.contains(others), "{others} is not theirs: {second}");
    }
}

#[tokio::test]
async fn with_the_database_alone_no_other_file_is_signed() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let one = |text: &str| folio().documents([("contrato.pdf", testkit::pdf::saying(text))]);
    let here = test_folio(&company, &app, one("Lo acordado")).await;
    let other = test_folio(&company, &app, one("Otra cosa")).await;
    let code = here.code(0).await;
    let tip = |folio: domain::FolioId| format!("folio = (SELECT seq FROM folios WHERE id = <bytes {folio}>)");
    let sql = format!(
        "UPDATE signing_states SET prepared = (SELECT prepared FROM signing_states WHERE {}) WHERE {};",
        tip(other.folio),
        tip(here.folio)
    );
    app.tamper(&sql).await;
    let signed = here.try_code(0, code).await;
    assert!(matches!(signed, Err(app::Error::Internal(_))), "{signed:?}");
    let read = company.read(&here.folio.to_string()).await;
    assert_eq!(read.at("/data/signers/0/folioState"), "2");
    other.sign(0).await;
}
