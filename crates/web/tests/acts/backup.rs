//! A backup taken while people create and sign is whole, and goes into either engine.

use crate::repaired_documents::sloppy;
use crate::test_folio::{ADDRESS, email, test_folio};
use app::operator::backup::{
    BackupError, IncrementBackup, Manifest, Page, Pruned, Restored, prune, restore, verify,
};
use app::operator::integrity::{IntegrityReport, check_and_mend, check_integrity};
use app::operator::keys::KeyRequest;
use app::shared::history_key::open_store;
use app::{Access, App, Clock, MasterKey, Notary, NotarySettings, Policy};
use blobs::{Blobs, Location};
use domain::Role::Administrator;
use domain::{Actor, FolioState, Observation, Origin, Permission, SignerIndex};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use store::Settings;
use testkit::{Company, TestApp, folio, master_key, pdf, signer, until};

/// An installation without anything.
struct Bare {
    directory: tempfile::TempDir,
    database: Settings,
    blobs: Blobs,
}

impl Bare {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let documents = Location::Directory(directory.path().join("documents"));
        Self {
            database: Settings::Sqlite(directory.path().join("firmeza.db")),
            blobs: Blobs::open(&documents, &directory.path().join("temp_files")).unwrap(),
            directory,
        }
    }

    async fn restore(&self, backup: &Path) -> Result<Restored, BackupError> {
        let manifest = Manifest::read(backup)?;
        restore(manifest, backup, &self.database, &self.blobs, false).await
    }

    async fn inspect(&self) -> IntegrityReport {
        let database = self.database.clone();
        let opened = tokio::task::spawn_blocking(move || open_store(&database, master_key()).unwrap());
        let (store, _) = opened.await.unwrap();
        check_integrity(&self.database, &store, &self.blobs, None)
            .await
            .unwrap()
    }

    /// Changes rows directly in the database.
    fn damage(&self, sql: &str) {
        let raw = rusqlite::Connection::open(self.directory.path().join("firmeza.db")).unwrap();
        raw.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
            .unwrap();
        raw.execute_batch(sql).unwrap();
    }
}

