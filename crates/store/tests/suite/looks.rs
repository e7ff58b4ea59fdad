//! Reads of a few rows, wherever they run.

use crate::db::{Db, company, run, write};
use crate::sample::at;
use std::thread;
use store::{Error, Store, Tx};

async fn names(store: &Store) -> Result<Vec<String>, Error> {
    store.look(|tx| tx.company_names()).await
}

pub(crate) fn a_look_sees_what_is_committed_and_writes_nothing(db: &Db) {
    let store = db.open();
    run(async {
        assert_eq!(names(&store).await.unwrap(), Vec::<String>::new());
        company(&store, "Seen").await;
        assert_eq!(names(&store).await.unwrap(), ["Seen"]);
        let written = store.look(|tx| tx.add_company("Unseen", at(0))).await;
        assert!(matches!(written, Err(Error::Statement(_))), "{written:?}");
        assert_eq!(names(&store).await.unwrap(), ["Seen"]);
    });
}

pub(crate) fn a_look_that_panics_fails_alone(db: &Db) {
    let store = db.open();
    run(async {
        // More often than there are connections: each of them is as good as before.
        for _ in 0..20 {
            let looked = store
                .look(|_: &mut Tx<'_>| -> Result<(), Error> { panic!("on purpose") })
                .await;
            assert!(matches!(looked, Err(Error::Panicked)), "{looked:?}");
        }
        write(&store, |tx| tx.add_company("After", at(0))).await.unwrap();
        assert_eq!(names(&store).await.unwrap(), ["After"]);
    });
}

pub(crate) fn more_looks_than_connections_are_all_answered(db: &Db) {
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
