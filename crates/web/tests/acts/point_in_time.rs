//! A database that is brought back to a moment, beside documents that are newer, older, or partly removed.

use crate::moved_increments::{extend_again, signed_and_extended, sweep};
use app::operator::integrity::check_integrity;
use app::operator::storage_owner::{StorageOwnerError, claim_storage};
use app::shared::history_key::open_store;
use app::workers::sweeper::{SweepError, Swept};
use blobs::{Blobs, Location, PendingBlob};
use parts::Postgres;
use std::path::Path;
use store::{Settings, Store};
use testkit::{TestApp, folio, master_key};

async fn put(blobs: &Blobs, objects: &[Vec<u8>]) {
    for bytes in objects {
        let blob = PendingBlob::of(bytes.clone());
        blobs.persist(vec![blob]).await.unwrap();
    }
}

/// Another storage with these documents.
async fn copy(objects: &[Vec<u8>], to: &Path) -> Blobs {
    let location = Location::Directory(to.join("documents"));
    let blobs = Blobs::open(&location, &to.join("incoming")).unwrap();
    put(&blobs, objects).await;
    blobs
}

/// How many documents a database names, and how many of them the storage lacks or has damaged.
async fn found(database: &Settings, store: &Store, blobs: &Blobs) -> (u64, u64) {
    let found = check_integrity(database, store, blobs, None).await.unwrap();
    let is_appended = |message: &String| message.contains("what was appended to it");
    assert!(found.messages.iter().all(is_appended), "{found:?}");
    (found.documents, found.faults)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_brought_back_finds_what_was_appended_where_nothing_is_older_or_removed() {
    let primary = tokio::task::spawn_blocking(|| Postgres::start_archiving().unwrap());
    let primary = primary.await.unwrap();
    let url = primary.create_database("kept").unwrap();
    let app = TestApp::builder().database(url).start().await;
    let acme = app.company("Acme").await;
    signed_and_extended(&acme, &app).await;
    let renewed = signed_and_extended(&acme, &app).await;
    let older = app.stored_objects().await;
    let mut recovered = Postgres::base_backup_of(&primary).unwrap();
    // The archived log has these moves, and the base backup has not.
    assert_eq!(app.app().move_increments().await.unwrap(), 2);
    signed_and_extended(&acme, &app).await;
    let moment = primary.query("SELECT clock_timestamp()").unwrap();

    assert_eq!(
        app.app().move_increments().await.unwrap(),
        1,
        "its rows are deleted"
    );
    extend_again(app.app(), renewed).await;
    assert_eq!(app.app().move_increments().await.unwrap(), 1, "into another blob");
    acme.created(folio()).await;
    let kept = app.stored_objects().await;
    let (marked, removed) = (1, 1);
    assert_eq!(sweep(&app).await, Swept { marked, removed });
    primary.archive_log().unwrap();
    recovered.recover(&primary, moment.trim()).unwrap();

    let database = Settings::Postgres(recovered.url().replace("/postgres", "/kept"));
    let opened = tokio::task::spawn_blocking({
        let database = database.clone();
        move || open_store(&database, master_key()).unwrap()
    });
    let (store, _) = opened.await.unwrap();
    let directory = tempfile::tempdir().unwrap();
    let older = copy(&older, directory.path()).await;
    let lacking = found(&database, &store, &older).await;
    assert_eq!(lacking, (3, 2), "an older copy lacks what was moved since");
    let blobs = &app.app().blobs;
    let lacking = found(&database, &store, blobs).await;
    assert_eq!(lacking, (3, 1), "the sweeper removed what the renewal replaced");
    put(blobs, &kept).await;
    assert_eq!(found(&database, &store, blobs).await, (3, 0));

    // The service on that database goes on.
    let mut restored = app.app().clone();
    restored.store = store.clone();
    restored.beat().await.unwrap();
    let objects = app.blobs_kept().await;
    assert_eq!(
        restored.move_increments().await.unwrap(),
        1,
        "they are rows again"
    );
    assert_eq!(app.blobs_kept().await, objects, "moved to the same name");
    assert_eq!(found(&database, &store, blobs).await, (3, 0));
    let refused = restored.sweep_blobs().await;
    assert!(
        matches!(
            refused,
            Err(SweepError::Owner(StorageOwnerError::OlderDatabase(_)))
        ),
        "{refused:?}"
    );
    claim_storage(&store, blobs).await.unwrap();
    let swept = restored.sweep_blobs().await.unwrap();
    assert_eq!(swept.marked, 1, "what the renewal wrote");
}