/// The files of the documents in a backup.
fn documents(backup: &Path) -> Vec<PathBuf> {
    let shards = fs::read_dir(backup.join("documents")).unwrap();
    shards
        .flat_map(|shard| fs::read_dir(shard.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .collect()
}

/// The files with the rows of a table.
fn pages(backup: &Path, manifest: &Manifest, table: &str) -> Vec<PathBuf> {
    let table = manifest.tables.iter().find(|one| one.name == table).unwrap();
    let path = |page: &Page| backup.join("rows").join(&page.sha256[..2]).join(&page.sha256);
    table.pages.iter().map(path).collect()
}

/// Creates and signs folios until the flag is set.
async fn work(company: &Company<'_>, app: &TestApp, number: usize, done: &AtomicUsize, stop: &AtomicBool) {
    let mut round = 0;
    while !stop.load(Ordering::Relaxed) {
        let person = format!("{number}{round:04}");
        let fields = folio().signers(&serde_json::json!([signer(&person)]));
        let fields = fields.documents([("contrato.pdf", pdf::saying(&person))]);
        let id = company.created(fields).await;
        app.send_code(&id, SignerIndex(0)).await;
        let code = app.code_for(&format!("maria.{person}@example.com")).await;
        app.give_code(&id, SignerIndex(0), code).await;
        done.fetch_add(1, Ordering::Relaxed);
        round += 1;
    }
}

async fn enough(done: &AtomicUsize, count: usize) {
    until("folios to be signed", async || {
        (done.load(Ordering::Relaxed) >= count).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_repaired_document_is_restored_with_the_file_as_it_was_sent() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    company
        .created(folio().documents([("marca.pdf", sloppy())]))
        .await;
    let backup = tempfile::tempdir().unwrap();
    assert_eq!(app.back_up(backup.path()).await.documents.count, 2);
    let bare = Bare::new();
    bare.restore(backup.path()).await.unwrap();
    let inspected = bare.inspect().await;
    assert_eq!((inspected.documents, inspected.faults), (1, 0), "{inspected:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_under_load_is_restored_whole() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let backup = tempfile::tempdir().unwrap();
    let (done, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let observe = async {
        enough(&done, 6).await;
        let first = app.back_up(backup.path()).await;
        // It may hold folios that were just created, and are signed only now.
        let seen = usize::try_from(first.documents.count).unwrap();
        enough(&done, seen + 6).await;
        let second = app.back_up(backup.path()).await;
        app.app().sweep_blobs().await.unwrap();
        stop.store(true, Ordering::Relaxed);
        (first, second)
    };
    let clients = async {
        tokio::join!(
            work(&company, &app, 1, &done, &stop),
            work(&company, &app, 2, &done, &stop),
            work(&company, &app, 3, &done, &stop),
        )
    };
    let ((first, second), _) = tokio::join!(observe, clients);
    assert!(
        first.documents.count >= 6 && first.copies.new == first.documents,
        "{first:?}"
    );
    assert!(second.documents.count >= first.documents.count + 6, "{second:?}");
    assert_eq!(
        second.copies.new.count,
        second.documents.count - first.documents.count,
        "what was there is not copied again"
    );

    let bare = Bare::new();
    let restored = bare.restore(backup.path()).await.unwrap();
    assert_eq!(
        (restored.rows, restored.documents),
        (second.rows, second.documents)
    );
    let found = bare.inspect().await;
    assert_eq!(found.messages, [""; 0]);
    assert!(found.folios >= 12 && found.documents >= 12, "{found:?}");
    let again = bare.restore(backup.path()).await;
    assert!(
        matches!(&again, Err(BackupError::Refused(why)) if why.contains("not empty")),
        "{again:?}"
    );
}

#[tokio::test]
async fn a_damaged_backup_is_refused_and_a_damaged_restore_is_noticed() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio()).await;
    test_folio.sign(0).await;
    assert_eq!(email(0), "maria.1001@example.com");
    let backup = tempfile::tempdir().unwrap();
    app.back_up(backup.path()).await;
    let bare = Bare::new();
    bare.restore(backup.path()).await.unwrap();
    let found = bare.inspect().await;
    assert_eq!(
        (found.folios, found.documents, found.faults),
        (1, 1, 0),
        "{found:?}"
    );

    // What an act appended, and a signer.
    bare.damage("UPDATE increments SET bytes = unhex('00'); DELETE FROM signers WHERE position = 1");
    let found = bare.inspect().await;
    assert_eq!(found.faults, 2, "{found:?}");
    assert!(found.messages[0].contains("as its history tells"), "{found:?}");
    assert!(found.messages[1].contains("what was appended"), "{found:?}");
    bare.damage("UPDATE signers SET state = 'x'");
    let found = bare.inspect().await;
    assert!(found.messages[0].contains("cannot be read"), "{found:?}");
    bare.damage("UPDATE signers SET state = 'signed'; DELETE FROM documents");
    let found = bare.inspect().await;
    assert_eq!((found.documents, found.faults), (0, 1), "{found:?}");
    assert!(found.messages[0].contains("as its history tells"), "{found:?}");
    bare.damage("UPDATE events SET body = '{}' WHERE number = 1");
    let found = bare.inspect().await;
    assert!(
        found.messages[0].contains("its history is broken at 1"),
        "{found:?}"
    );

    let manifest = Manifest::read(backup.path()).unwrap();
    let events = pages(backup.path(), &manifest, "events").remove(0);
    let text = fs::read_to_string(&events).unwrap();
    fs::write(&events, text.replacen("created", "CREATED", 1)).unwrap();
    let other = Bare::new();
    let refused = other.restore(backup.path()).await;
    assert!(
        matches!(&refused, Err(BackupError::Damaged(why)) if why.starts_with("rows of events")),
        "{refused:?}"
    );
    let found = verify(manifest, backup.path()).await.unwrap();
    assert_eq!((found.row_faults.count, found.faults.count), (1, 0), "{found:?}");
    fs::write(&events, text).unwrap();
    for path in documents(backup.path()) {
        let mut bytes = fs::read(&path).unwrap();
        bytes[100] ^= 1;
        fs::write(&path, bytes).unwrap();
    }
    let restored = other.restore(backup.path()).await.unwrap();
    assert_eq!(restored.faults.count, 1, "{restored:?}");
    assert!(
        restored.faults.messages[0].contains("are not its own"),
        "{restored:?}"
    );
    let found = other.inspect().await;
    assert_eq!((found.folios, found.faults), (1, 1), "{found:?}");

    let manifest = backup.path().join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replacen("\"format\": 1", "\"format\": 2", 1)).unwrap();
    let refused = Manifest::read(backup.path());
    assert!(
        matches!(&refused, Err(BackupError::Refused(why)) if why.contains("use the version that took it")),
        "{refused:?}"
    );
    fs::remove_file(manifest).unwrap();
    let refused = other.restore(backup.path()).await;
    assert!(matches!(&refused, Err(BackupError::File { .. })), "{refused:?}");
}

#[tokio::test]
async fn a_document_that_is_lost_costs_neither_the_rows_nor_the_others() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    for words in ["uno", "dos", "tres"] {
        let fields = folio().documents([("contrato.pdf", pdf::saying(words))]);
        company.created(fields).await;
    }
    let lost = app.app().blobs.list(None, 1).await.unwrap()[0].id;
    app.app().blobs.delete(lost).await.unwrap();
    let backup = tempfile::tempdir().unwrap();
    let taken = app.back_up(backup.path()).await;
    assert_eq!(
        (taken.documents.count, taken.copies.new.count),
        (3, 2),
        "{taken:?}"
    );
    assert_eq!(taken.faults.count, 1, "{taken:?}");
    assert_eq!(
        taken.faults.messages,
        [format!("document {lost}: it is not there")]
    );

    let bare = Bare::new();
    let restored = bare.restore(backup.path()).await.unwrap();
    assert_eq!((restored.rows, restored.faults), (taken.rows, taken.faults));
    let found = bare.inspect().await;
    assert_eq!(
        (found.folios, found.documents, found.faults),
        (3, 3, 1),
        "{found:?}"
    );
}

#[tokio::test]
async fn a_document_that_was_cut_short_is_copied_anew() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    company.created(folio()).await;
    let backup = tempfile::tempdir().unwrap();
    app.back_up(backup.path()).await;
    for path in documents(backup.path()) {
        let length = fs::metadata(&path).unwrap().len();
        let file = fs::OpenOptions::new().write(true).open(path).unwrap();
        file.set_len(length - 1).unwrap();
    }
    let restored = Bare::new().restore(backup.path()).await.unwrap();
    assert_eq!(restored.faults.count, 1, "{restored:?}");
    assert!(
        restored.faults.messages[0].ends_with("its end is missing"),
        "{restored:?}"
    );

    let again = app.back_up(backup.path()).await;
    assert_eq!((again.copies.new.count, again.faults.count), (1, 0), "{again:?}");
    let bare = Bare::new();
    let restored = bare.restore(backup.path()).await.unwrap();
    assert_eq!(restored.faults.count, 0, "{restored:?}");
    assert_eq!(bare.inspect().await.faults, 0);
}

#[tokio::test]
async fn what_an_interrupted_backup_or_removal_left_is_pruned() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    company.created(folio()).await;
    let directory = tempfile::tempdir().unwrap();
    let [unfinished, removed] = ["one", "other"].map(|name| directory.path().join(name));
    for backup in [&unfinished, &removed] {
        app.back_up(backup).await;
    }
    fs::rename(unfinished.join("manifest.json"), unfinished.join("manifest.new")).unwrap();
    fs::write(unfinished.join("unfinished"), "").unwrap();
    fs::remove_dir_all(removed.join("documents")).unwrap();
    let now = || jiff::Timestamp::from_microsecond(Clock::System.now().as_micros()).unwrap();
    let too_young = prune(directory.path(), now() - Duration::from_hours(1)).await;
    assert_eq!(too_young.unwrap(), Pruned::default());
    let both = Pruned {
        backups: 2,
        documents: 0,
    };
    // File systems date files by a clock of their own, which is a few milliseconds behind or ahead.
    let later = now() + Duration::from_secs(5);
    assert_eq!(prune(directory.path(), later).await.unwrap(), both);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn what_signatures_appended_is_put_back_from_a_backup() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let signed = test_folio(&company, &app, folio()).await;
    signed.sign(0).await;
    let backup = tempfile::tempdir().unwrap();
    app.back_up(backup.path()).await;
    let later = test_folio(&company, &app, folio()).await;
    later.sign(0).await;
    let (store, blobs) = (&app.app().store, &app.app().blobs);
    let document = company.document_of(&signed.folio.to_string()).await;
    let before = company.download(&document).await.body;
    app.tamper("UPDATE increments SET bytes = <bytes 00ff>").await;
    let found = check_integrity(app.database(), store, blobs, None).await.unwrap();
    assert_eq!((found.faults, found.mended), (2, 0), "{found:?}");
    let mender = IncrementBackup::open(backup.path()).await.unwrap();
    let found = check_and_mend(app.database(), store, blobs, None, Some(&mender)).await;
    let found = found.unwrap();
    assert_eq!(
        (found.faults, found.mended),
        (1, 1),
        "the backup has one: {found:?}"
    );
    assert_eq!(company.download(&document).await.body, before);
    let found = check_integrity(app.database(), store, blobs, None).await.unwrap();
    assert_eq!((found.faults, found.mended), (1, 0), "{found:?}");
}

