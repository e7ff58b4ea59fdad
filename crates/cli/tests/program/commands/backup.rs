//! `firmeza backup` and `firmeza restore`.

use crate::support::{
    COMPANY, Client, Ended, Installation, Order, PostgresDatabase, cancel, check_integrity, done, download,
    given, wait_for,
};
use parts::SlowRelay;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// An installation like another one, with nothing in it.
fn like(database: Option<&PostgresDatabase>) -> Installation {
    let installation = Installation::new();
    match database {
        Some(database) => installation.with("FIRMEZA_DATABASE_URL", database.url()),
        None => installation,
    }
}

fn settings(installation: &Installation, database: Option<&PostgresDatabase>) -> store::Settings {
    database.map_or_else(|| installation.sqlite(), PostgresDatabase::settings)
}

/// Takes a backup of a running installation on one database and puts it back on another.
fn there_and_back(from: Option<&PostgresDatabase>, to: Option<&PostgresDatabase>) {
    let source = like(from);
    let server = source.serve();
    let key = source.key();
    let client = Client::new(source.port, &key);
    let orders: Vec<Order> = (0..5).map(|_| Order::small()).collect();
    let folios: Vec<String> = orders.iter().map(|order| client.created(order)).collect();
    done(&client.send(cancel(&folios[0], "Se firmó en papel.")));
    let backup = source.directory().join("backup");
    let backup = backup.to_str().unwrap();
    let said = source.ok(&["backup", backup]);
    assert!(said.contains("The master key is not in it"), "{said}");
    assert!(!fs::exists(format!("{backup}/master.key")).unwrap());
    let late = client.created(&Order::small());

    let target = like(to);
    let refused = target.run(&["restore", backup]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("does not have the master key"),
        "{refused:?}"
    );
    let wrong = like(to).with("FIRMEZA_MASTER_KEY", "ab".repeat(32));
    let refused = wrong.run(&["restore", backup]);
    assert!(refused.stderr.contains("not the one"), "{refused:?}");

    let again = source.ok(&["backup", backup, "--with-master-key"]);
    assert!(again.contains("(1 new,"), "{again}");
    let refused = source.run(&["backup", backup]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("say --with-master-key again"),
        "{refused:?}"
    );
    drop(server);
    let said = target.ok(&["restore", backup]);
    assert!(said.contains("all of them are whole"), "{said}");
    let refused = target.run(&["restore", backup]);
    assert!(
        refused.stderr.contains("the database is not empty"),
        "{refused:?}"
    );

    let checked = check_integrity(&settings(&target, to), COMPANY, &target.documents(), 0);
    // The demonstration company has none, and the test's has those.
    assert_eq!(checked.folios, 6);
    let server = target.serve();
    let client = Client::new(target.port, &key);
    assert_eq!(done(&client.read(&folios[0]))["data"]["folioData"]["state"], "6");
    for (folio, order) in folios.iter().zip(&orders) {
        let document = client.documents(folio).remove(0);
        assert_eq!(client.send(download(&document)).body, order.papers[0].bytes());
    }
    assert_eq!(client.read(&late).status, 200);
    client.created(&Order::small());
    drop(server);
}

#[test]
fn a_backup_of_sqlite_goes_into_sqlite() {
    there_and_back(None, None);
}

#[test]
fn a_backup_of_sqlite_goes_into_postgres() {
    there_and_back(None, Some(&PostgresDatabase::new()));
}

#[test]
fn a_backup_of_postgres_goes_into_sqlite() {
    there_and_back(Some(&PostgresDatabase::new()), None);
}

/// A new installation with its documents in a place of its own on S3.
fn on_s3(prefix: &str) -> Installation {
    let bucket = given("FIRMEZA_TEST_S3_URL");
    let number = crate::support::TestRandom::fresh().next();
    Installation::new().on_s3(format!("{bucket}/{prefix}-{number:016x}"))
}

#[test]
fn documents_come_from_s3_and_go_back_there() {
    let source = on_s3("from");
    let server = source.serve();
    let client = source.client();
    let order = Order::sized(3_000_000);
    let folio = client.created(&order);
    let backup = source.directory().join("backup");
    source.ok(&["backup", backup.to_str().unwrap(), "--with-master-key"]);
    drop(server);
    let target = on_s3("to");
    target.ok(&["restore", backup.to_str().unwrap()]);
    let server = target.serve();
    let client = target.client();
    let document = client.documents(&folio).remove(0);
    assert!(client.send(download(&document)).body == order.papers[0].bytes());
    drop(server);
}

