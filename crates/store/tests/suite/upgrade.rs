//! Databases of other versions, and the first start of many.

use crate::db::{Db, company, history_key, names, read, run, write};
use crate::sample::{act, at, cancel, stored};
use domain::{BulkId, CompanyId, FolioId, FolioState, Permissions};
use std::sync::Barrier;
use std::thread;
use store::{Error, KeyClaim, KeyHash, LATEST_VERSION, Settings, Store};

/// The folios of `first_migration.sql`, and its bulk signature.
const IDS: [&str; 3] = [
    "cd2662154e6d76b2b2b92e70c0cac3cc",
    "d5688a52d55a02ec4aea5ec1eadfffe1",
    "5dee4dd60ff8d0ba9900fe91e90e0dcf",
];
const BULK: &str = "a3eb8db89fc5123ccfd49585059f292b";

/// Events of those versions have neither digests nor codes: they are not taken for events of this one.
pub(crate) fn a_database_with_events_from_before_the_first_release_is_refused(db: &Db) {
    db.settings.migrate_to(1).unwrap();
    db.raw(&db.with_bytes(include_str!("first_migration.sql")));
    for _ in 0..2 {
        match Store::open(&db.settings, Some(history_key())) {
            Err(Error::Settings(why)) => {
                assert!(
                    why.contains("made by a version before the first release"),
                    "{why}"
                );
            }
            other => panic!("{other:?}"),
        }
        let applied = db.settings.read_dedicated(store::applied_version);
        assert_eq!(applied.unwrap(), 1, "it is left as it was");
    }
}

pub(crate) fn a_database_of_the_first_migration_keeps_everything(db: &Db) {
    db.settings.migrate_to(1).unwrap();
    assert_eq!(db.settings.read_dedicated(store::applied_version).unwrap(), 1);
    db.raw(&db.with_bytes(include_str!("first_migration.sql")));
    db.raw("DELETE FROM events");
    let company = CompanyId(1);

    let store = db.open();
    run(async {
        assert_eq!(read(&store, store::applied_version).await, LATEST_VERSION);
        let ids = IDS.map(|id| id.parse::<FolioId>().unwrap());
        assert_eq!(
            stored(&store, company, ids[0]).await.folio.state,
            FolioState::Cancelled
        );
        for id in ids {
            let folio = stored(&store, company, id).await.folio;
            assert!(!folio.documents.is_empty());
        }
        let second = stored(&store, company, ids[1]).await.seq;
        let (last, bulk_id) = (ids[2], BULK.parse::<BulkId>().unwrap());
        write(&store, move |tx| {
            let bulk = tx.bulk(company, bulk_id)?.unwrap();
            assert_eq!(tx.folios_of_bulk(company, bulk.seq)?.len(), 3);
            assert_eq!(tx.resends_since(second, at(0))?.len(), 1);
            let key = tx.live_key(&KeyHash { hash: [2; 32] }, at(0))?.unwrap();
            assert_eq!((key.company, key.permissions), (company, Permissions::ALL));
            assert_eq!(tx.keys_of(company)?[0].hint, None);
            let kept = tx.claim_idempotency_key(company, "key", &[1; 32], at(1), at(-1))?;
            assert!(matches!(kept, KeyClaim::Replayed(_)));
            assert_eq!(tx.messages_of(company, last)?.len(), 2);
            assert_eq!(tx.mark_orphans(&[[7; 32], [8; 32]], at(0))?, 1);
            Ok(())
        })
        .await
        .unwrap();
        assert_eq!(act(&store, company, ids.to_vec(), cancel).await.unwrap().len(), 2);
        for id in ids {
            stored(&store, company, id).await;
        }
    });
}

pub(crate) fn a_database_with_other_migrations_is_refused(db: &Db) {
    db.settings.migrate_to(6).unwrap();
    db.raw("INSERT INTO migrations (version, name) VALUES (7, 'shown_documents'), (12, 'revocations')");
    let opened = Store::open(&db.settings, Some(history_key()));
    assert!(
        matches!(&opened, Err(Error::Settings(why)) if why.contains("made by a version before the first release")),
        "{opened:?}"
    );
}

pub(crate) fn a_newer_database_is_refused(db: &Db) {
    run(company(&db.open(), "From the future"));
    let future = LATEST_VERSION + 1;
    db.raw(&format!(
        "INSERT INTO migrations (version, name) VALUES ({future}, 'future')"
    ));
    match Store::open(&db.settings, Some(history_key())) {
        Err(Error::Settings(why)) => {
            assert!(
                why.contains("newer") && why.contains(&future.to_string()),
                "{why}"
            );
        }
        other => panic!("{other:?}"),
    }
    db.raw(&format!("DELETE FROM migrations WHERE version = {future}"));
    assert_eq!(run(names(&db.open())), ["From the future"]);
}

pub(crate) fn opening_an_empty_database_at_once_works(db: &Db) {
    const INSTANCES: usize = 8;
    let ready = Barrier::new(INSTANCES);
    let stores: Vec<Store> = thread::scope(|scope| {
        let open = || {
            ready.wait();
            Store::open(&db.settings, Some(history_key()))
        };
        let opening: Vec<_> = (0..INSTANCES).map(|_| scope.spawn(open)).collect();
        opening
            .into_iter()
            .map(|thread| thread.join().unwrap().unwrap())
            .collect()
    });
    run(async {
        for (store, name) in stores.iter().zip(["a", "b", "c", "d", "e", "f", "g", "h"]) {
            company(store, name).await;
            assert_eq!(read(store, store::applied_version).await, LATEST_VERSION);
        }
        assert_eq!(names(&stores[0]).await.len(), INSTANCES);
    });
}

/// On `PostgreSQL`: requests queue up behind a migration that waits.
#[test]
fn a_migration_does_not_wait_for_a_long_transaction() {
    let db = Db::postgres();
    let Settings::Postgres(url) = &db.settings else {
        unreachable!("it is a PostgreSQL");
    };
    db.settings.migrate_to(LATEST_VERSION - 1).unwrap();
    let mut holder = postgres::Client::connect(url, postgres::NoTls).unwrap();
    holder
        .batch_execute("BEGIN; LOCK TABLE migrations IN SHARE MODE")
        .unwrap();
    let refused = db.settings.migrate();
    assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
    holder.batch_execute("ROLLBACK").unwrap();
    db.settings.migrate().unwrap();
    let applied = db.settings.read_dedicated(store::applied_version);
    assert_eq!(applied.unwrap(), LATEST_VERSION);
}
