//! Documents that no folio names are removed in the end, and never one that a folio names.

use app::operator::storage_owner::{StorageOwnerError, check_storage_owner, claim_storage};
use app::workers::sweeper::{SweepError, Swept};
use blobs::{Blobs, Location};
use bytes::Bytes;
use std::path::Path;
use std::time::Duration;
use store::{MAX_LEASE, Settings, Store};
use testkit::{TestApp, folio, pdf};

const HOUR: Duration = Duration::from_hours(1);

/// What a client that went away leaves: bytes that were kept, and no row.
async fn orphan(blobs: &Blobs, bytes: Vec<u8>) {
    let mut upload = blobs.upload();
    upload.push(Bytes::from(bytes)).await.unwrap();
    let pending = upload.finish_uninspected().await.unwrap();
    blobs.persist(vec![pending]).await.unwrap();
}

/// As if that time had passed by the database's clock, which no test moves.
async fn age_marks(app: &TestApp, span: Duration) {
    let micros = span.as_micros();
    app.tamper(&format!(
        "UPDATE orphaned_blobs SET orphaned_at = orphaned_at - {micros}, removed_at = removed_at - {micros}"
    ))
    .await;
}

fn swept(marked: usize, removed: usize) -> Swept {
    Swept { marked, removed }
}

#[tokio::test]
async fn an_orphan_is_marked_first_and_removed_later() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let id = acme.created(folio()).await;
    orphan(&app.app().blobs, pdf::saying("nadie")).await;
    app.advance_past_storage(HOUR * 23);
    assert_eq!(app.app().sweep_blobs().await.unwrap(), swept(0, 0), "it is young");
    app.advance(HOUR * 2);
    assert_eq!(app.app().sweep_blobs().await.unwrap().marked, 1);
    assert_eq!(
        app.app().sweep_blobs().await.unwrap().removed,
        0,
        "it has an hour"
    );
    age_marks(&app, HOUR * 2).await;
    assert_eq!(app.app().sweep_blobs().await.unwrap().removed, 1);
    assert_eq!(app.blobs_kept().await, 1);
    let document = acme.document_of(&id).await;
    assert_eq!(acme.download(&document).await.body, pdf::contract());
}

#[tokio::test]
async fn an_orphan_that_comes_again_after_its_removal_is_removed_again() {
    let app = TestApp::start().await;
    for _ in 0..2 {
        orphan(&app.app().blobs, pdf::saying("nadie")).await;
        app.advance_past_storage(HOUR * 25);
        assert_eq!(app.app().sweep_blobs().await.unwrap(), swept(1, 0));
        age_marks(&app, HOUR * 2).await;
        assert_eq!(app.app().sweep_blobs().await.unwrap(), swept(1, 1));
        assert_eq!(app.blobs_kept().await, 0);
        // The note of the removal is kept for an hour.
        age_marks(&app, HOUR * 2).await;
    }
}

#[tokio::test]
async fn the_documents_of_a_draft_stay_until_it_is_gone() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", domain::Role::Supervisor).await;
    let id = "0123456789abcdef0123456789abcdef";
    let form = testkit::Form::new().text("csrf", person.csrf().await);
    let form = form.text("once", id).text("do", "save");
    let form = form.file("documents", "borrador.pdf", pdf::saying("borrador"));
    let saved = person.post_form("/panel/folios/new", form).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    app.advance_past_storage(HOUR * 25);
    assert_eq!(
        app.app().sweep_blobs().await.unwrap(),
        swept(0, 0),
        "the draft names it"
    );
    person.sign_in().await;
    let gone = person
        .post(&format!("/panel/folios/drafts/{id}/discard"), &[])
        .await;
    assert_eq!(gone.status, 303);
    assert_eq!(app.app().sweep_blobs().await.unwrap().marked, 1);
    age_marks(&app, HOUR * 2).await;
    assert_eq!(app.app().sweep_blobs().await.unwrap().removed, 1);
    assert_eq!(app.blobs_kept().await, 0);
}

