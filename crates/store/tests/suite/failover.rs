//! `PostgreSQL`: a server that takes no writes any more is left for one that does.

use crate::db::{company, history_key, names, run, write};
use crate::sample::at;
use parts::Postgres;
use std::time::Duration;
use store::{Error, Settings, Store};

#[test]
fn writers_leave_a_server_that_became_read_only() {
    let primary = Postgres::start().unwrap();
    primary.create_database("moved").unwrap();
    let standby = Postgres::standby_of(&primary).unwrap();
    let url = format!(
        "postgres://test@127.0.0.1:{},127.0.0.1:{}/moved",
        primary.port(),
        standby.port()
    );
    let store = Store::open(&Settings::Postgres(url), Some(history_key())).unwrap();
    run(async {
        company(&store, "Before").await;
        // Every writer has a session with the first server.
        let all: Vec<_> = (0..40).map(|_| write(&store, |tx| tx.company_names())).collect();
        for written in all {
            written.await.unwrap();
        }
    });
    let behind = "SELECT COUNT(*) FROM pg_stat_replication WHERE replay_lsn < pg_current_wal_lsn()";
    while primary.query(behind).unwrap().trim() != "0" {
        std::thread::sleep(Duration::from_millis(20));
    }
    // Connections stay, as they do on a server that is demoted where it stands.
    primary.set("default_transaction_read_only", "on").unwrap();
    standby.promote().unwrap();
    while standby.query("SHOW transaction_read_only").unwrap().trim() == "on" {
        std::thread::sleep(Duration::from_millis(20));
    }
    while primary.query("SHOW transaction_read_only").unwrap().trim() == "off" {
        std::thread::sleep(Duration::from_millis(20));
    }
    run(async {
        // Each of these may be run again, and none of them fails.
        for number in 0..10 {
            let name = format!("After {number}");
            let written: Result<_, Error> = store
                .write_retryable(move |tx| tx.add_company(&name, at(0)))
                .await;
            written.unwrap();
        }
        assert_eq!(names(&store).await.len(), 11);
    });
}

#[test]
fn a_server_that_takes_no_writes_is_no_server() {
    let primary = Postgres::start().unwrap();
    let url = primary.create_database("frozen").unwrap();
    let store = Store::open(&Settings::Postgres(url), Some(history_key())).unwrap();
    run(company(&store, "Before"));
    primary.set("default_transaction_read_only", "on").unwrap();
    run(async {
        let mut failed = 0;
        while failed < 20 {
            match write(&store, |tx| tx.prove_write(at(0))).await {
                // The server takes a moment to read its settings again.
                Ok(()) => tokio::time::sleep(Duration::from_millis(10)).await,
                Err(Error::Unavailable(_)) => failed += 1,
                Err(other) => panic!("{other:?}"),
            }
        }
    });
    primary.set("default_transaction_read_only", "off").unwrap();
    run(async {
        while write(&store, |tx| tx.add_company("After", at(0))).await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(names(&store).await, ["Before", "After"]);
    });
}
