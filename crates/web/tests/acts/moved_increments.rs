//! What acts appended to documents, moved from rows to the document storage once a folio is finished.

use crate::test_folio::{ADDRESS, TestFolio, test_folio};
use app::operator::backup::{Faults, IncrementBackup, Manifest, prune, restore, verify};
use app::operator::integrity::{IntegrityReport, check_and_mend, check_integrity};
use app::shared::history_key::open_store;
use app::workers::sweeper::Swept;
use app::{App, Caller, Who};
use blobs::{Blobs, Location};
use domain::Observation;
use reqwest::Method;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use store::Settings;
use testkit::{Company, TestApp, TestResponse, folio, master_key, pdf, signers};

const HOUR: Duration = Duration::from_hours(1);
const ROUND: Duration = Duration::from_hours(24 * 30);

/// A folio that two signers have signed, and that was extended.
pub(crate) async fn signed_and_extended<'a>(company: &Company<'a>, app: &'a TestApp) -> TestFolio<'a> {
    let signed = test_folio(company, app, folio().signers(&signers(2))).await;
    signed.sign(0).await;
    signed.sign(1).await;
    assert_eq!(app.app().extend_due().await.unwrap(), 1);
    signed
}

pub(crate) async fn extend_again(app: &App, signed: TestFolio<'_>) {
    let (id, now) = (signed.folio, app.clock.now());
    let hastened = app.store.write(move |tx| tx.hasten_extensions(&[id], now));
    assert_eq!(hastened.await.unwrap(), [id]);
    assert_eq!(app.extend_due().await.unwrap(), 1);
}

pub(crate) async fn inspect(app: &TestApp) -> IntegrityReport {
    let checked = check_integrity(app.database(), &app.app().store, &app.app().blobs, None);
    checked.await.unwrap()
}

/// As if everything in the storage were two days old, and marks of orphans two hours.
pub(crate) async fn sweep(app: &TestApp) -> Swept {
    #[expect(
        clippy::disallowed_methods,
        reason = "the storage dates its files by the system's clock"
    )]
    let real = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let behind = real.saturating_sub(Duration::from_micros(
        app.app().clock.now().as_micros().unsigned_abs(),
    ));
    app.advance(behind + HOUR * 48);
    let first = app.app().sweep_blobs().await.unwrap();
    app.tamper("UPDATE orphaned_blobs SET orphaned_at = orphaned_at - 7200000000")
        .await;
    let second = app.app().sweep_blobs().await.unwrap();
    Swept {
        marked: first.marked,
        removed: first.removed + second.removed,
    }
}

pub(crate) fn caller(company: &Company<'_>) -> Caller {
    Caller {
        company: company.id,
        who: Who::Key(company.key()),
        name: "Acme".into(),
        address: ADDRESS,
    }
}

async fn part(company: &Company<'_>, document: &str, range: &str) -> TestResponse {
    let path = format!("download?documentId={document}");
    let request = company.request(Method::GET, &path).header("range", range);
    company.send(request).await
}

