//! Documents that lost bits are noticed before anyone asks for them, and mended where another storage has them.

use app::App;
use blobs::{Blobs, Location};
use domain::InstanceId;
use std::time::Duration;
use store::{Lease, MAX_LEASE};
use testkit::{TestApp, folio, pdf};

const ROUND: Duration = Duration::from_hours(24 * 30);

/// Checks what is due; the number of pages that were read.
async fn scrub(app: &App) -> usize {
    let mut pages = 0;
    while app.scrub(ROUND).await.unwrap().is_some() {
        pages += 1;
    }
    pages
}

async fn metrics(app: &TestApp) -> String {
    app.monitoring("/metrics").await.text()
}

#[tokio::test]
async fn damage_is_found_told_and_forgotten_once_it_is_mended() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let documents: Vec<Vec<u8>> = (0..20)
        .map(|number| pdf::saying(&format!("contrato {number:02}")))
        .collect();
    for document in &documents {
        let fields = folio().documents([("contrato.pdf", document.clone())]);
        acme.created(fields).await;
    }
    app.replace_document(&documents[17], &pdf::saying("contrato XX"))
        .await;
    assert_eq!(scrub(app.app()).await, 2, "a page has 16 documents");
    let text = metrics(&app).await;
    assert!(text.contains("firmeza_damaged_documents 1"), "{text}");
    assert!(
        !text.contains("firmeza_scrub_finished_timestamp_seconds 0"),
        "{text}"
    );

    app.mend_document(&documents[17]).await;
    assert_eq!(scrub(app.app()).await, 0, "the next round has just begun");
    let text = metrics(&app).await;
    assert!(text.contains("firmeza_damaged_documents 0"), "{text}");
}

#[tokio::test]
async fn a_round_takes_its_time_and_goes_on_where_it_stopped() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    for number in 0..10 {
        let document = pdf::saying(&format!("contrato {number}"));
        acme.created(folio().documents([("contrato.pdf", document)]))
            .await;
    }
    scrub(app.app()).await;
    let claim = async |by: InstanceId| {
        let now = app.app().clock.now();
        let claimed = app.app().store.write(move |tx| {
            let lease = Lease::new(by, tx.database_clock()?, MAX_LEASE);
            Ok::<_, store::Error>((lease, tx.claim_scrub(&lease, now)?))
        });
        claimed.await.unwrap()
    };
    let (this, dead) = (app.app().heartbeat.instance, InstanceId::from_bytes([9; 16]));
    // A tenth of the documents in a tenth of the time.
    for checked in [1, 3, 5] {
        app.advance(ROUND / 10);
        assert_eq!(scrub(app.app()).await, 1);
        let (lease, round) = claim(this).await;
        assert_eq!(round.expect("no instance is at it").checked, checked);
        // Its heartbeat lasts, whatever its clock shows.
        app.advance(Duration::from_hours(1));
        assert_eq!(claim(dead).await.1, None, "it is leased");
        assert_eq!(scrub(app.app()).await, 0, "another is at it");
        let released = app.app().store.write(move |tx| tx.release_scrub(&lease));
        released.await.unwrap();

        // An instance without a heartbeat is dead: the lease that it took is free, and what it notes later is too late.
        let (lease, round) = claim(dead).await;
        let place = round.unwrap().place;
        app.advance(ROUND / 10);
        assert_eq!(scrub(app.app()).await, 1);
        let late = app.app().store.write(move |tx| {
            tx.advance_scrub(&lease, place, 100)?;
            tx.finish_scrub_round(&lease, lease.now)
        });
        late.await.unwrap();
        let (lease, round) = claim(this).await;
        assert_eq!(round.unwrap().checked, checked + 1);
        let released = app.app().store.write(move |tx| tx.release_scrub(&lease));
        released.await.unwrap();
    }
}

