//! Documents that no folio names are removed in the end, and never one that a folio names.

use app::workers::sweeper::Swept;
use blobs::Blobs;
use bytes::Bytes;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use testkit::{START, TestApp, folio, pdf};

const HOUR: Duration = Duration::from_hours(1);

/// What a client that went away leaves: bytes that were kept, and no row.
async fn orphan(blobs: &Blobs, bytes: Vec<u8>) {
    let mut upload = blobs.upload();
    upload.push(Bytes::from(bytes)).await.unwrap();
    let pending = upload.finish_uninspected().await.unwrap();
    blobs.persist(vec![pending]).await.unwrap();
}

/// Blobs are dated by the storage's clock, so the test's must come after it.
fn after_the_storage(app: &TestApp, span: Duration) {
    #[expect(
        clippy::disallowed_methods,
        reason = "the storage dates its files by the system's clock"
    )]
    let real = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let start = Duration::from_micros(START.as_micros().unsigned_abs());
    app.advance(real.saturating_sub(start) + span);
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
    after_the_storage(&app, HOUR * 23);
    assert_eq!(app.app().sweep_blobs().await.unwrap(), swept(0, 0), "it is young");
    app.advance(HOUR * 2);
    assert_eq!(app.app().sweep_blobs().await.unwrap().marked, 1);
    assert_eq!(
        app.app().sweep_blobs().await.unwrap().removed,
        0,
        "it has an hour"
    );
    app.advance(HOUR * 2);
    assert_eq!(app.app().sweep_blobs().await.unwrap().removed, 1);
    assert_eq!(app.blobs_kept().await, 1);
    let document = acme.document_of(&id).await;
    assert_eq!(acme.download(&document).await.body, pdf::contract());
}

#[tokio::test]
async fn what_a_long_sweep_comes_to_last_has_its_hour_as_well() {
    // One more than are looked at in one step.
    const ORPHANS: usize = 501;
    let app = TestApp::start().await;
    for number in 0..ORPHANS {
        orphan(&app.app().blobs, number.to_be_bytes().to_vec()).await;
    }
    after_the_storage(&app, HOUR * 25);
    let mut sweep = pin!(app.app().sweep_blobs());
    for step in ["what is to be removed", "what there is"] {
        let pending = poll_fn(|context| Poll::Ready(sweep.as_mut().poll(context).is_pending()));
        assert!(pending.await, "it asks {step}");
        // Transactions that were queued before this one have run when it has.
        let nothing = app.app().store.write(|_| Ok::<_, store::Error>(()));
        nothing.await.unwrap();
    }
    app.advance(HOUR * 2);
    assert_eq!(sweep.await.unwrap(), swept(ORPHANS, 0));
    let removed = app.app().sweep_blobs().await.unwrap().removed;
    assert!(removed < ORPHANS, "the last was marked just now");
    app.advance(HOUR * 2);
    let rest = app.app().sweep_blobs().await.unwrap().removed;
    assert_eq!(rest, ORPHANS - removed);
}

#[tokio::test]
async fn an_orphan_that_is_uploaded_again_is_kept() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    orphan(&app.app().blobs, pdf::contract()).await;
    after_the_storage(&app, HOUR * 25);
    assert_eq!(app.app().sweep_blobs().await.unwrap().marked, 1);
    let id = acme.created(folio()).await;
    app.advance(HOUR * 2);
    assert_eq!(app.app().sweep_blobs().await.unwrap(), swept(0, 0));
    let document = acme.document_of(&id).await;
    assert_eq!(acme.download(&document).await.body, pdf::contract());
}

#[tokio::test]
async fn bytes_that_come_again_after_their_removal_are_kept_again() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    orphan(&app.app().blobs, pdf::contract()).await;
    after_the_storage(&app, HOUR * 25);
    app.app().sweep_blobs().await.unwrap();
    app.advance(HOUR * 2);
    assert_eq!(app.app().sweep_blobs().await.unwrap().removed, 1);
    // The blob was just removed, and the create's bytes may have come before that: the create is refused with 503.
    let answer = acme.create(folio()).await;
    answer.refused(503, "El servicio no está disponible en este momento");
    assert_eq!(answer.header("retry-after"), Some("1"));
    app.advance(Duration::from_secs(61));
    let id = acme.created(folio()).await;
    let document = acme.document_of(&id).await;
    assert_eq!(acme.download(&document).await.body, pdf::contract());
}