#[tokio::test]
async fn a_download_is_the_same_before_and_after() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let signed = signed_and_extended(&company, &app).await;
    let document = company.document_of(&signed.folio.to_string()).await;
    let before = company.download(&document).await;
    let upload = pdf::contract().len();
    let parts = [
        (0, 10),
        (upload - 5, upload + 5),
        (upload, upload),
        (upload + 100, before.body.len() - 1),
    ];
    let check = async || {
        for again in 0..2 {
            let now = company.download(&document).await;
            assert!(now.body == before.body, "{again}");
            for name in ["etag", "last-modified", "content-length"] {
                assert_eq!(now.header(name), before.header(name), "{name}");
            }
            for (first, last) in parts {
                let part = part(&company, &document, &format!("bytes={first}-{last}")).await;
                assert_eq!(part.status, 206);
                assert!(part.body == before.body[first..=last], "{first}-{last}");
            }
        }
    };
    check().await;
    assert_eq!(app.app().move_increments().await.unwrap(), 1);
    assert_eq!(app.app().move_increments().await.unwrap(), 0);
    assert_eq!(app.census().await.of("increments"), 0);
    assert_eq!(app.blobs_kept().await, 2, "the upload, and what was appended");
    assert_eq!(app.rows_of("increment_moves").await, [""; 0]);
    check().await;
    let inspected = inspect(&app).await;
    assert_eq!((inspected.documents, inspected.faults), (1, 0), "{inspected:?}");

    // A renewal years later is a row until it is moved to a blob with all the others.
    extend_again(app.app(), signed).await;
    let renewed = company.download(&document).await;
    assert!(renewed.body.starts_with(&before.body) && renewed.body.len() > before.body.len());
    assert_ne!(renewed.header("etag"), before.header("etag"));
    assert_eq!(app.census().await.of("increments"), 1);
    assert_eq!(inspect(&app).await.faults, 0);
    assert_eq!(app.app().move_increments().await.unwrap(), 1);
    assert_eq!(app.census().await.of("increments"), 0);
    assert!(company.download(&document).await.body == renewed.body);
    let straddling = format!("bytes={}-{}", before.body.len() - 9, before.body.len() + 9);
    let straddling = part(&company, &document, &straddling).await;
    assert!(straddling.body == renewed.body[before.body.len() - 9..=before.body.len() + 9]);
    assert_eq!(inspect(&app).await.faults, 0);
    assert_eq!(
        sweep(&app).await,
        Swept {
            marked: 1,
            removed: 1
        },
        "the blob before"
    );
    assert_eq!(app.blobs_kept().await, 2);
    extend_again(app.app(), signed).await;
    let judged = testkit::validate(
        &company.download(&document).await.body,
        app.app().notary.root().as_der(),
    );
    assert_eq!(
        judged.pyhanko, ["valid"; 9],
        "the service, two signers, six timestamps"
    );
}

#[tokio::test]
async fn nothing_moves_before_its_folio_is_finished_and_extended() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let open = test_folio(&company, &app, folio().signers(&signers(2))).await;
    open.sign(0).await;
    let signed = test_folio(&company, &app, folio().signers(&signers(1))).await;
    signed.sign(0).await;
    assert_eq!(app.app().move_increments().await.unwrap(), 0);
    assert_eq!(
        app.census().await.of("increments"),
        4,
        "two sheets, two signatures"
    );

    // One that is cancelled is finished at once, and no folio without a signature has anything to move.
    let unsigned = company.created(folio()).await;
    company
        .cancel([&open.folio.to_string(), &unsigned], "Ya no hace falta firmarlo")
        .await;
    let document = company.document_of(&open.folio.to_string()).await;
    let before = company.download(&document).await.body;
    assert_eq!(app.app().move_increments().await.unwrap(), 1);
    assert_eq!(app.census().await.of("increments"), 2, "those of the other folio");
    assert!(company.download(&document).await.body == before);
    assert_eq!(inspect(&app).await.faults, 0);
}

#[tokio::test]
async fn increments_that_are_damaged_stay_where_they_are() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let signed = signed_and_extended(&company, &app).await;
    let document = company.document_of(&signed.folio.to_string()).await;
    let backup = tempfile::tempdir().unwrap();
    new_copies(&app, backup.path()).await;
    let before = company.download(&document).await.body;
    app.tamper("UPDATE increments SET bytes = <bytes 00ff>").await;
    assert_eq!(app.app().move_increments().await.unwrap(), 1);
    assert!(app.census().await.of("increments") > 0);
    assert_eq!(app.app().move_increments().await.unwrap(), 0, "it was put off");
    let mender = IncrementBackup::open(backup.path()).await.unwrap();
    let (store, blobs) = (&app.app().store, &app.app().blobs);
    let checked = check_and_mend(app.database(), store, blobs, None, Some(&mender)).await;
    assert_eq!(checked.unwrap().mended, 1);
    app.advance(Duration::from_secs(31));
    assert_eq!(app.app().move_increments().await.unwrap(), 1);
    assert_eq!(app.census().await.of("increments"), 0);
    assert!(company.download(&document).await.body == before);
}

