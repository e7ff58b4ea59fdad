//! Migrations that are applied while instances of the version before write.

use crate::db::{Db, company, names, run};
use crate::sample::folios;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use store::{Change, Error, LATEST_VERSION, MIGRATIONS, Migration, Settings, Step};

/// This program's migrations and another one.
fn with(change: Change) -> Vec<Migration> {
    let next = Migration {
        version: LATEST_VERSION + 1,
        name: "next",
        change,
    };
    MIGRATIONS.iter().copied().chain([next]).collect()
}

fn migrate(db: &Db, migrations: &[Migration]) -> Result<(), Error> {
    db.settings.migrate_by(migrations, LATEST_VERSION + 1)
}

const INDEX: Step = Step::Index {
    name: "folios_called",
    on: "folios (name)",
};
/// Two rows at a time.
const COPY: Step = Step::Batches(
    "UPDATE folios SET observation = 'copied' WHERE seq IN
         (SELECT seq FROM folios WHERE observation IS NULL ORDER BY seq LIMIT 2)",
);

pub(crate) fn a_long_copy_is_done_in_batches_until_nothing_is_left(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Copied").await;
        folios(&store, company, 5).await;
    });
    drop(store);
    migrate(db, &with(Change::Online(&[COPY, INDEX]))).unwrap();
    let left = "SELECT 1 FROM folios WHERE observation IS NULL";
    assert_eq!(db.count(left), 0);
    assert_eq!(db.count("SELECT 1 FROM folios WHERE observation = 'copied'"), 5);
}

/// A failed migration leaves what its steps have done; applied again, it goes on.
pub(crate) fn a_migration_that_fails_is_resumed(db: &Db) {
    drop(db.open());
    let failing = with(Change::Online(&[
        INDEX,
        Step::Batches("DELETE FROM no_such_table"),
    ]));
    assert!(matches!(migrate(db, &failing), Err(Error::Statement(_))));
    let applied = |db: &Db| db.settings.read_dedicated(store::applied_version).unwrap();
    assert_eq!(applied(db), LATEST_VERSION);
    let mended = with(Change::Online(&[INDEX, COPY]));
    for _ in 0..2 {
        migrate(db, &mended).unwrap();
        assert_eq!(applied(db), LATEST_VERSION + 1);
    }
}

fn client(db: &Db) -> postgres::Client {
    let Settings::Postgres(url) = &db.settings else {
        unreachable!("it is a PostgreSQL");
    };
    postgres::Client::connect(url, postgres::NoTls).unwrap()
}

const IS_VALID: &str = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('folios_called')";

/// The index waits for the transaction of a writer; others write meanwhile, and a second instance that starts waits for the
/// first one's migration without being in its way.
#[test]
fn an_index_is_built_while_writers_write() {
    let db = Db::postgres();
    let store = db.open();
    let company = run(company(&store, "Busy"));
    let mut writer = client(&db);
    writer
        .batch_execute("BEGIN; INSERT INTO companies (name, created_at) VALUES ('Held', 0)")
        .unwrap();
    writer.batch_execute("UPDATE folios SET held = held").unwrap();
    let migrations = with(Change::Online(&[INDEX]));
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let both: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let migrated = migrate(&db, &migrations);
                    done.store(true, Ordering::SeqCst);
                    migrated
                })
            })
            .collect();
        let mut watcher = client(&db);
        let begun = || !watcher.query(IS_VALID, &[]).unwrap().is_empty();
        crate::db::wait_for("the index to be begun", begun);
        run(folios(&store, company, 3));
        assert!(!done.load(Ordering::SeqCst), "the writer's transaction is open");
        writer.batch_execute("COMMIT").unwrap();
        for migrated in both {
            migrated.join().unwrap().unwrap();
        }
    });
    assert!(client(&db).query_one(IS_VALID, &[]).unwrap().get::<_, bool>(0));
    assert_eq!(run(names(&store)).len(), 2);
}

/// `PostgreSQL` leaves an index without use behind, which is built anew.
#[test]
fn an_index_that_was_interrupted_is_built_anew() {
    let db = Db::postgres();
    let store = db.open();
    let company = run(company(&store, "Stopped"));
    run(folios(&store, company, 3));
    let mut writer = client(&db);
    writer
        .batch_execute("BEGIN; UPDATE folios SET held = held")
        .unwrap();
    let migrations = with(Change::Online(&[INDEX]));
    thread::scope(|scope| {
        let migrating = scope.spawn(|| migrate(&db, &migrations));
        let mut watcher = client(&db);
        let kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_progress_create_index
                    WHERE relid = 'folios'::regclass AND phase LIKE 'waiting for writers%'";
        crate::db::wait_for("the index to be begun", || {
            !watcher.query(kill, &[]).unwrap().is_empty()
        });
        assert!(matches!(migrating.join().unwrap(), Err(Error::Unavailable(_))));
    });
    assert!(!client(&db).query_one(IS_VALID, &[]).unwrap().get::<_, bool>(0));
    writer.batch_execute("COMMIT").unwrap();
    migrate(&db, &migrations).unwrap();
    assert!(client(&db).query_one(IS_VALID, &[]).unwrap().get::<_, bool>(0));
}

/// Requests queue up behind a migration that waits.
#[test]
fn a_migration_does_not_wait_for_a_long_transaction() {
    let db = Db::postgres();
    drop(db.open());
    let migrations = with(Change::AtOnce(&["ALTER TABLE folios ADD COLUMN colour TEXT"]));
    let mut holder = client(&db);
    holder
        .batch_execute("BEGIN; LOCK TABLE folios IN SHARE MODE")
        .unwrap();
    let refused = migrate(&db, &migrations);
    assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
    holder.batch_execute("ROLLBACK").unwrap();
    migrate(&db, &migrations).unwrap();
}
