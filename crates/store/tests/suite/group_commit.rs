//! `SQLite`: many acts, one disk sync; and one writer among all processes.

use crate::db::{Db, names, run, write};
use crate::engine_gates::{Gate, Waiting, hold_writers, opened, waiting, waiting_retryable};
use crate::failures::on_purpose;
use crate::sample::at;
use domain::CompanyId;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use store::{Error, Settings, Store};

#[test]
fn waiting_transactions_share_one_commit() {
    let db = Db::sqlite();
    let Settings::Sqlite(path) = &db.settings else {
        unreachable!()
    };
    let store = db.open();
    let _reader = hold_log(path);
    // The log may begin anew with this one, and with none after it.
    run(write(&store, |tx| tx.add_company("first", at(0)))).unwrap();
    let before = commits(path);
    for number in 0..3 {
        run(write(&store, move |tx| {
            tx.add_company(&format!("alone {number}"), at(0))
        }))
        .unwrap();
    }
    assert_eq!(commits(path) - before, 3, "one by one, a commit each");

    run(async {
        let gate = Gate::default();
        let held = hold_writers(&store, &gate);
        let add = |number| {
            waiting(&store, move |tx| {
                tx.add_company(&format!("together {number}"), at(0))
            })
        };
        let added: Vec<_> = (0..200).map(add).collect();
        gate.open();
        for held in held {
            held.await.unwrap();
        }
        for added in added {
            added.await.unwrap();
        }
    });
    assert_eq!(commits(path) - before, 4, "together, one for all");
}

/// A write of a name that may be run again, and how often it was run.
fn retryable<'s>(store: &'s Store, name: &'static str) -> (Waiting<'s, CompanyId>, Arc<AtomicUsize>) {
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let asked = waiting_retryable(store, move |tx| {
        counted.fetch_add(1, Ordering::Relaxed);
        tx.add_company(name, at(0))
    });
    (asked, runs)
}

/// Holds the writer with a transaction that is rolled back: later transactions share one commit.
fn hold_the_writer<'s>(store: &'s Store, gate: &Gate) -> Waiting<'s, ()> {
    let gate = gate.clone();
    waiting(store, move |_| {
        gate.pass();
        Err(Error::Stale)
    })
}

#[test]
fn retryable_transactions_are_rerun_when_another_fails() {
    let db = Db::sqlite();
    let store = db.open();
    run(async {
        let gate = Gate::default();
        let held = hold_the_writer(&store, &gate);
        let (first, first_runs) = retryable(&store, "first");
        let (second, second_runs) = retryable(&store, "second");
        let harmless: Waiting<'_, ()> = waiting(&store, |_| Err(Error::Stale));
        let same: Waiting<'_, CompanyId> = waiting(&store, |tx| tx.add_company("first", at(0)));
        let failing: Waiting<'_, ()> = waiting(&store, |tx| {
            tx.add_company("undone", at(0))?;
            Err(Error::Stale)
        });
        let failing_too: Waiting<'_, ()> = waiting(&store, |tx| {
            tx.add_company("undone", at(0))?;
            Err(Error::Stale)
        });
        let once = waiting(&store, |tx| tx.add_company("once", at(0)));
        let (last, last_runs) = retryable(&store, "last");
        let failing_last: Waiting<'_, ()> = waiting_retryable(&store, |tx| {
            tx.add_company("undone", at(0))?;
            Err(Error::Stale)
        });
        gate.open();
        assert!(matches!(held.await, Err(Error::Stale)));
        for kept in [first, second, once, last] {
            kept.await.unwrap();
        }
        assert!(matches!(harmless.await, Err(Error::Stale)));
        assert!(matches!(same.await, Err(Error::Duplicate(_))));
        for failed in [failing, failing_too, failing_last] {
            assert!(matches!(failed.await, Err(Error::Stale)));
        }
        let runs = [first_runs, second_runs, last_runs].map(|runs| runs.load(Ordering::Relaxed));
        assert_eq!(
            runs,
            [2, 2, 1],
            "only what had to be undone is run again, and once"
        );
        assert_eq!(names(&store).await, ["first", "second", "once", "last"]);
    });
}