/// Until the first round has ended, nothing else tells that it is stuck.
#[tokio::test]
async fn it_is_known_when_the_first_round_began() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    acme.created(folio()).await;
    let text = metrics(&app).await;
    assert!(
        text.contains("firmeza_scrub_started_timestamp_seconds 0\n"),
        "{text}"
    );
    let began = app.app().clock.now().as_micros() / 1_000_000;
    assert!(app.app().scrub(ROUND).await.unwrap().is_some());
    app.advance(ROUND / 10);
    let text = metrics(&app).await;
    let started = format!("firmeza_scrub_started_timestamp_seconds {began}\n");
    assert!(text.contains(&started), "{text}");
    assert!(
        text.contains("firmeza_scrub_finished_timestamp_seconds 0\n"),
        "{text}"
    );
    assert_eq!(app.app().scrub(ROUND).await.unwrap(), None);
    let next = app.app().clock.now().as_micros() / 1_000_000;
    let text = metrics(&app).await;
    for metric in ["started", "finished"] {
        let line = format!("firmeza_scrub_{metric}_timestamp_seconds {next}\n");
        assert!(text.contains(&line), "{text}");
    }
}

#[tokio::test]
async fn a_round_expects_as_many_documents_as_the_one_before_checked() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    for number in 0..3 {
        let document = pdf::saying(&format!("contrato {number}"));
        acme.created(folio().documents([("contrato.pdf", document)]))
            .await;
    }
    assert!(app.app().scrub(ROUND).await.unwrap().is_some());
    // To find out how many are left at the end of the round, all of them would have to be read.
    app.tamper("UPDATE documents SET erased = 1 WHERE folio = 1")
        .await;
    assert_eq!(app.app().scrub(ROUND).await.unwrap(), None);
    let (by, now) = (app.app().heartbeat.instance, app.app().clock.now());
    let claimed = app.app().store.write(move |tx| {
        let lease = Lease::new(by, tx.database_clock()?, MAX_LEASE);
        tx.claim_scrub(&lease, now)
    });
    let round = claimed.await.unwrap().expect("no instance is at it");
    assert_eq!((round.documents, round.checked), (3, 0));
}

#[tokio::test]
async fn the_file_of_a_repaired_document_as_it_was_sent_is_checked_too() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let sent = [b"\xef\xbb\xbf", pdf::contract().as_slice()].concat();
    acme.created(folio().documents([("marca.pdf", sent.clone())]))
        .await;
    app.replace_document(&sent, &pdf::contract()).await;
    scrub(app.app()).await;
    let text = metrics(&app).await;
    assert!(text.contains("firmeza_damaged_documents 1"), "{text}");
}

#[tokio::test]
async fn a_damaged_document_is_mended_from_the_other_storage() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let [contract, other, lost] = ["Pago cien pesos", "Pago diez pesos", "Pago once pesos"].map(pdf::saying);
    for document in [&contract, &lost] {
        let fields = folio().documents([("contrato.pdf", document.clone())]);
        acme.created(fields).await;
    }
    let directory = tempfile::tempdir().unwrap();
    let location = Location::Directory(directory.path().join("documents"));
    let spare = Blobs::open(&location, &directory.path().join("incoming")).unwrap();
    let mut upload = spare.upload();
    upload.push(contract.clone().into()).await.unwrap();
    let copy = upload.finish_uninspected().await.unwrap();
    spare.persist(vec![copy]).await.unwrap();

    app.replace_document(&contract, &other).await;
    app.replace_document(&lost, &other).await;
    let with_spare = app.app().clone().with_spare_blobs(spare);
    scrub(&with_spare).await;
    let text = metrics(&app).await;
    assert!(text.contains("firmeza_damaged_documents 1"), "{text}");
    let checked =
        app::operator::integrity::check_integrity(app.database(), &app.app().store, &app.app().blobs, None);
    let checked = checked.await.unwrap();
    assert_eq!(checked.faults, 1, "the other storage has only one: {checked:?}");
}