#[tokio::test]
async fn the_scrubber_puts_back_what_signatures_appended() {
    const ROUND: Duration = Duration::from_hours(24 * 30);
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let signed = test_folio(&company, &app, folio()).await;
    signed.sign(0).await;
    let backup = tempfile::tempdir().unwrap();
    app.back_up(backup.path()).await;
    let later = test_folio(&company, &app, folio()).await;
    later.sign(0).await;
    let document = company.document_of(&signed.folio.to_string()).await;
    let before = company.download(&document).await.body;
    app.tamper("UPDATE increments SET bytes = <bytes 00ff>").await;
    let documents = Location::Directory(backup.path().join("documents"));
    let directory = IncrementBackup::directory_of(&documents).unwrap();
    let scrubber = app.app().clone().with_spare_backup(&directory);
    while scrubber.scrub(ROUND).await.unwrap().is_some() {}
    assert_eq!(company.download(&document).await.body, before);
    // The backup is older than the other one's signature.
    let text = app.monitoring("/metrics").await.text();
    assert!(text.contains("firmeza_damaged_documents 1"), "{text}");
}

#[tokio::test]
async fn a_lost_upload_needs_no_increments_of_the_backup() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    test_folio(&company, &app, folio()).await.sign(0).await;
    let backup = tempfile::tempdir().unwrap();
    app.back_up(backup.path()).await;
    let mender = IncrementBackup::open(backup.path()).await.unwrap();
    let manifest = Manifest::read(backup.path()).unwrap();
    for page in pages(backup.path(), &manifest, "increments") {
        fs::remove_file(page).unwrap();
    }
    app.replace_document(&pdf::contract(), &pdf::saying("otro")).await;
    let (store, blobs) = (&app.app().store, &app.app().blobs);
    let found = check_and_mend(app.database(), store, blobs, None, Some(&mender)).await;
    let found = found.unwrap();
    assert_eq!((found.faults, found.mended), (1, 0), "{found:?}");
}

