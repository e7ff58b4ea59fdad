//! Moves of increments that meet other acts: what a worker has read may be true no more when its blobs are durable.

use crate::moved_increments::{caller, extend_again, inspect, signed_and_extended, sweep};
use crate::test_folio::TestFolio;
use app::App;
use app::workers::sweeper::Swept;
use blobs::PendingBlob;
use domain::{FolioId, Observation};
use std::sync::mpsc;
use std::time::Duration;
use store::{AppendedBlob, FolioQueue, LeasedFolio, MAX_LEASE, MovedIncrements, Settings};
use testkit::{Company, TestApp, until};

/// A worker that has leased a folio, read what was appended to it, and made the blobs durable, but has not named them yet.
struct Stopped<'a> {
    app: &'a App,
    leased: LeasedFolio,
    moved: Vec<MovedIncrements>,
}

impl<'a> Stopped<'a> {
    async fn start(app: &'a App) -> Self {
        let (heartbeat, now) = (app.heartbeat.clone(), app.clock.now());
        let leased = app.store.write(move |tx| {
            let lease = heartbeat.lease(tx, MAX_LEASE)?;
            tx.lease_increment_moves(now, &lease, 1)
        });
        let leased = leased.await.unwrap().remove(0);
        let documents = app.store.read(move |tx| tx.documents_to_move(leased.folio)).await;
        let mut moved = Vec::new();
        for document in documents.unwrap() {
            let pending = PendingBlob::of(document.increments.concat());
            moved.push(MovedIncrements {
                position: document.position,
                current_sha256: document.current_sha256,
                appended: AppendedBlob {
                    sha256: *pending.id().as_bytes(),
                    size: pending.len(),
                    number: document.last_number,
                },
            });
            app.blobs.persist(vec![pending]).await.unwrap();
        }
        Self { app, leased, moved }
    }

    /// Whether it may still name what it has moved.
    async fn name(&self) -> bool {
        let (leased, moved) = (self.leased, self.moved.clone());
        let named = self.app.store.write(move |tx| {
            tx.lock_folios(leased.company, &[leased.id])?;
            tx.name_moved_increments(&leased, &moved)
        });
        match named.await {
            Ok(()) => true,
            Err(store::Error::Stale) => false,
            Err(error) => panic!("{error}"),
        }
    }

    /// Whether it may still put the folio off.
    async fn postpone(&self) -> bool {
        let (leased, now) = (self.leased, self.app.clock.now());
        let postponed = self
            .app
            .store
            .write(move |tx| tx.postpone_folio(FolioQueue::IncrementMoves, &leased, now, now, "away"));
        postponed.await.unwrap()
    }
}

async fn finished(app: &TestApp) -> (Company<'_>, TestFolio<'_>, String) {
    let company = app.company("Acme").await;
    let signed = signed_and_extended(&company, app).await;
    let document = company.document_of(&signed.folio.to_string()).await;
    (company, signed, document)
}

#[tokio::test]
async fn a_worker_that_was_taken_for_dead_names_nothing() {
    let app = TestApp::start().await;
    let (company, _, document) = finished(&app).await;
    let before = company.download(&document).await.body;
    let slow = Stopped::start(app.app()).await;
    let other = app.another_instance().await;
    other.end_other_heartbeats().await;
    let quick = Stopped::start(other.app()).await;
    let rows = async || {
        let moves = app.rows_of("increment_moves").await;
        (
            moves,
            app.rows_of("documents").await,
            app.rows_of("increments").await.len(),
        )
    };
    let untouched = rows().await;
    assert!(!slow.name().await, "the folio is the other's");
    assert!(!slow.postpone().await, "the folio is the other's");
    assert_eq!(rows().await, untouched);
    assert!(quick.name().await);
    assert!(!slow.name().await, "nothing is left to move");
    assert_eq!(app.census().await.of("increments"), 0);
    assert!(company.download(&document).await.body == before);
    assert_eq!(inspect(&app).await.faults, 0);
}

