//! `SQLite`: the write-ahead log gets its length back after a long read.

use crate::db::{Db, company, run, wait_for, write};
use crate::engine_gates::{Gate, opened};
use crate::sample::at;
use std::time::Duration;
use store::{Error, Settings};

const MIB: u64 = 1 << 20;

#[test]
fn a_log_that_grew_during_a_long_read_is_truncated_afterwards() {
    let db = Db::sqlite();
    let store = db.open();
    let Settings::Sqlite(path) = &db.settings else {
        unreachable!()
    };
    let log = path.with_extension("db-wal");
    let length = || std::fs::metadata(&log).unwrap().len();
    run(async {
        company(&store, "Before").await;
        let (begun, gate) = (Gate::default(), Gate::default());
        let reading = {
            let (store, begun, gate) = (store.clone(), begun.clone(), gate.clone());
            tokio::spawn(async move {
                let held = store.read(move |tx| {
                    tx.company_names()?;
                    begun.open();
                    gate.pass();
                    Ok::<_, Error>(())
                });
                held.await
            })
        };
        opened(&begun).await;
        db.raw("CREATE TABLE filling (bytes BLOB)");
        for _ in 0..40 {
            db.raw("INSERT INTO filling VALUES (randomblob(1048576))");
        }
        assert!(length() > 40 * MIB, "{}", length());
        gate.open();
        reading.await.unwrap().unwrap();
        // The store copies the log into the database, and writes from its beginning again.
        for second in 0.. {
            if length() <= 20 * MIB {
                break;
            }
            write(&store, move |tx| tx.hold_blobs(&[1; 16], at(second)))
                .await
                .unwrap();
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
}

#[test]
fn under_a_long_read_the_file_is_not_rewritten_and_the_log_does_not_grow() {
    let db = Db::sqlite();
    let store = db.open();
    let Settings::Sqlite(path) = &db.settings else {
        unreachable!()
    };
    let log = path.with_extension("db-wal");
    let length = || std::fs::metadata(&log).unwrap().len();
    run(async {
        company(&store, "Before").await;
        db.raw("CREATE TABLE filling (bytes BLOB); INSERT INTO filling VALUES (randomblob(1048576))");
        // While the writer thread checkpoints, it cannot be done either.
        let compact = || wait_for("the file to be rewritten", || db.settings.compact().unwrap());
        compact();
        let (begun, gate) = (Gate::default(), Gate::default());
        let reading = {
            let (store, begun, gate) = (store.clone(), begun.clone(), gate.clone());
            tokio::spawn(async move {
                let held = store.read(move |tx| {
                    tx.company_names()?;
                    begun.open();
                    gate.pass();
                    Ok::<_, Error>(())
                });
                held.await
            })
        };
        opened(&begun).await;
        // What the read does not see keeps the log.
        company(&store, "Meanwhile").await;
        for _ in 0..3 {
            assert!(!db.settings.compact().unwrap());
        }
        assert!(length() < MIB, "{}", length());
        gate.open();
        reading.await.unwrap().unwrap();
        compact();
        assert_eq!(length(), 0);
    });
}