#[test]
fn a_panic_undoes_no_retryable_transaction() {
    let db = Db::sqlite();
    let store = db.open();
    run(async {
        let gate = Gate::default();
        let held = hold_the_writer(&store, &gate);
        let (first, _) = retryable(&store, "first");
        let harmless = waiting(&store, |tx| tx.savepoint(|_| on_purpose()));
        let (second, _) = retryable(&store, "second");
        let panicking = waiting(&store, |tx| {
            tx.add_company("bad", at(0))?;
            tx.savepoint(|tx| {
                tx.add_company("worse", at(0))?;
                on_purpose()
            })
        });
        let third = waiting_retryable(&store, |tx| {
            let refused = tx.savepoint(|tx| {
                tx.add_company("within", at(0))?;
                tx.add_company("first", at(0))
            });
            assert!(matches!(refused, Err(Error::Duplicate(_))));
            tx.add_company("third", at(0))
        });
        gate.open();
        assert!(matches!(held.await, Err(Error::Stale)));
        for kept in [first, second, third] {
            kept.await.unwrap();
        }
        for panicked in [harmless, panicking] {
            assert!(matches!(panicked.await, Err(Error::Panicked)));
        }
        assert_eq!(names(&store).await, ["first", "second", "third"]);
    });
}

#[test]
fn a_rerun_keeps_nothing_of_the_first_run() {
    let db = Db::sqlite();
    let store = db.open();
    run(async {
        let gate = Gate::default();
        let held = hold_the_writer(&store, &gate);
        let (begun, end) = (Gate::default(), Gate::default());
        let left = {
            let runs = AtomicUsize::new(0);
            waiting_retryable(&store, move |tx| {
                // What is said the second time counts.
                match runs.fetch_add(1, Ordering::Relaxed) {
                    0 => tx.add_company("the first time", at(0)).map(|_| "the first time"),
                    _ => Err(Error::Stale),
                }
            })
        };
        let (kept, _) = retryable(&store, "kept");
        let (begins, ends) = (begun.clone(), end.clone());
        let gone = waiting_retryable(&store, move |tx| {
            let added = tx.add_company("nobody waits", at(0));
            begins.open();
            ends.pass();
            added
        });
        gate.open();
        opened(&begun).await;
        drop(gone);
        end.open();
        kept.await.unwrap();
        assert!(matches!(left.await, Err(Error::Stale)));
        assert!(matches!(held.await, Err(Error::Stale)));
        assert_eq!(names(&store).await, ["kept"]);
    });
}

#[test]
fn a_database_held_by_another_process_refuses_the_whole_queue() {
    let db = Db::sqlite();
    let Settings::Sqlite(path) = &db.settings else {
        unreachable!()
    };
    let store = db.open_with_timeouts();
    let other = rusqlite::Connection::open(path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    run(async {
        let add = |number| waiting(&store, move |tx| tx.add_company(&format!("{number}"), at(0)));
        let asked: Vec<_> = (0..20).map(add).collect();
        for refused in asked {
            let refused = refused.await;
            assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
        }
        assert_eq!(names(&store).await.len(), 0, "reads go on");
        other.execute_batch("COMMIT").unwrap();
        write(&store, |tx| tx.add_company("at last", at(0)))
            .await
            .unwrap();
        assert_eq!(names(&store).await, ["at last"]);
    });
}

#[test]
fn the_database_and_its_log_are_for_their_owner_alone() {
    let db = Db::sqlite();
    let Settings::Sqlite(path) = &db.settings else {
        unreachable!()
    };
    let store = db.open();
    run(write(&store, |tx| tx.add_company("first", at(0)))).unwrap();
    for file in ["db", "db-wal", "db-shm"].map(|end| path.with_extension(end)) {
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.display());
    }
}

/// A reader whose view of the database keeps what is written from now on out of it, and so in the log.
fn hold_log(database: &Path) -> rusqlite::Connection {
    let reader = rusqlite::Connection::open(database).unwrap();
    reader.execute_batch("BEGIN").unwrap();
    let read = reader.query_row("SELECT count(*) FROM companies", [], |row| row.get::<_, i64>(0));
    assert_eq!(read.unwrap(), 0);
    reader
}

/// The transactions in the write-ahead log: frames that say how large the database is afterwards.
fn commits(database: &Path) -> usize {
    let log = fs::read(database.with_extension("db-wal")).unwrap();
    let Some((header, frames)) = log.split_at_checked(32) else {
        return 0;
    };
    let page = u32::from_be_bytes(header[8..12].try_into().unwrap());
    let frames = frames.chunks_exact(24 + usize::try_from(page).unwrap());
    frames
        .filter(|frame| frame[8..16] == header[16..24] && frame[4..8] != [0; 4])
        .count()
}