#[tokio::test]
async fn the_documents_of_a_template_stay_and_are_checked_until_it_is_deleted() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme.signed_in("sup@acme.example", domain::Role::Supervisor).await;
    let document = pdf::saying("plantilla");
    let template = person.template("Arriendo", document.clone()).await;
    let drafts = person.get("/panel/folios/new").await.text();
    let draft = drafts.split("/panel/folios/drafts/").nth(1).unwrap();
    let draft = draft.split('/').next().unwrap().to_owned();
    let discard = format!("/panel/folios/drafts/{draft}/discard");
    assert_eq!(person.post(&discard, &[]).await.status, 303);
    app.advance_past_storage(HOUR * 25);
    assert_eq!(
        app.app().sweep_blobs().await.unwrap(),
        swept(0, 0),
        "the template names it"
    );
    person.sign_in().await;

    app.replace_document(&document, &pdf::saying("plantilXX")).await;
    let month = HOUR * 24 * 30;
    while app.app().scrub(month).await.unwrap().is_some() {}
    let metrics = app.monitoring("/metrics").await.text();
    assert!(metrics.contains("firmeza_damaged_documents 1"), "{metrics}");
    app.mend_document(&document).await;
    while app.app().scrub(month).await.unwrap().is_some() {}
    let metrics = app.monitoring("/metrics").await.text();
    assert!(metrics.contains("firmeza_damaged_documents 0"), "{metrics}");

    assert_eq!(person.post(&format!("{template}/delete"), &[]).await.status, 303);
    assert_eq!(app.app().sweep_blobs().await.unwrap().marked, 1);
    age_marks(&app, HOUR * 2).await;
    assert_eq!(app.app().sweep_blobs().await.unwrap().removed, 1);
    assert_eq!(app.blobs_kept().await, 0);
}

#[tokio::test]
async fn what_a_long_sweep_comes_to_last_has_its_hour_as_well() {
    // One more than are looked at in one step.
    const ORPHANS: usize = 501;
    let app = TestApp::start().await;
    for number in 0..ORPHANS {
        orphan(&app.app().blobs, number.to_be_bytes().to_vec()).await;
    }
    app.advance_past_storage(HOUR * 25);
    // So many orphans are refused: they are marked, and nothing is removed yet.
    app.app().sweep_blobs().await.unwrap_err();
    let first = "(SELECT MIN(orphaned_at) FROM orphaned_blobs)";
    app.tamper(&format!(
        "UPDATE orphaned_blobs SET orphaned_at = orphaned_at - 7200000000 WHERE orphaned_at = {first}"
    ))
    .await;
    let removed = app.app().sweep_any_share().await.unwrap().removed;
    assert_eq!(removed, ORPHANS - 1, "those that were marked first");
    age_marks(&app, HOUR * 2).await;
    assert_eq!(app.app().sweep_any_share().await.unwrap().removed, 1);
}

#[tokio::test]
async fn a_clock_that_is_ahead_removes_nothing_before_its_time() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    orphan(&app.app().blobs, pdf::contract()).await;
    app.advance_past_storage(HOUR * 48);
    assert_eq!(app.app().sweep_blobs().await.unwrap(), swept(1, 0));
    app.advance(HOUR * 48);
    assert_eq!(
        app.app().sweep_blobs().await.unwrap().removed,
        0,
        "marks go by the database's clock"
    );
    age_marks(&app, HOUR * 2).await;
    assert_eq!(app.app().sweep_blobs().await.unwrap().removed, 1);
    age_marks(&app, Duration::from_secs(61)).await;
    // And keeps no create from storing the same bytes.
    acme.created(folio()).await;
}

