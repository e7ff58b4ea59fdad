//! Callers that stop waiting: their transaction is rolled back, or its result is returned.

use crate::db::{Db, names, run, write};
use crate::engine_gates::{Gate, Waiting, hold_writers, opened, poll_once, waiting};
use crate::sample::at;
use domain::CompanyId;
use std::time::Duration;
use store::{Error, Settings, Store};
use tokio::time::{pause, resume, timeout};

/// Longer than an answer is waited for, and shorter than a commit is.
const BEYOND_TIMEOUT: Duration = Duration::from_secs(17);

pub(crate) fn a_timed_out_transaction_is_rolled_back(db: &Db) {
    let store = db.open_with_timeouts();
    run(async {
        let (begun, gate) = (Gate::default(), Gate::default());
        let asked = held_mid_transaction(&store, &begun, &gate);
        opened(&begun).await;
        // Nothing happens by itself now, and so time runs ahead to the next thing that waits for it.
        pause();
        let given_up = asked.await;
        resume();
        assert!(matches!(given_up, Err(Error::Unavailable(_))), "{given_up:?}");
        gate.open();
    });
    assert_committed(db, store, &[]);
}

pub(crate) fn a_transaction_whose_caller_left_is_rolled_back(db: &Db) {
    let store = db.open_with_timeouts();
    run(async {
        let (begun, gate) = (Gate::default(), Gate::default());
        let asked = held_mid_transaction(&store, &begun, &gate);
        opened(&begun).await;
        drop(asked);
        gate.open();
        write(&store, |tx| tx.add_company("waited for", at(0)))
            .await
            .unwrap();
    });
    assert_committed(db, store, &["waited for"]);
}

pub(crate) fn a_write_without_timeout_is_waited_for(db: &Db) {
    let store = db.open_with_timeouts();
    run(async {
        let (begun, gate) = (Gate::default(), Gate::default());
        let (begins, passes) = (begun.clone(), gate.clone());
        let mut asked = Box::pin(store.write_without_timeout(move |tx| {
            begins.open();
            passes.pass();
            tx.add_company("at last", at(0))
        }));
        assert!(poll_once(asked.as_mut()).is_pending());
        opened(&begun).await;
        pause();
        let early = timeout(2 * BEYOND_TIMEOUT, asked.as_mut()).await;
        assert!(early.is_err(), "{early:?}");
        resume();
        gate.open();
        asked.await.unwrap();
    });
    assert_committed(db, store, &["at last"]);
}

/// `SQLite`: those who share a commit wait for the last of them, who may be the slowest.
#[test]
fn a_group_commit_is_waited_for() {
    let db = Db::sqlite();
    let store = db.open_with_timeouts();
    run(async {
        let held_back = Gate::default();
        let held = hold_writers(&store, &held_back);
        let mut done = waiting(&store, |tx| tx.add_company("done", at(0)));
        let (begun, gate) = (Gate::default(), Gate::default());
        let slow = held_mid_transaction(&store, &begun, &gate);
        held_back.open();
        opened(&begun).await;
        pause();
        let early = timeout(BEYOND_TIMEOUT, done.as_mut()).await;
        assert!(early.is_err(), "{early:?}");
        resume();
        drop(slow);
        gate.open();
        done.await.unwrap();
        for held in held {
            held.await.unwrap();
        }
    });
    assert_committed(&db, store, &["done"]);
}

/// `PostgreSQL`: the server may take its time over the commit itself.
#[test]
fn a_commit_in_progress_is_waited_for() {
    let db = Db::postgres();
    let store = db.open_with_timeouts();
    let Settings::Postgres(url) = &db.settings else {
        unreachable!()
    };
    db.raw(
        "CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
             'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END';
         CREATE CONSTRAINT TRIGGER hold AFTER INSERT ON companies DEFERRABLE INITIALLY DEFERRED
             FOR EACH ROW EXECUTE FUNCTION hold()",
    );
    let mut other = postgres::Client::connect(url, postgres::NoTls).unwrap();
    other.batch_execute("SELECT pg_advisory_lock(1)").unwrap();
    run(async {
        let mut asked = waiting(&store, |tx| tx.add_company("done", at(0)));
        let held = aside(|| (0..10_000).any(|_| a_commit_waits(&mut other)));
        assert!(held, "no commit was held up");
        pause();
        let early = timeout(BEYOND_TIMEOUT, asked.as_mut()).await;
        assert!(early.is_err(), "{early:?}");
        resume();
        aside(|| other.batch_execute("SELECT pg_advisory_unlock(1)").unwrap());
        asked.await.unwrap();
    });
    assert_committed(&db, store, &["done"]);
}

/// A write that has begun, or will, and ends when the gate is opened.
fn held_mid_transaction<'s>(store: &'s Store, begun: &Gate, gate: &Gate) -> Waiting<'s, CompanyId> {
    let (begun, gate) = (begun.clone(), gate.clone());
    waiting(store, move |tx| {
        let added = tx.add_company("half way", at(0))?;
        begun.open();
        gate.pass();
        Ok(added)
    })
}

/// Asserts that these companies are there, and no others, once everything that was begun has come to its end.
fn assert_committed(db: &Db, store: Store, expected: &[&str]) {
    drop(store);
    assert_eq!(run(names(&db.open())), expected);
}

/// The driver blocks on a runtime of its own, which it must not do within another.
fn aside<T: Send>(act: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(act).join().unwrap())
}

fn a_commit_waits(client: &mut postgres::Client) -> bool {
    let sql = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    client.query_one(sql, &[]).unwrap().get::<_, i64>(0) > 0
}
