//! A supervisor's verdict over signed folios, and what happens to finished ones.

use crate::test_folio::test_folio;
use app::evidence::{Fault, check};
use app::{BatchOutcome, Caller, Error};
use domain::{FolioId, Observation, Refusal, Role};
use serde_json::Value;
use sha2::{Digest, Sha256};
use testkit::{Company, TestApp, folio, signers};

async fn supervisor(company: &Company<'_>) -> Caller {
    let person = company
        .signed_in("supervisora@example.com", Role::Supervisor)
        .await;
    let token = person.cookie("firmeza_panel").unwrap();
    let signed = company.app().app().panel_session(&token).await;
    signed.unwrap().unwrap().caller([198, 51, 100, 4].into())
}

fn why() -> Observation {
    Observation::new("Falta la firma del notario.").unwrap()
}

async fn signed(company: &Company<'_>, app: &TestApp) -> FolioId {
    let test_folio = test_folio(company, app, folio().signers(&signers(1))).await;
    test_folio.sign(0).await;
    test_folio.folio
}

async fn last_event(company: &Company<'_>, id: FolioId) -> Value {
    let history = company.history(&id.to_string()).await;
    history.last().unwrap().full_body()
}

#[tokio::test]
async fn several_are_approved_at_once_each_on_its_own() {
    let app = TestApp::start().await;
    let (acme, other) = (app.company("Acme").await, app.company("Other").await);
    let supervisor = supervisor(&acme).await;
    acme.use_approval().await;
    let first = signed(&acme, &app).await;
    let second = signed(&acme, &app).await;
    let pending: FolioId = acme.created(folio()).await.parse().unwrap();
    let theirs = signed(&other, &app).await;
    let nobodys = FolioId::from_bytes([9; 16]);
    let all = vec![first, pending, theirs, nobodys, second];
    let judged = app.app().approve_folios(supervisor.clone(), all).await.unwrap();
    let outcomes: Vec<BatchOutcome> = judged.iter().map(|(_, outcome)| *outcome).collect();
    assert_eq!(
        outcomes,
        [
            BatchOutcome::Done,
            BatchOutcome::Refused(Refusal::NotAwaitingApproval),
            BatchOutcome::Foreign,
            BatchOutcome::Unknown,
            BatchOutcome::Done
        ]
    );
    let event = last_event(&acme, first).await;
    assert_eq!(event["what"], "approved");
    assert_eq!(event["who"], "user");
    assert_eq!(event["email"], "supervisora@example.com");
    assert_eq!(event["address"], "198.51.100.4");
    // The document as it is now, with its signature, and not as it was sent.
    let bytes = acme.download(&acme.document_of(&first.to_string()).await).await;
    let hash: [u8; 32] = Sha256::digest(&bytes.body).into();
    assert_eq!(event["documents"][0]["sha256"], domain::event::hex(&hash));

    let again = app
        .app()
        .approve_folios(supervisor.clone(), vec![first])
        .await
        .unwrap();
    assert_eq!(again[0].1, BatchOutcome::Refused(Refusal::NotAwaitingApproval));
    let foreign = app.app().approve_folios(supervisor, vec![theirs]).await;
    assert!(matches!(foreign, Err(Error::Foreign)), "{foreign:?}");
}

#[tokio::test]
async fn a_rejection_keeps_its_reason_and_the_evidence_has_it() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let supervisor = supervisor(&acme).await;
    acme.use_approval().await;
    let id = signed(&acme, &app).await;
    let judged = app.app().disapprove_folios(supervisor.clone(), vec![id], why());
    assert_eq!(judged.await.unwrap(), [(id, BatchOutcome::Done)]);
    let event = last_event(&acme, id).await;
    assert_eq!(event["observation"], why().as_str());
    let sealed = app.app().evidence(supervisor.into(), id, 1).await.unwrap();
    assert_eq!(sealed.evidence.folio.state, "disapproved");
    let checked = check(sealed.text.as_bytes(), None, &[], app.app().clock.now());
    // The texts of these tests are agreed to by a made-up hash; nothing else is missing.
    let expected = |fault: &Fault| matches!(fault, Fault::ConsentMissing(_));
    assert!(checked.faults.iter().all(expected), "{:?}", checked.faults);
    let report = app.app().evidence_report(&sealed).await.unwrap();
    assert!(report.starts_with(b"%PDF-"));
}

#[tokio::test]
async fn without_approval_nothing_is_approved() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let supervisor = supervisor(&acme).await;
    let id = signed(&acme, &app).await;
    let approved = app.app().approve_folios(supervisor.clone(), vec![id]).await;
    assert!(matches!(approved, Err(Error::NotFound)), "{approved:?}");
    let rejected = app.app().disapprove_folios(supervisor, vec![id], why());
    assert!(matches!(rejected.await, Err(Error::NotFound)));
}

#[tokio::test]
async fn a_finished_folio_is_dropped_and_its_documents_with_it() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let supervisor = supervisor(&acme).await;
    let (done, open) = (signed(&acme, &app).await, acme.created(folio()).await);
    let document = acme.document_of(&done.to_string()).await;
    let both = vec![done, open.parse().unwrap()];
    let dropped = app.app().drop_folios(supervisor, both).await.unwrap();
    assert_eq!(dropped[0].1, BatchOutcome::Done);
    assert_eq!(dropped[1].1, BatchOutcome::Refused(Refusal::NotFinal));
    assert_eq!(acme.download(&document).await.status, 404);
    assert_eq!(last_event(&acme, done).await["what"], "dropped");
}
