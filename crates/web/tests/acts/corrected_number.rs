//! The number of a person's document, and the name, corrected: in pending and finished folios, under open sessions and bulk
//! signatures, and on a sheet that waits.

use crate::test_folio::{TestFolio, email, test_folio};
use app::signing::sign::Signed;
use app::{Error, SigningParty};
use domain::Channel;
use domain::Role::Administrator;
use testkit::{Company, PanelBrowser, TestApp, attempt, folio, signer, signers};

/// The form of a correction, filled in for the usual signer.
async fn correct(admin: &PanelBrowser<'_>, from: &str, to: &str, only: &str) -> testkit::TestResponse {
    let fields = [
        ("number", from),
        ("folio", only),
        ("document_number", to),
        ("name", "María Peña 1001"),
        ("email", "maria.1001@example.com"),
        ("mobile", "3001234567"),
    ];
    admin.post("/panel/people/correct", &fields).await
}

/// Corrects the usual signer's name alone.
async fn rename(admin: &PanelBrowser<'_>, name: &str) {
    let fields = [
        ("number", "1001"),
        ("folio", ""),
        ("document_number", "1001"),
        ("name", name),
        ("email", "maria.1001@example.com"),
        ("mobile", "3001234567"),
    ];
    let renamed = admin.post("/panel/people/correct", &fields).await;
    assert_eq!(renamed.status, 303, "{}", renamed.text());
}

/// The words of a folio's only document as it is now.
async fn words(company: &Company<'_>, id: &str) -> String {
    let document = company.document_of(id).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("contrato.pdf");
    std::fs::write(&path, company.download(&document).await.body).unwrap();
    let text = std::process::Command::new("pdftotext")
        .args(["-layout".as_ref(), path.as_os_str(), "-".as_ref()])
        .output()
        .unwrap();
    let text = String::from_utf8(text.stdout).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

async fn projected(app: &TestApp) {
    while app.app().project_changes().await.unwrap() > 0 {}
}

async fn number_of(company: &Company<'_>, id: &str) -> String {
    let read = company.read(id).await;
    read.at("/data/signers/0/documentNumber")
}

/// Whether the panel's page of a person with that number lists the folio.
async fn finds(admin: &PanelBrowser<'_>, number: &str, id: &str) -> bool {
    let page = admin.get(&format!("/panel/people?number={number}")).await.text();
    page.contains(&format!("/panel/folios/{id}"))
}

fn assert_verifies(app: &TestApp, evidence: &str) {
    let checked = app::evidence::check(evidence.as_bytes(), None, &[], app.app().clock.now());
    // The signers of these tests agree to a text that does not exist.
    let expected = |fault: &app::evidence::Fault| matches!(fault, app::evidence::Fault::ConsentMissing(_));
    assert!(checked.faults.iter().all(expected), "{:?}", checked.faults);
}

async fn copy_of(folio: &TestFolio<'_>, place: usize) -> String {
    let session = folio.app.proven_session(folio.party(place)).await;
    let made = folio
        .app
        .app()
        .evidence_for(&session, folio.folio, 1, domain::Client::default());
    made.await.unwrap().text
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_corrected_number_ends_codes_and_sessions_and_what_was_signed_still_verifies() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let admin = acme.signed_in("luisa@example.com", Administrator).await;
    let signed = test_folio(&acme, &app, folio().signers(&signers(2))).await;
    signed.sign(0).await;
    signed.sign(1).await;
    let open = test_folio(&acme, &app, folio().signers(&signers(2))).await;
    let session = app.session(open.party(0)).await;
    let code = open.code(0).await;
    let (signed_id, open_id) = (signed.folio.to_string(), open.folio.to_string());
    let before = acme.evidence(&signed_id).await.text();
    let copy_before = copy_of(&signed, 0).await;
    projected(&app).await;

    // The other signer has 1002, with or without dots.
    for taken in ["1002", "1.002"] {
        let refused = correct(&admin, "1001", taken, "").await;
        assert_eq!(refused.status, 422);
        assert!(
            refused.text().contains("otro firmante del folio"),
            "{}",
            refused.text()
        );
    }
    assert_eq!(correct(&admin, "1001", "10/10", "").await.status, 422);
    assert_eq!(number_of(&acme, &open_id).await, "1001", "nothing was corrected");

    let form = [
        ("do", "save"),
        ("name0", "María"),
        ("number0", "10.01"),
        ("name1", "Otra"),
        ("number1", "21001"),
    ];
    let mut unsent = testkit::Form::new().text("csrf", admin.csrf().await);
    for (field, value) in form {
        unsent = unsent.text(field, value.as_bytes());
    }
    assert_eq!(admin.post_form("/panel/folios/new", unsent).await.status, 303);

    let corrected = correct(&admin, "1001", "1010", "").await;
    assert_eq!(corrected.status, 303, "{}", corrected.text());
    assert_eq!(
        corrected.header("location"),
        Some("/panel/people?number=1010&done=corrected")
    );
    let drafts = app.rows_of("folio_drafts").await.join("\n");
    assert!(drafts.contains("1010") && !drafts.contains("10.01"), "{drafts}");
    assert!(drafts.contains("21001"), "another person's: {drafts}");
    let stale = app
        .app()
        .sign_folios(&session, attempt(Channel::Email, code))
        .await;
    assert!(matches!(stale, Err(Error::SessionOver)), "{stale:?}");
    for id in [&signed_id, &open_id] {
        assert_eq!(number_of(&acme, id).await, "1010");
        assert!(finds(&admin, "1010", id).await, "before the projector has run");
        assert!(!finds(&admin, "1001", id).await);
        let page = admin.get(&format!("/panel/folios/{id}")).await.text();
        assert!(page.contains("Antes: 1001, ahora: 1010"), "{page}");
        assert_verifies(&app, &acme.evidence(id).await.text());
    }
    projected(&app).await;
    assert!(finds(&admin, "1010", &open_id).await && !finds(&admin, "1001", &open_id).await);

    // What was handed out before, and what the signers are handed out now: the old number may be another person's.
    for handed_out in [&before, &copy_before] {
        assert_verifies(&app, handed_out);
        assert!(handed_out.contains("\"1001\""), "{handed_out}");
    }
    for place in [0, 1] {
        let copy = copy_of(&signed, place).await;
        assert_verifies(&app, &copy);
        assert!(!copy.contains("\"1001\""), "{copy}");
        assert_eq!(copy.contains("\"1010\""), place == 0, "{copy}");
    }

    // A new code goes where the old one went; the signature has the new number.
    app.advance(std::time::Duration::from_mins(2));
    open.sign(0).await;
    let acts = app.rows_of("audit").await.join("\n");
    assert!(
        acts.contains("person_corrected") && acts.contains(" → "),
        "{acts}"
    );
}

#[tokio::test]
async fn a_bulk_signature_keeps_its_own_contact_when_a_name_or_a_number_is_corrected() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let admin = acme.signed_in("luisa@example.com", Administrator).await;
    let id = acme.created(folio().signers(&signers(1))).await;
    let mut person = signer("1001");
    person["email"] = "nueva@example.com".into();
    let started = acme.start_bulk([&id], &person).await;
    let bulk = SigningParty::Bulk(started.at("/data/massiveId").parse().unwrap());
    let old = app.session(bulk).await;
    projected(&app).await;
    rename(&admin, "María Peña Rojas").await;
    let same = app.app().signing(bulk, Some(&old)).await.unwrap();
    assert!(old.is_of(same.session_generation) && !same.contact_changed);
    assert_eq!(same.codes[0].recipient, "nueva@example.com");
    assert_eq!(correct(&admin, "1001", "1010", &id).await.status, 303);
    let renumbered = app.app().signing(bulk, None).await.unwrap();
    assert!(!old.is_of(renumbered.session_generation) && !renumbered.contact_changed);
    assert_eq!(renumbered.codes[0].recipient, "nueva@example.com");
}