#[tokio::test]
async fn of_a_backup_that_was_read_only_pages_with_the_wanted_increments_are_read_again() {
    const ROUND: Duration = Duration::from_hours(24 * 30);
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    test_folio(&company, &app, folio()).await.sign(0).await;
    // A row so long that its page ends with it. It belongs to no document.
    let long = "00".repeat(1 << 20);
    app.tamper(&format!(
        "INSERT INTO increments (folio, position, number, bytes) VALUES (1, 7, 0, <bytes {long}>)"
    ))
    .await;
    let last = test_folio(&company, &app, folio()).await;
    last.sign(0).await;
    let backup = tempfile::tempdir().unwrap();
    app.back_up(backup.path()).await;
    let document = company.document_of(&last.folio.to_string()).await;
    let before = company.download(&document).await.body;
    let scrubber = app.app().clone().with_spare_backup(backup.path());
    app.tamper("UPDATE increments SET bytes = <bytes 00ff> WHERE folio = 2")
        .await;
    while scrubber.scrub(ROUND).await.unwrap().is_some() {}
    assert_eq!(company.download(&document).await.body, before);

    let manifest = Manifest::read(backup.path()).unwrap();
    let has_wanted = |page: &PathBuf| {
        let text = fs::read_to_string(page).unwrap();
        text.lines().any(|line| line.starts_with("[2,0,"))
    };
    let (kept, others): (Vec<PathBuf>, Vec<PathBuf>) = pages(backup.path(), &manifest, "increments")
        .into_iter()
        .partition(has_wanted);
    assert!(!kept.is_empty() && !others.is_empty(), "{kept:?} {others:?}");
    for page in others {
        fs::remove_file(page).unwrap();
    }
    app.tamper("UPDATE increments SET bytes = <bytes 00ff> WHERE folio = 2")
        .await;
    app.advance(ROUND);
    while scrubber.scrub(ROUND).await.unwrap().is_some() {}
    assert_eq!(company.download(&document).await.body, before);
}