#[tokio::test]
async fn an_increment_with_a_flipped_bit_is_not_downloaded() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let open = test_folio(&company, &app, folio().signers(&signers(2))).await;
    open.sign(0).await;
    let document = company.document_of(&open.folio.to_string()).await;
    let whole = app.column("increments", "bytes").await.pop().unwrap().value;
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    let [whole, flipped] = [whole, flipped].map(|bytes| data_encoding::HEXLOWER.encode(&bytes));
    let change = |from: &str, to: &str| {
        format!("UPDATE increments SET bytes = <bytes {to}> WHERE bytes = <bytes {from}>")
    };
    app.tamper(&change(&whole, &flipped)).await;
    let refusal =
        "Se ha producido un error interno, no ha sido posible descargar el documento, inténtelo de nuevo.";
    for _ in 0..2 {
        company.download(&document).await.refused(500, refusal);
        let last = part(&company, &document, "bytes=-9").await;
        last.refused(500, refusal);
    }
    app.tamper(&change(&flipped, &whole)).await;
    assert_eq!(company.download(&document).await.status, 200);
    assert_eq!(part(&company, &document, "bytes=-9").await.status, 206);
}

#[tokio::test]
async fn the_sweeper_keeps_what_a_row_names_until_it_is_erased() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let signed = signed_and_extended(&company, &app).await;
    app.app().move_increments().await.unwrap();
    assert_eq!(sweep(&app).await, Swept::default());
    let document = company.document_of(&signed.folio.to_string()).await;
    assert_eq!(company.download(&document).await.status, 200);

    let caller = caller(&company);
    let reason = || Observation::new("Lo pide el juzgado tercero civil del circuito").unwrap();
    app.app()
        .set_hold(caller.clone(), signed.folio, true, reason())
        .await
        .unwrap();
    let refused = app
        .app()
        .erase_folio(caller.clone(), signed.folio, reason())
        .await;
    assert!(matches!(refused, Err(app::Error::Refused(_))), "{refused:?}");
    assert_eq!(sweep(&app).await, Swept::default());
    app.app()
        .set_hold(caller.clone(), signed.folio, false, reason())
        .await
        .unwrap();
    app.app()
        .erase_folio(caller, signed.folio, reason())
        .await
        .unwrap();
    assert_eq!(
        sweep(&app).await,
        Swept {
            marked: 2,
            removed: 2
        }
    );
    assert_eq!(app.blobs_kept().await, 0);
    assert_eq!(inspect(&app).await.faults, 0);
}

#[tokio::test]
async fn damage_is_found_and_mended_from_a_second_storage_or_a_backup() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let signed = signed_and_extended(&company, &app).await;
    let document = company.document_of(&signed.folio.to_string()).await;
    let before = company.download(&document).await.body;
    let appended = before[pdf::contract().len()..].to_vec();
    let older = tempfile::tempdir().unwrap();
    new_copies(&app, older.path()).await;
    assert_eq!(app.app().move_increments().await.unwrap(), 1);
    let newer = tempfile::tempdir().unwrap();
    new_copies(&app, newer.path()).await;
    let damage = async || {
        let mut other = appended.clone();
        other[100] ^= 1;
        app.replace_document(&appended, &other).await;
        let inspected = inspect(&app).await;
        assert_eq!(inspected.faults, 1, "{inspected:?}");
        assert!(
            inspected.messages[0].contains("what was appended to it: its bytes are not its own"),
            "{inspected:?}"
        );
    };
    let whole = async || {
        assert_eq!(inspect(&app).await.faults, 0);
        assert!(company.download(&document).await.body == before);
    };

    // The scrubber, with the documents of a backup as its second storage.
    damage().await;
    let location = Location::Directory(newer.path().join("documents"));
    let spare = Blobs::open(&location, &newer.path().join("incoming")).unwrap();
    let scrubber = app.app().clone().with_spare_blobs(spare);
    while scrubber.scrub(ROUND).await.unwrap().is_some() {}
    whole().await;

    // What was moved since the backup, it has as rows.
    for backup in [&older, &newer] {
        damage().await;
        let mender = IncrementBackup::open(backup.path()).await.unwrap();
        let (store, blobs) = (&app.app().store, &app.app().blobs);
        let checked = check_and_mend(app.database(), store, blobs, None, Some(&mender)).await;
        let checked = checked.unwrap();
        assert_eq!((checked.faults, checked.mended), (0, 1), "{checked:?}");
        whole().await;
    }
}