#[tokio::test]
async fn an_erasure_during_a_move_leaves_nothing_behind() {
    let app = TestApp::start().await;
    let (company, signed, _) = finished(&app).await;
    let stopped = Stopped::start(app.app()).await;
    let reason = Observation::new("Lo pide el juzgado tercero civil del circuito").unwrap();
    let erased = app
        .app()
        .erase_folio(caller(&company), signed.folio, reason)
        .await;
    erased.unwrap();
    assert!(!stopped.name().await, "the folio is erased");
    assert!(!stopped.postpone().await, "the folio is erased");
    assert_eq!(app.rows_of("increment_moves").await, [""; 0]);
    let named = "(SELECT appended_sha256 FROM documents WHERE appended_sha256 IS NOT NULL)";
    assert_eq!(app.rows_of(named).await, [""; 0]);
    let swept = Swept {
        marked: 2,
        removed: 2,
    };
    assert_eq!(sweep(&app).await, swept, "the upload, and what was not named");
    assert_eq!(app.blobs_kept().await, 0);
    assert_eq!(inspect(&app).await.faults, 0);
}

#[tokio::test]
async fn what_is_appended_during_a_move_is_moved_at_once_with_the_rest() {
    let app = TestApp::start().await;
    let (company, signed, document) = finished(&app).await;
    let stopped = Stopped::start(app.app()).await;
    extend_again(app.app(), signed).await;
    let before = company.download(&document).await.body;
    let rows = app.census().await.of("increments");
    assert!(!stopped.name().await, "it has not read all");
    assert!(!stopped.postpone().await, "the folio waits for the next worker");
    assert_eq!(app.census().await.of("increments"), rows);
    assert!(company.download(&document).await.body == before);
    assert_eq!(app.app().move_increments().await.unwrap(), 1);
    assert_eq!(app.census().await.of("increments"), 0);
    assert!(company.download(&document).await.body == before);

    // A worker that found nothing to move has not seen what came afterwards.
    app.tamper(
        "INSERT INTO increment_moves (folio, planned_at, due_at, due_set_at) SELECT seq, 0, 0, 0 FROM folios",
    )
    .await;
    let idle = Stopped::start(app.app()).await;
    assert_eq!(idle.moved, []);
    extend_again(app.app(), signed).await;
    assert!(!idle.name().await);
    assert_eq!(app.app().move_increments().await.unwrap(), 1);
    assert_eq!(app.census().await.of("increments"), 0);
    assert_eq!(inspect(&app).await.faults, 0);
}

/// Takes the locks of a create that brings the same bytes, and of an act on the folio, in the order of all writers; in between it
/// waits for the answer.
async fn locks_both(app: &App, blob: [u8; 32], company: &Company<'_>, id: FolioId) -> Locks {
    let (company, store) = (company.id, app.store.clone());
    let ((at_the_mark, marked), (go_on, gone_on)) = (mpsc::channel(), mpsc::channel::<()>());
    let ended = tokio::spawn(async move {
        let locked = store.write(move |tx| {
            assert!(tx.keep_blobs(&[blob], Duration::ZERO)?);
            at_the_mark.send(()).unwrap();
            gone_on.recv().unwrap();
            tx.lock_folios(company, &[id]).map(drop)
        });
        locked.await
    });
    until("the mark is locked", async || marked.try_recv().ok()).await;
    Locks { go_on, ended }
}

struct Locks {
    go_on: mpsc::Sender<()>,
    ended: tokio::task::JoinHandle<Result<(), store::Error>>,
}

#[tokio::test]
async fn a_move_and_an_act_never_wait_for_each_other() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let signed = signed_and_extended(&company, &app).await;
    let (company_id, id) = (company.id, signed.folio);
    let document = app.app().store.read(move |tx| {
        let seq = tx.folios(company_id, &[id])?.remove(0).seq;
        Ok::<_, store::Error>(tx.documents_to_move(seq)?.remove(0))
    });
    let document = document.await.unwrap();
    let blob = *PendingBlob::of(document.increments.concat()).id().as_bytes();
    let marked = app.app().store.write(move |tx| {
        let now = tx.database_clock()?;
        tx.mark_orphans(&[blob], now)
    });
    assert_eq!(marked.await.unwrap(), 1);

    let Locks { go_on, ended } = locks_both(app.app(), blob, &company, signed.folio).await;
    let worker = app.app().clone();
    let moved = tokio::spawn(async move { worker.move_increments().await });
    if matches!(app.database(), Settings::Postgres(_)) {
        let waiting = "(SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database())";
        until("the worker waits for the lock", async || {
            (!app.rows_of(waiting).await.is_empty()).then_some(())
        })
        .await;
    }
    go_on.send(()).unwrap();
    ended.await.unwrap().unwrap();
    assert_eq!(moved.await.unwrap().unwrap(), 1);
    assert_eq!(
        app.census().await.of("increments"),
        0,
        "nothing had to be put off"
    );
}
