//! `PostgreSQL`: the isolation is the store's own choice, and a transaction that was in another's way is run again.

use crate::db::{Db, all_at_once, company, run, write};
use crate::engine_gates::{Gate, opened};
use crate::sample::{created, folios};
use domain::{CompanyId, FolioId};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use store::{Error, Store, Tx};

#[test]
fn a_role_whose_default_is_serializable_creates_many_at_once() {
    let db = Db::postgres();
    db.raw(
        "DO $$ BEGIN EXECUTE format(
             'ALTER ROLE test IN DATABASE %I SET default_transaction_isolation = serializable', current_database());
         END $$",
    );
    let stores = db.open_many(3);
    run(async {
        let company = company(&stores[0], "Strict").await;
        let creates = (0..240).map(|number| {
            let store = stores[number % stores.len()].clone();
            async move {
                let made = created(company, 2, &[[7; 32]]);
                write(&store, move |tx| {
                    tx.keep_blobs(&[[7; 32]], Duration::ZERO)?;
                    tx.insert_folio(&made, &[])
                })
                .await
            }
        });
        let failed: Vec<_> = all_at_once(creates)
            .await
            .into_iter()
            .filter_map(Result::err)
            .collect();
        assert!(failed.is_empty(), "{} of 240: {:?}", failed.len(), failed[0]);
    });
}

/// Locks two folios one after the other. In the first run it waits in between until another transaction has one, too.
fn lock_both(
    company: CompanyId,
    [first, second]: [FolioId; 2],
    own: &Gate,
    other: &Gate,
    runs: &Arc<AtomicUsize>,
) -> impl Fn(&mut Tx<'_>) -> Result<(), Error> + Send + 'static {
    let (own, other, runs) = (own.clone(), other.clone(), runs.clone());
    move |tx| {
        runs.fetch_add(1, Ordering::Relaxed);
        tx.lock_folios(company, &[first])?;
        own.open();
        other.pass();
        tx.lock_folios(company, &[second]).map(drop)
    }
}

/// Two transactions that each wait for the other; what became of them, and how often they were run.
async fn deadlocked(store: &Store, retryable: bool) -> (Vec<Result<(), Error>>, usize) {
    let company = company(store, "Crossed").await;
    let ids = folios(store, company, 2).await;
    let (one, other, runs) = (Gate::default(), Gate::default(), Arc::default());
    let tasks = [
        lock_both(company, [ids[0], ids[1]], &one, &other, &runs),
        lock_both(company, [ids[1], ids[0]], &other, &one, &runs),
    ];
    let outcomes = all_at_once(tasks.map(|body| {
        let store = store.clone();
        async move {
            if retryable {
                store.write_retryable(body).await
            } else {
                store.write(body).await
            }
        }
    }))
    .await;
    opened(&one).await;
    (outcomes, runs.load(Ordering::Relaxed))
}

#[test]
fn of_two_that_wait_for_each_other_one_is_run_again() {
    let db = Db::postgres();
    let store = db.open();
    let (outcomes, runs) = run(deadlocked(&store, true));
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    assert_eq!(runs, 3);
}

#[test]
fn a_body_that_runs_once_is_told_that_nothing_was_written() {
    let db = Db::postgres();
    let store = db.open();
    let (outcomes, runs) = run(deadlocked(&store, false));
    let failed: Vec<_> = outcomes.iter().filter_map(|one| one.as_ref().err()).collect();
    assert!(matches!(failed[..], [Error::Unavailable(_)]), "{outcomes:?}");
    assert_eq!(runs, 2);
}

#[test]
fn a_row_that_refers_to_a_locked_folio_is_inserted_without_waiting() {
    let db = Db::postgres();
    let store = db.open();
    run(async {
        let company = company(&store, "Locked").await;
        let id = folios(&store, company, 1).await[0];
        let (locked, gate) = (Gate::default(), Gate::default());
        let holder = {
            let (store, locked, gate) = (store.clone(), locked.clone(), gate.clone());
            tokio::spawn(async move {
                write(&store, move |tx| {
                    tx.lock_folios(company, &[id])?;
                    locked.open();
                    gate.pass();
                    Ok(())
                })
                .await
            })
        };
        opened(&locked).await;
        let insert =
            "SET lock_timeout = '5s'; INSERT INTO resends (folio, signer, at) SELECT seq, 0, 0 FROM folios";
        std::thread::scope(|scope| scope.spawn(|| db.raw(insert)).join().unwrap());
        gate.open();
        holder.await.unwrap().unwrap();
    });
}