#[tokio::test]
async fn an_orphan_that_is_uploaded_again_is_kept() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    orphan(&app.app().blobs, pdf::contract()).await;
    app.advance_past_storage(HOUR * 25);
    assert_eq!(app.app().sweep_blobs().await.unwrap().marked, 1);
    let id = acme.created(folio()).await;
    age_marks(&app, HOUR * 2).await;
    assert_eq!(app.app().sweep_blobs().await.unwrap(), swept(0, 0));
    let document = acme.document_of(&id).await;
    assert_eq!(acme.download(&document).await.body, pdf::contract());
}

#[tokio::test]
async fn bytes_that_come_again_after_their_removal_are_kept_again() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    orphan(&app.app().blobs, pdf::contract()).await;
    app.advance_past_storage(HOUR * 25);
    app.app().sweep_blobs().await.unwrap();
    age_marks(&app, HOUR * 2).await;
    assert_eq!(app.app().sweep_blobs().await.unwrap().removed, 1);
    // The blob was just removed, and the create's bytes may have come before that: the create is refused with 503.
    let answer = acme.create(folio()).await;
    answer.refused(503, "El servicio no está disponible en este momento");
    assert_eq!(answer.header("retry-after"), Some("1"));
    age_marks(&app, Duration::from_secs(61)).await;
    let id = acme.created(folio()).await;
    let document = acme.document_of(&id).await;
    assert_eq!(acme.download(&document).await.body, pdf::contract());
}

/// The database of another installation, with nothing in it.
async fn empty_database(directory: &Path) -> Store {
    let database = Settings::Sqlite(directory.join("firmeza.db"));
    let opened = tokio::task::spawn_blocking(move || Store::open(&database, None));
    opened.await.unwrap().unwrap()
}

#[tokio::test]
async fn instances_share_one_sweep_an_hour_and_take_it_over_from_the_dead() {
    let app = TestApp::start().await;
    let other = app.another_instance().await;
    orphan(&app.app().blobs, pdf::saying("nadie")).await;
    app.advance_past_storage(HOUR * 25);
    assert_eq!(
        app.app().sweep_if_due(HOUR).await.unwrap(),
        Some(swept(1, 0)),
        "there was none yet"
    );
    let an_hour_later = "UPDATE sweep SET ended_at = ended_at - 3600000000";
    for instance in [&app, &other] {
        let early = instance.app().sweep_if_due(HOUR).await.unwrap();
        assert_eq!(early, None, "one has swept");
    }

    app.tamper(an_hour_later).await;
    age_marks(&app, HOUR * 2).await;
    let heartbeat = other.app().heartbeat.clone();
    let claimed = other.app().store.write(move |tx| {
        let lease = heartbeat.lease(tx, MAX_LEASE)?;
        tx.claim_sweep(&lease, HOUR)
    });
    assert!(claimed.await.unwrap());
    let beside = app.app().sweep_if_due(HOUR).await.unwrap();
    assert_eq!(beside, None, "the other is at it");
    other.kill();
    app.end_other_heartbeats().await;
    let taken_over = app.app().sweep_if_due(HOUR).await.unwrap();
    assert_eq!(taken_over, Some(swept(1, 1)));
    assert_eq!(app.blobs_kept().await, 0);
}

#[tokio::test]
async fn another_installation_removes_nothing() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    acme.created(folio()).await;
    app.advance_past_storage(HOUR * 48);
    let directory = tempfile::tempdir().unwrap();
    let mut other = app.app().clone();
    other.store = empty_database(directory.path()).await;
    let started = check_storage_owner(&other.store, &other.blobs).await;
    assert!(
        matches!(started, Err(StorageOwnerError::Foreign(_))),
        "{started:?}"
    );
    for _ in 0..2 {
        let refused = other.sweep_any_share().await.unwrap_err();
        assert!(
            matches!(refused, SweepError::Owner(StorageOwnerError::Foreign(_))),
            "{refused}"
        );
        app.advance(HOUR * 2);
    }
    assert_eq!(app.blobs_kept().await, 1);
    claim_storage(&other.store, &other.blobs).await.unwrap();
    let refused = app.app().sweep_blobs().await.unwrap_err();
    assert!(
        matches!(refused, SweepError::Owner(StorageOwnerError::Foreign(_))),
        "the storage is the other's now: {refused}"
    );
}