/// The same installation, whose storage answers later.
fn far_from_storage(
    installation: &Installation,
    delay: Duration,
) -> (SlowRelay, impl Fn(&[&str]) -> Command) {
    let endpoint = given("AWS_ENDPOINT_URL");
    let port = endpoint.trim_end_matches('/').rsplit_once(':').unwrap().1;
    let relay = SlowRelay::to(port.parse().unwrap(), delay).unwrap();
    let endpoint = format!("http://127.0.0.1:{}", relay.port());
    let command = move |arguments: &[&str]| {
        let mut command = installation.command();
        command.env("AWS_ENDPOINT_URL", &endpoint).args(arguments);
        command
    };
    (relay, command)
}

#[test]
fn documents_are_copied_side_by_side_and_an_interrupted_backup_goes_on() {
    const FOLIOS: usize = 5;
    const DOCUMENTS: usize = 100;
    let source = on_s3("from");
    let server = source.serve();
    let client = source.client();
    for _ in 0..FOLIOS {
        let mut order = Order::small();
        order.papers = (0..DOCUMENTS / FOLIOS)
            .map(|_| Order::small().papers.remove(0))
            .collect();
        client.created(&order);
    }
    drop(server);
    let backup = source.directory().join("backup");
    let path = backup.to_str().unwrap();
    let copied = || -> usize {
        let shards = fs::read_dir(backup.join("documents")).into_iter().flatten();
        shards
            .map(|shard| fs::read_dir(shard.unwrap().path()).unwrap().count())
            .sum()
    };

    // The second half of the documents is not there before two delays.
    let (_relay, command) = far_from_storage(&source, Duration::from_secs(2));
    let mut child = command(&["backup", path]).spawn().unwrap();
    wait_for("documents to be copied", || copied() > 0);
    child.kill().unwrap();
    child.wait().unwrap();
    let before = copied();
    assert!((1..DOCUMENTS).contains(&before), "{before}");

    let (relay, command) = far_from_storage(&source, Duration::from_millis(39));
    let said = Ended::of(&command(&["backup", path, "--with-master-key"]).output().unwrap());
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(
        said.stdout.contains(&format!("({} new,", DOCUMENTS - before)),
        "{before}: {said:?}"
    );
    let most = relay.most_waiting();
    assert!(most >= (DOCUMENTS - before).min(32), "{most} at once");

    let target = on_s3("to");
    let (relay, command) = far_from_storage(&target, Duration::from_millis(39));
    let said = Ended::of(&command(&["restore", path]).output().unwrap());
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stdout.contains("all of them are whole"), "{said:?}");
    let most = relay.most_waiting();
    assert!(most >= 32, "{most} at once");
}

/// Whether a restore into the embedded database has committed its rows.
fn has_rows(installation: &Installation) -> bool {
    let store::Settings::Sqlite(path) = installation.sqlite() else {
        unreachable!("an installation's default")
    };
    let database = rusqlite::Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY);
    let sql = "SELECT COUNT(*) FROM companies";
    let count = database.and_then(|database| database.query_row(sql, [], |row| row.get::<_, i64>(0)));
    count.is_ok_and(|count| count > 0)
}

#[test]
fn a_restore_that_was_killed_after_its_rows_is_brought_to_its_end() {
    let source = Installation::new();
    let server = source.serve();
    let key = source.key();
    let order = Order::small();
    let folio = Client::new(source.port, &key).created(&order);
    drop(server);
    let backup = source.directory().join("backup");
    let backup = backup.to_str().unwrap();
    source.ok(&["backup", backup, "--with-master-key"]);

    let target = on_s3("to");
    // After the rows it writes to the storage and reads every document: that takes several delays.
    let (_relay, command) = far_from_storage(&target, Duration::from_secs(2));
    let mut child = command(&["restore", backup]).spawn().unwrap();
    wait_for("the rows", || has_rows(&target));
    child.kill().unwrap();
    let ended = child.wait().unwrap();
    assert_eq!(ended.code(), None, "it was not at its end");

    let refused = target.run(&["restore", backup]);
    assert!(
        refused.stderr.contains("the database is not empty"),
        "{refused:?}"
    );
    target.ok(&["storage", "claim"]);
    let said = target.ok(&["inspect"]);
    assert!(said.contains("all of them are whole"), "{said}");
    let server = target.serve();
    let client = Client::new(target.port, &key);
    let document = client.documents(&folio).remove(0);
    assert_eq!(client.send(download(&document)).body, order.papers[0].bytes());
    drop(server);
}