/// Takes a backup that lacks nothing. Returns how many copies of what was moved it adds.
async fn new_copies(app: &TestApp, directory: &Path) -> u64 {
    let taken = app.back_up(directory).await;
    assert_eq!(
        (taken.faults, taken.source_faults),
        (Faults::default(), Faults::default())
    );
    taken.copies.new.count
}

#[tokio::test]
async fn a_backup_has_what_was_moved_and_a_restored_installation_goes_on() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let signed = signed_and_extended(&company, &app).await;
    let document = company.document_of(&signed.folio.to_string()).await;
    let backup = tempfile::tempdir().unwrap();
    assert_eq!(new_copies(&app, backup.path()).await, 1);
    assert_eq!(app.app().move_increments().await.unwrap(), 1);
    assert_eq!(
        new_copies(&app, backup.path()).await,
        1,
        "what was moved, and nothing else"
    );
    // A folio whose move is still to come.
    let later = signed_and_extended(&company, &app).await;
    assert_eq!(new_copies(&app, backup.path()).await, 0);
    let before = company.download(&document).await.body;

    let manifest = Manifest::read(backup.path()).unwrap();
    let verified = verify(manifest.clone(), backup.path()).await.unwrap();
    assert_eq!((verified.documents.count, verified.faults.count), (2, 0));
    let far_past = jiff::Timestamp::UNIX_EPOCH;
    assert_eq!(prune(backup.path(), far_past).await.unwrap().documents, 0);
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let database = Settings::Sqlite(at("firmeza.db"));
    let blobs = Blobs::open(&Location::Directory(at("documents")), &at("incoming")).unwrap();
    let restored = restore(manifest, backup.path(), &database, &blobs, false)
        .await
        .unwrap();
    assert_eq!(restored.faults.count, 0);
    let opened = tokio::task::spawn_blocking({
        let database = database.clone();
        move || open_store(&database, master_key()).unwrap()
    });
    let (store, _) = opened.await.unwrap();
    let mut restored = app.app().clone();
    restored.store = store.clone();
    restored.blobs = blobs.clone();
    restored.beat().await.unwrap();
    assert_eq!(
        restored.move_increments().await.unwrap(),
        1,
        "folio {}",
        later.folio
    );
    let inspected = check_integrity(&database, &store, &blobs, None).await.unwrap();
    assert_eq!((inspected.documents, inspected.faults), (2, 0), "{inspected:?}");
    let id = document.parse().unwrap();
    let company_id = company.id;
    let found = store
        .read(move |tx| tx.find_document(company_id, id))
        .await
        .unwrap();
    let store::DocumentLookup::Own(file) = found else {
        panic!("{found:?}");
    };
    let blob = file.appended.expect("it was moved");
    let bytes = blobs
        .read_whole(blobs::BlobId::from_bytes(blob.sha256), blob.size)
        .await
        .unwrap();
    assert!(before.ends_with(&bytes));
}
