//! Databases of other versions, and the first start of many.

use crate::db::{Db, company, history_key, names, read, run};
use std::sync::Barrier;
use std::thread;
use store::{Error, LATEST_VERSION, Store};

pub(crate) fn a_database_from_before_the_first_release_is_refused_and_left_alone(db: &Db) {
    db.raw(
        "CREATE TABLE migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL);
         INSERT INTO migrations (version, name) VALUES (1, 'first_schema'), (2, 'blob_sweeping')",
    );
    for _ in 0..2 {
        let opened = Store::open(&db.settings, Some(history_key()));
        assert!(
            matches!(&opened, Err(Error::Settings(why)) if why.contains("made by a version before the first release")),
            "{opened:?}"
        );
        assert_eq!(db.tables(), ["migrations"]);
    }
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