#[tokio::test]
async fn documents_without_an_owner_are_not_taken_by_an_empty_database() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let blobs = Blobs::open(&Location::Directory(at("documents")), &at("incoming")).unwrap();
    orphan(&blobs, pdf::contract()).await;
    let store = empty_database(directory.path()).await;
    let started = check_storage_owner(&store, &blobs).await;
    assert!(
        matches!(started, Err(StorageOwnerError::Unclaimed)),
        "{started:?}"
    );
    claim_storage(&store, &blobs).await.unwrap();
    check_storage_owner(&store, &blobs).await.unwrap();
}

#[tokio::test]
async fn a_fresh_storage_that_was_away_at_the_start_is_claimed_by_the_first_sweep() {
    let app = TestApp::start().await;
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let mut fresh = app.app().clone();
    fresh.blobs = Blobs::open(&Location::Directory(at("documents")), &at("incoming")).unwrap();
    fresh.store = empty_database(directory.path()).await;
    assert_eq!(fresh.sweep_blobs().await.unwrap(), swept(0, 0));
    assert!(fresh.blobs.read_owner_file().await.unwrap().is_some());
    orphan(&fresh.blobs, pdf::contract()).await;
    assert_eq!(fresh.sweep_blobs().await.unwrap(), swept(0, 0), "it is too young");
}

#[tokio::test]
async fn an_older_copy_of_the_database_removes_nothing() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    acme.created(folio()).await;
    orphan(&app.app().blobs, pdf::saying("un folio posterior")).await;
    app.app().sweep_blobs().await.unwrap();
    // The storage saw a folio that this database lacks.
    let blobs = &app.app().blobs;
    let owner = blobs.read_owner_file().await.unwrap().unwrap();
    let mut owner: serde_json::Value = serde_json::from_slice(&owner).unwrap();
    assert!(owner["newestFolio"].is_string(), "{owner}");
    owner["newestFolio"] = "ab".repeat(16).into();
    blobs.write_owner_file(owner.to_string().into()).await.unwrap();
    app.advance_past_storage(HOUR * 48);
    let refused = app.app().sweep_any_share().await.unwrap_err();
    assert!(
        matches!(refused, SweepError::Owner(StorageOwnerError::OlderDatabase(_))),
        "{refused}"
    );
    assert!(
        app.monitoring("/metrics")
            .await
            .text()
            .contains("firmeza_sweep_refused 1")
    );
    claim_storage(&app.app().store, blobs).await.unwrap();
    assert_eq!(app.app().sweep_blobs().await.unwrap().marked, 1);
}

#[tokio::test]
async fn too_many_orphans_are_not_removed() {
    let app = TestApp::start().await;
    for number in 0_u8..11 {
        orphan(&app.app().blobs, vec![number]).await;
    }
    app.advance_past_storage(HOUR * 25);
    for _ in 0..2 {
        let refused = app.app().sweep_blobs().await.unwrap_err();
        let implausible = matches!(
            refused,
            SweepError::Implausible {
                orphans: 11,
                listed: 11
            }
        );
        assert!(implausible, "{refused}");
        age_marks(&app, HOUR * 2).await;
    }
    // Whichever instance swept, all of them say so.
    let other = app.another_instance().await;
    let metrics = other.monitoring("/metrics").await.text();
    assert!(metrics.contains("firmeza_sweep_refused 1"), "{metrics}");
    assert_eq!(app.app().sweep_any_share().await.unwrap().removed, 11);
    let metrics = app.monitoring("/metrics").await.text();
    assert!(metrics.contains("firmeza_swept_documents_total 11"), "{metrics}");
    assert!(metrics.contains("firmeza_sweep_refused 0"), "{metrics}");
}
