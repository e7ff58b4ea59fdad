//! Transactions that fail: they leave nothing behind, and do not affect other transactions.

use crate::db::{Db, company, names, read, run, write};
use crate::engine_gates::{Gate, hold_writers, waiting};
use crate::keys::new_key;
use crate::sample::{at, created, folios};
use domain::{CompanyId, KeyId};
use store::{Error, KeyHash, Tx};

pub(crate) fn names_and_identifiers_are_taken_once(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Once").await;
        let again = write(&store, |tx| tx.add_company("Once", at(0))).await;
        assert!(matches!(again, Err(Error::Duplicate(_))), "{again:?}");

        let new = created(company, 1, &[[1; 32]]);
        let mut same_document = created(company, 1, &[[1; 32]]);
        same_document.folio.documents[0].id = new.folio.documents[0].id;
        let same_folio = new.clone();
        write(&store, move |tx| tx.insert_folio(&new, &[])).await.unwrap();
        for twice in [same_folio, same_document] {
            let refused = write(&store, move |tx| tx.insert_folio(&twice, &[])).await;
            assert!(matches!(refused, Err(Error::Duplicate(_))), "{refused:?}");
        }

        let add_key = move |tx: &mut Tx<'_>| {
            let (id, key) = (KeyId::from_bytes([1; 16]), KeyHash { hash: [1; 32] });
            tx.add_key(&new_key(id, company, &key))
        };
        write(&store, add_key).await.unwrap();
        let refused = write(&store, add_key).await;
        assert!(matches!(refused, Err(Error::Duplicate(_))), "{refused:?}");

        let nobodys = created(CompanyId(999), 1, &[[1; 32]]);
        let refused = write(&store, move |tx| tx.insert_folio(&nobodys, &[])).await;
        assert!(matches!(refused, Err(Error::Statement(_))), "{refused:?}");
        assert_eq!(
            read(&store, |tx| tx.outbox_age()).await.waiting,
            1,
            "the refused left nothing"
        );
    });
}

pub(crate) fn a_panic_fails_alone(db: &Db) {
    let store = db.open();
    run(async {
        // With the writers held they queue up, and share a commit where the engine groups them.
        let gate = Gate::default();
        let held = hold_writers(&store, &gate);
        let (mut good, mut bad) = (Vec::new(), Vec::new());
        for number in 0..10 {
            good.push(waiting(&store, move |tx| {
                tx.add_company(&format!("good {number}"), at(0))
            }));
            bad.push(waiting(&store, move |tx| {
                tx.add_company(&format!("bad {number}"), at(0))?;
                tx.savepoint(|tx| {
                    tx.add_company(&format!("worse {number}"), at(0))?;
                    on_purpose()
                })
            }));
        }
        gate.open();
        for held in held {
            held.await.unwrap();
        }
        for added in good {
            added.await.unwrap();
        }
        for panicking in bad {
            let outcome = panicking.await;
            assert!(matches!(outcome, Err(Error::Panicked)), "{outcome:?}");
        }
        let kept = names(&store).await;
        assert_eq!(kept.len(), 10, "{kept:?}");
        assert!(
            kept.iter()
                .all(|name| !name.contains("bad") && !name.contains("worse"))
        );

        let reading = store.read(|_| on_purpose());
        assert!(matches!(reading.await, Err(Error::Panicked)));
        for _ in 0..20 {
            assert_eq!(names(&store).await.len(), 10);
        }
    });
}

/// Panics without a word on the terminal.
pub(crate) fn on_purpose() -> Result<(), Error> {
    std::panic::resume_unwind(Box::new("on purpose"))
}

pub(crate) fn a_failed_act_leaves_nothing(db: &Db) {
    let store = db.open();
    run(async {
        let company = company(&store, "Nothing").await;
        let kept = folios(&store, company, 1).await;
        let new = created(company, 2, &[[1; 32]]);
        let id = new.folio.id;
        let failed: Result<(), Error> = write(&store, move |tx| {
            tx.insert_folio(&new, &[])?;
            tx.add_company("Never", at(0))?;
            Err(Error::Stale)
        })
        .await;
        assert!(matches!(failed, Err(Error::Stale)));
        let found = read(&store, move |tx| tx.folios(company, &[id, kept[0]])).await;
        assert_eq!(found.len(), 1);
        assert_eq!(names(&store).await, ["Nothing"]);
        assert_eq!(read(&store, |tx| tx.outbox_age()).await.waiting, 2);
    });
}

pub(crate) fn an_attempt_fails_without_the_rest(db: &Db) {
    let store = db.open();
    run(async {
        write(&store, |tx| {
            tx.add_company("before", at(0))?;
            let failed = tx.savepoint(|tx| {
                tx.add_company("within", at(0))?;
                tx.add_company("before", at(0))
            });
            assert!(matches!(failed, Err(Error::Duplicate(_))));
            tx.savepoint(|tx| tx.add_company("again", at(0)))?;
            tx.add_company("after", at(0))
        })
        .await
        .unwrap();
        assert_eq!(names(&store).await, ["before", "again", "after"]);
    });
}

/// A body may swallow an engine's error; whether the rest is kept is the engine's choice, but never a secret.
pub(crate) fn what_is_answered_well_is_there(db: &Db) {
    let store = db.open();
    run(async {
        company(&store, "taken").await;
        let answered = write(&store, |tx| {
            tx.add_company("mine", at(0))?;
            let _ = tx.add_company("taken", at(0));
            Ok(())
        })
        .await;
        let there = read(&store, |tx| tx.company_named("mine")).await.is_some();
        assert_eq!(answered.is_ok(), there, "{answered:?}");
        company(&store, "next").await;
    });
}