#[tokio::test]
async fn a_sheet_that_waits_is_drawn_again_with_a_corrected_name() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let admin = acme.signed_in("luisa@example.com", Administrator).await;
    let open = test_folio(&acme, &app, folio().signers(&signers(2))).await;
    let id = open.folio.to_string();
    let kept = async || app.census().await.of("increments");
    let code = open.code(0).await;
    assert_eq!(kept().await, 1, "the sheet was drawn with the code");
    projected(&app).await;
    rename(&admin, "María Peña Rojas").await;
    assert_eq!(kept().await, 0);
    // The other signer's code has it drawn again.
    let other = open.code(1).await;
    assert_eq!(kept().await, 1);
    rename(&admin, "María Peña Roa").await;
    assert_eq!(kept().await, 0);

    let signed = open.try_code(0, code).await;
    assert!(matches!(signed, Ok(Signed::Done(_))), "{signed:?}");
    let text = words(&acme, &id).await;
    assert!(text.contains("María Peña Roa"), "{text}");
    for old in ["María Pérez 1001", "María Peña Rojas"] {
        assert!(!text.contains(old), "{old}: {text}");
    }
    // What was signed stays as it is.
    rename(&admin, "María Peña").await;
    assert_eq!(kept().await, 1);
    let signed = open.try_code(1, other).await;
    assert!(matches!(signed, Ok(Signed::Done(_))), "{signed:?}");
    assert!(words(&acme, &id).await.contains("María Peña Roa"));
    let inner = app.app();
    let checked =
        app::operator::integrity::check_integrity(app.database(), &inner.store, &inner.blobs, None).await;
    assert_eq!(checked.unwrap().messages, [""; 0]);
}

#[tokio::test]
async fn a_number_is_corrected_in_one_folio_under_an_open_bulk_signature() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let admin = acme.signed_in("luisa@example.com", Administrator).await;
    let first = acme.created(folio().signers(&signers(1))).await;
    let second = acme.created(folio().signers(&signers(1))).await;
    let started = acme.start_bulk([&first, &second], &signer("1001")).await;
    let bulk = SigningParty::Bulk(started.at("/data/massiveId").parse().unwrap());
    let old = app.session(bulk).await;
    app.ask_for_codes(bulk).await.unwrap();
    let code = app.code_for(&email(0)).await;
    projected(&app).await;

    assert_eq!(correct(&admin, "1001", "1010", &first).await.status, 303);
    assert_eq!(number_of(&acme, &first).await, "1010");
    assert_eq!(
        number_of(&acme, &second).await,
        "1001",
        "another person's, perhaps"
    );
    let stale = app.app().sign_folios(&old, attempt(Channel::Email, code)).await;
    assert!(matches!(stale, Err(Error::SessionOver)), "{stale:?}");
    app.advance(std::time::Duration::from_mins(2));
    app.ask_for_codes(bulk).await.unwrap();
    let code = app.code_for(&email(0)).await;
    let signed = app.sign_as(bulk, attempt(Channel::Email, code)).await;
    assert!(matches!(signed, Ok(Signed::Done(_))), "{signed:?}");
    for id in [&first, &second] {
        assert_eq!(acme.read(id).await.at("/data/signers/0/folioState"), "1");
        assert_verifies(&app, &acme.evidence(id).await.text());
    }
}