/// Every row of every table that a backup has.
async fn rows(database: &Settings) -> Vec<(&'static str, Vec<String>)> {
    let database = database.clone();
    let read = tokio::task::spawn_blocking(move || {
        database.read_dedicated(|tx| {
            let tables = store::BACKUP_TABLES.map(|table| {
                let mut rows = Vec::new();
                let columns = tx.columns(table)?;
                tx.each_row::<store::Error>(table, &columns, |row| {
                    rows.push(format!("{row:?}"));
                    Ok(())
                })?;
                rows.sort();
                Ok((table, rows))
            });
            tables.into_iter().collect::<Result<_, store::Error>>()
        })
    });
    read.await.unwrap().unwrap()
}

#[tokio::test]
async fn a_repeated_backup_copies_what_changed_and_restores_what_is_there() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let signed = test_folio(&company, &app, folio()).await;
    signed.sign(0).await;
    let erased = company.created_in(FolioState::Cancelled, folio()).await;
    // Rows of several pages.
    app.tamper(&format!(
        "INSERT INTO audit (company, at, who, what, detail)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
         SELECT {}, i, 'luisa@example.com', 'api_key_added', '{} ' || i FROM n",
        company.id.0,
        "una llave que se creó para las pruebas de la copia; ".repeat(10)
    ))
    .await;
    let backup = tempfile::tempdir().unwrap();
    let first = app.back_up(backup.path()).await;
    let audit = |manifest: &Manifest| pages(backup.path(), manifest, "audit");
    let before = audit(&Manifest::read(backup.path()).unwrap());
    assert!(before.len() > 2, "{}", before.len());
    let again = app.back_up(backup.path()).await;
    // The service may have logged a request meanwhile.
    assert!(
        again.page_copies.new.bytes < first.page_copies.new.bytes / 20,
        "{again:?}"
    );

    // A row of the first page goes, one of the last page changes; a folio is signed, another erased.
    app.tamper("DELETE FROM audit WHERE at = 1").await;
    app.tamper("UPDATE audit SET detail = 'otra' WHERE at = 20000")
        .await;
    signed.sign(1).await;
    let person = company.signed_in("luisa@example.com", Administrator).await;
    let page = format!("/panel/folios/{erased}/erase");
    let answer = person
        .post(&page, &[("reason", "La titular pidió la supresión.")])
        .await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    // And a page of the backup rots that has not changed.
    let rotten = &before[before.len() / 2];
    let mut bytes = fs::read(rotten).unwrap();
    bytes[100] ^= 1;
    fs::write(rotten, bytes).unwrap();

    let third = app.back_up(backup.path()).await;
    assert_eq!(third.page_copies.mended, 1, "{third:?}");
    let quiet = until("nothing is written while a backup is taken", async || {
        let before = rows(app.database()).await;
        app.back_up(backup.path()).await;
        (rows(app.database()).await == before).then_some(before)
    })
    .await;
    let manifest = Manifest::read(backup.path()).unwrap();
    let kept = audit(&manifest)
        .iter()
        .filter(|page| before.contains(page))
        .count();
    assert!(kept >= before.len() - 3, "{kept} of {}", before.len());
    let named: HashSet<PathBuf> = manifest
        .tables
        .iter()
        .flat_map(|table| pages(backup.path(), &manifest, &table.name))
        .collect();
    let there: HashSet<PathBuf> = files(&backup.path().join("rows")).into_iter().collect();
    assert_eq!(there, named, "what rows were before is gone");

    let found = verify(manifest, backup.path()).await.unwrap();
    assert_eq!((found.row_faults.count, found.faults.count), (0, 0), "{found:?}");
    let bare = Bare::new();
    bare.restore(backup.path()).await.unwrap();
    assert_eq!(rows(&bare.database).await, quiet);
}