#[test]
fn a_document_that_is_lost_is_named_and_the_rest_goes_there_and_back() {
    let source = Installation::new();
    let server = source.serve();
    let client = source.client();
    let [lost, kept] = [Order::small(), Order::small()];
    client.created(&lost);
    let folio = client.created(&kept);
    drop(server);
    let mut files = fs::read_dir(source.data().join("documents"))
        .unwrap()
        .flat_map(|shard| fs::read_dir(shard.unwrap().path()).into_iter().flatten())
        .map(|file| file.unwrap().path());
    let file = files
        .find(|file| fs::read(file).unwrap() == lost.papers[0].bytes())
        .unwrap();
    fs::remove_file(&file).unwrap();
    let name = file.file_name().unwrap().to_str().unwrap();
    let backup = source.directory().join("backup");
    let backup = backup.to_str().unwrap();
    let said = source.run(&["backup", backup, "--with-master-key"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stdout.contains("not in the backup: 1"), "{said:?}");
    assert!(
        said.stdout.contains(&format!("document {name}: it is not there")),
        "{said:?}"
    );

    let target = Installation::new();
    let said = target.run(&["restore", backup]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stdout.contains("not put back: 1"), "{said:?}");
    assert!(said.stdout.contains("1 faults"), "{said:?}");
    let server = target.serve();
    let client = target.client();
    let document = client.documents(&folio).remove(0);
    assert_eq!(client.send(download(&document)).body, kept.papers[0].bytes());
    drop(server);
}

#[test]
fn another_installations_documents_are_left_alone() {
    let source = Installation::new();
    let server = source.serve();
    source.client().created(&Order::small());
    let backup = source.directory().join("backup");
    let backup = backup.to_str().unwrap();
    source.ok(&["backup", backup, "--with-master-key"]);
    drop(server);
    let documents = format!("file:{}", source.data().join("documents").display());

    let beside = Installation::new().with("FIRMEZA_BLOBS_URL", &documents);
    for command in ["serve", "doctor"] {
        let refused = beside.run(&[command]);
        assert_eq!(refused.code, Some(1), "{refused:?}");
        let said = refused.stdout + &refused.stderr;
        assert!(said.contains("belongs to another installation"), "{said}");
    }
    let restored = Installation::new().with("FIRMEZA_BLOBS_URL", &documents);
    let refused = restored.run(&["restore", backup]);
    assert!(refused.stderr.contains("--take-over-storage"), "{refused:?}");
    assert!(
        restored.data().join("master.key").exists(),
        "the key is there before the rows"
    );
    restored.ok(&["restore", backup, "--take-over-storage"]);
    drop(restored.serve());
    let refused = source.run(&["serve"]);
    assert!(
        refused.stderr.contains("belongs to another installation"),
        "{refused:?}"
    );
    source.ok(&["storage", "claim"]);
    let said = source.ok(&["storage", "sweep"]);
    assert!(said.contains("Documents removed: 0"), "{said}");
    drop(source.serve());
}

#[test]
fn rot_is_noticed_in_the_storage_and_in_the_backup() {
    let source = Installation::new();
    let server = source.serve();
    let client = source.client();
    let order = Order::small();
    client.created(&order);
    drop(server);
    let backup = source.directory().join("backup");
    let path = backup.to_str().unwrap();
    source.ok(&["backup", path]);
    source.ok(&["inspect"]);
    source.ok(&["backup", "verify", path]);
    let bytes = order.papers[0].bytes();
    let name = data_encoding::HEXLOWER.encode(&Sha256::digest(&bytes));
    let file = |place: &Path| place.join("documents").join(&name[..2]).join(&name);
    let mut rotten = bytes.clone();
    rotten[100] ^= 1;

    fs::write(file(&backup), &rotten).unwrap();
    let found = source.run(&["backup", "verify", path]);
    assert_eq!(found.code, Some(1), "{found:?}");
    assert!(found.stdout.contains("its bytes are not its own"), "{found:?}");
    let said = source.ok(&["backup", path]);
    assert!(said.contains("(1 new,"), "the copy is mended: {said}");
    assert!(said.contains("copied anew: 1"), "{said}");
    source.ok(&["backup", "verify", path]);

    fs::write(file(&source.data()), &rotten).unwrap();
    let found = source.run(&["inspect"]);
    assert_eq!(found.code, Some(1), "{found:?}");
    assert!(found.stdout.contains("its bytes are not its own"), "{found:?}");
    let found = source.run(&["backup", path]);
    assert_eq!(found.code, Some(1), "{found:?}");
    assert!(found.stdout.contains("that the backup has: 1"), "{found:?}");
    source.ok(&["backup", path, "--quick"]);
    source.ok(&["backup", "verify", path]);
}
