//! Reads of a few rows, wherever they run.

use crate::db::{Db, company, run, write};
use crate::keys::{add, id, secret};
use crate::sample::{at, created};
use domain::{CompanyId, DocumentId, KeyId};
use std::thread;
use store::{DocumentLookup, Error, Store, Tx};

async fn names(store: &Store) -> Result<Vec<String>, Error> {
    store.read_inline(|tx| tx.company_names()).await
}

pub(crate) fn an_inline_read_sees_what_is_committed_and_writes_nothing(db: &Db) {
    let store = db.open();
    run(async {
        assert_eq!(names(&store).await.unwrap(), Vec::<String>::new());
        company(&store, "Seen").await;
        assert_eq!(names(&store).await.unwrap(), ["Seen"]);
        let written = store.read_inline(|tx| tx.add_company("Unseen", at(0))).await;
        assert!(
            matches!(written, Err(Error::Statement(_) | Error::Unavailable(_))),
            "{written:?}"
        );
        assert_eq!(names(&store).await.unwrap(), ["Seen"]);
    });
}

pub(crate) fn an_inline_read_that_panics_fails_alone(db: &Db) {
    let store = db.open();
    run(async {
        // More often than there are connections: each of them is as good as before.
        for _ in 0..20 {
            let looked = store
                .read_inline(|_: &mut Tx<'_>| -> Result<(), Error> { panic!("on purpose") })
                .await;
            assert!(matches!(looked, Err(Error::Panicked)), "{looked:?}");
        }
        write(&store, |tx| tx.add_company("After", at(0))).await.unwrap();
        assert_eq!(names(&store).await.unwrap(), ["After"]);
    });
}

pub(crate) fn an_inline_read_that_panics_half_way_leaves_nothing_open(db: &Db) {
    let store = db.open();
    run(async {
        company(&store, "Before").await;
        let looked = store.read_inline(|tx| -> Result<(), Error> {
            tx.savepoint(|tx| panic!("on purpose, after {:?}", tx.company_names()))
        });
        assert!(matches!(looked.await, Err(Error::Panicked)));
        company(&store, "After").await;
        assert_eq!(names(&store).await.unwrap(), ["Before", "After"]);
    });
}

pub(crate) fn more_inline_reads_than_connections_are_all_answered(db: &Db) {
    let store = db.open();
    run(company(&store, "Busy"));
    thread::scope(|scope| {
        for _ in 0..32 {
            scope.spawn(|| {
                run(async {
                    for _ in 0..20 {
                        assert_eq!(names(&store).await.unwrap(), ["Busy"]);
                    }
                });
            });
        }
    });
}

pub(crate) fn an_inline_read_sees_one_snapshot(db: &Db) {
    let store = db.open();
    run(company(&store, "Before"));
    let other = store.clone();
    let seen = run(store.read_inline(move |tx| -> Result<_, Error> {
        let before = tx.company_names()?;
        thread::spawn(move || run(company(&other, "Meanwhile")))
            .join()
            .unwrap();
        Ok((before, tx.company_names()?))
    }));
    let before = vec!["Before".to_owned()];
    assert_eq!(seen.unwrap(), (before.clone(), before));
    assert_eq!(run(names(&store)).unwrap(), ["Before", "Meanwhile"]);
}

fn admitted(store: &Store, number: u8, second: i64) -> Option<KeyId> {
    let live = run(store.read_inline(move |tx| tx.live_key(&secret(number), at(second))));
    live.unwrap().map(|live| live.id)
}

pub(crate) fn a_revoked_or_expired_key_is_refused_by_the_next_read(db: &Db) {
    let stores = db.open_many(2);
    let store = &stores[0];
    run(async {
        let company = company(store, "Ours").await;
        add(store, company, 1, None).await;
        add(store, company, 2, Some(at(100))).await;
    });
    // All in one thread, and so on one connection.
    let lives = |number, second| {
        for _ in 0..2 {
            assert_eq!(admitted(store, number, second), Some(id(number)));
        }
    };
    lives(2, 99);
    assert_eq!(admitted(store, 2, 100), None, "it ends without anybody's doing");
    lives(1, 0);
    assert_eq!(admitted(store, 3, 0), None, "another whose hash begins alike");
    lives(1, 0);
    run(write(store, |tx| tx.revoke_key(id(1), at(50)))).unwrap();
    assert_eq!(admitted(store, 1, 0), None, "by the same instance");
    lives(2, 0);
    run(write(&stores[1], |tx| tx.revoke_key(id(2), at(50)))).unwrap();
    assert_eq!(admitted(store, 2, 0), None, "by another");
    db.raw("UPDATE api_keys SET revoked_at = NULL");
    lives(1, 0);
    db.raw("UPDATE api_keys SET revoked_at = 0");
    assert_eq!(admitted(store, 1, 0), None, "by SQL of another program");
}

fn found(store: &Store, company: CompanyId, id: DocumentId) -> DocumentLookup {
    run(store.read_inline(move |tx| tx.find_document(company, id))).unwrap()
}

pub(crate) fn a_changed_document_is_seen_by_the_next_read(db: &Db) {
    let store = db.open();
    let (ours, theirs) = run(async { (company(&store, "Ours").await, company(&store, "Theirs").await) });
    let created = created(ours, 1, &[[7; 32]]);
    let document = created.folio.documents[0].id;
    run(write(&store, move |tx| tx.insert_folio(&created, &[]))).unwrap();
    let is_own = |hash: [u8; 32]| {
        let found = found(&store, ours, document);
        matches!(found, DocumentLookup::Own(file) if file.sha256 == hash)
    };
    for _ in 0..2 {
        assert!(is_own([7; 32]));
        assert!(matches!(found(&store, theirs, document), DocumentLookup::Foreign));
    }
    let changed = format!(
        "UPDATE documents SET current_sha256 = <bytes {}>, changed_at = 5",
        "08".repeat(32)
    );
    db.raw(&db.with_bytes(&changed));
    assert!(is_own([8; 32]));
    db.raw("UPDATE folios SET dropped = 1");
    assert!(matches!(found(&store, ours, document), DocumentLookup::Unknown));
}