/// Every file of a directory, and of those in it.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .collect()
}

#[tokio::test]
async fn a_backup_without_the_master_key_shows_documents_contacts_and_links() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let contract = pdf::saying("Lo que solo las partes leen");
    let fields = folio().documents([("contrato.pdf", contract.clone())]);
    let id = company.created(fields).await;
    let started = company.once("una vez").start_bulk([&id], &signer("1001")).await;
    let backup = tempfile::tempdir().unwrap();
    app.back_up(backup.path()).await;
    let files: Vec<(PathBuf, Vec<u8>)> = files(backup.path())
        .into_iter()
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    let manifest = Manifest::read(backup.path()).unwrap();
    let shown_in = |table: &str, text: &str| {
        let pages = pages(backup.path(), &manifest, table);
        pages
            .iter()
            .any(|page| fs::read_to_string(page).unwrap().contains(text))
    };
    assert!(files.iter().any(|(_, bytes)| *bytes == contract));
    assert!(shown_in("signers", &email(0)));
    assert!(shown_in("events", &email(0)));
    let link = url::Url::parse(&started.at("/data/signProcessMassiveUrl")).unwrap();
    let (_, token) = link.query_pairs().find(|(name, _)| name == "msv").unwrap();
    assert!(shown_in("idempotency_keys", &token));
    for (path, bytes) in &files {
        let text = String::from_utf8_lossy(bytes);
        let key = [0x5a; 32];
        let has_key = text.contains(&"5a".repeat(32))
            || text.contains(&data_encoding::BASE64.encode(&key))
            || bytes.windows(32).any(|part| part == key);
        assert!(!has_key, "{}", path.display());
    }
}

/// Changes the rows of a table in a backup, and the manifest so that both agree.
fn rewrite(backup: &Path, table: &str, from: &str, to: &str) {
    let mut manifest = Manifest::read(backup).unwrap();
    let old: Vec<String> = pages(backup, &manifest, table)
        .iter()
        .map(|page| fs::read_to_string(page).unwrap())
        .collect();
    let text = old.concat();
    assert!(text.contains(from), "{table}: {text}");
    let text = text.replace(from, to);
    let file = manifest.tables.iter_mut().find(|file| file.name == table);
    let page = Page {
        sha256: data_encoding::HEXLOWER.encode(&Sha256::digest(&text)),
        bytes: text.len() as u64,
    };
    file.unwrap().pages = vec![page];
    fs::write(&pages(backup, &manifest, table)[0], text).unwrap();
    let manifest = serde_json::to_vec(&manifest).unwrap();
    fs::write(backup.join("manifest.json"), manifest).unwrap();
}

#[tokio::test]
async fn a_rewritten_manifest_is_believed_and_only_the_histories_contradict_it() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    company.created(folio()).await;
    let backup = tempfile::tempdir().unwrap();
    app.back_up(backup.path()).await;
    // A key's label is in no history.
    rewrite(backup.path(), "api_keys", "\"tests\"", "\"otra\"");
    let bare = Bare::new();
    bare.restore(backup.path()).await.unwrap();
    assert_eq!(bare.inspect().await.messages, [""; 0]);
    let raw = rusqlite::Connection::open(bare.directory.path().join("firmeza.db")).unwrap();
    let label: String = raw
        .query_row("SELECT label FROM api_keys", [], |row| row.get(0))
        .unwrap();
    assert_eq!(label, "otra");
    for (table, from, to, fault) in [
        ("signers", "maria.1001@", "ladron@", "its signer 1 is not"),
        ("events", "created", "CREATED", "its history is broken at 1"),
    ] {
        rewrite(backup.path(), table, from, to);
        let bare = Bare::new();
        bare.restore(backup.path()).await.unwrap();
        let found = bare.inspect().await;
        let named = found.messages.iter().any(|message| message.contains(fault));
        assert!(named, "{table}: {found:?}");
        rewrite(backup.path(), table, to, from);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_with_the_master_key_writes_histories_and_seals_them() {
    let app = TestApp::start().await;
    let company = app.company("Acme").await;
    let test_folio = test_folio(&company, &app, folio()).await;
    let backup = tempfile::tempdir().unwrap();
    app.back_up(backup.path()).await;
    let bare = Bare::new();
    bare.restore(backup.path()).await.unwrap();
    let database = bare.database.clone();
    let opened = tokio::task::spawn_blocking(move || open_store(&database, master_key()).unwrap());
    let (store, master) = opened.await.unwrap();

    // A rejection that the signer never made.
    let (company_id, folio, now) = (company.id, test_folio.folio, app.app().clock.now());
    let forged = store.write(move |tx| {
        let stored = tx.lock_folios(company_id, &[folio])?.pop().unwrap();
        let signer = SignerIndex(0);
        let reason = Observation::new("Palabras que nadie escribió.").unwrap();
        let origin = Origin {
            actor: Actor::Signer { signer },
            client: domain::Client::at(ADDRESS),
        };
        let contact = &stored.folio[signer].contact;
        let change = stored.folio.reject(signer, contact, &reason, None, origin, now);
        tx.apply(company_id, now, &[(&stored, change.unwrap())])
    });
    forged.await.unwrap();
    assert_eq!(bare.inspect().await.messages, [""; 0]);

    let settings = || NotarySettings {
        base_url: url::Url::parse("https://firmeza.example.com").unwrap(),
        timezone: jiff::tz::TimeZone::UTC,
        time_stamping: Vec::new(),
        trusted: pki::trusted_list::TrustedList::default(),
        token: None,
        certifying: None,
        issuing: None,
        sandbox: false,
    };
    let clock = Clock::manual(now);
    let stranger = MasterKey::from_hex(&"6b".repeat(32)).unwrap();
    let refused = Notary::open(&store, &stranger, &clock, settings()).await;
    assert!(refused.is_err(), "another master key opens no authority");
    let notary = Notary::open(&store, &master, &clock, settings()).await.unwrap();
    let sign_app = url::Url::parse("https://firmas.example.com").unwrap();
    let blobs = bare.blobs.clone();
    let copy = App::new(store, blobs, clock, &master, &sign_app, notary, Policy::default());
    let operator = copy.operator();
    let key = operator
        .add_key("Acme".to_owned(), KeyRequest::with_label(String::new()))
        .await;
    let access = Access::with_key(&key.unwrap().key, ADDRESS, Permission::Evidence);
    let evidence = copy.evidence(access, folio, 1).await.unwrap().text;
    assert!(evidence.contains("Palabras que nadie escribió."), "{evidence}");
    let roots = [app.app().notary.root().clone()];
    let checked = app::evidence::check(evidence.as_bytes(), Some(&roots), &[], now);
    assert_eq!(checked.faults, [], "sealed by the same authority");
    copy.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn templates_and_their_documents_are_in_a_backup() {
    let app = TestApp::start().await;
    let acme = app.company("Acme").await;
    let person = acme
        .signed_in("luisa@example.com", domain::Role::Supervisor)
        .await;
    person.template("Arriendo", pdf::saying("plantilla")).await;
    let backup = tempfile::tempdir().unwrap();
    let taken = app.back_up(backup.path()).await;
    assert_eq!((taken.documents.count, taken.faults.count), (1, 0));
    let verified = verify(Manifest::read(backup.path()).unwrap(), backup.path()).await;
    assert_eq!(verified.unwrap().documents.count, 1);
    let bare = Bare::new();
    let restored = bare.restore(backup.path()).await.unwrap();
    assert_eq!((restored.documents.count, restored.faults.count), (1, 0));
    let inspected = bare.inspect().await;
    assert_eq!((inspected.documents, inspected.messages), (1, Vec::new()));
}
