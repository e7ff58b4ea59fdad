//! `PostgreSQL` keeps deleted rows while an older transaction could still see them, be it a backup or a forgotten session. A
//! poll that begins at a known position does not step over them.

use crate::db::{company, history_key, read, run, write};
use crate::sample::folios;
use parts::Postgres;
use std::fs;
use std::path::{Path, PathBuf};
use store::{ChangeRow, Settings, Store};

/// The plans that the server logs, with the pages that were read.
struct Plans {
    log: PathBuf,
}

impl Plans {
    fn of(server: &Postgres, database: &str) -> Self {
        for setting in [
            "session_preload_libraries = 'auto_explain'",
            "auto_explain.log_min_duration = 0",
            "auto_explain.log_analyze = on",
            "auto_explain.log_buffers = on",
        ] {
            let sql = format!("ALTER DATABASE {database} SET {setting}");
            server.query(&sql).unwrap();
        }
        let data = server.query("SHOW data_directory").unwrap();
        let log = Path::new(data.trim()).with_file_name("postgres.log");
        Self { log }
    }

    /// The pages that the last statement with these words read.
    fn pages(&self, words: &str) -> u64 {
        let log = fs::read_to_string(&self.log).unwrap();
        let plan = &log[log.rfind(words).unwrap()..];
        let buffers = plan.split("Buffers: shared ").nth(1).unwrap();
        let counts = buffers.lines().next().unwrap().split(' ');
        let counts = counts.filter_map(|count| count.strip_prefix("hit=").or(count.strip_prefix("read=")));
        counts.map(|count| count.parse::<u64>().unwrap()).sum()
    }
}

#[test]
fn a_poll_does_not_step_over_what_an_old_snapshot_keeps() {
    const ROWS: i64 = 3008;
    let server = Postgres::start().unwrap();
    let url = server.create_database("snapshots").unwrap();
    let plans = Plans::of(&server, "snapshots");
    let store = Store::open(&Settings::Postgres(url.clone()), Some(history_key())).unwrap();
    run(async {
        let company = company(&store, "Busy").await;
        folios(&store, company, 1).await;
    });
    let connect = || postgres::Client::connect(&url, postgres::NoTls).unwrap();
    let (mut old, mut filler) = (connect(), connect());
    old.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1")
        .unwrap();
    filler
        .batch_execute(&format!(
            "INSERT INTO folio_changes (company, folio, kind, history_from, history_to, at)
                 SELECT 1, 1, 'created', 0, 1, 0 FROM generate_series(1, {ROWS})"
        ))
        .unwrap();
    run(async {
        let mut newest = ChangeRow::ZERO;
        loop {
            let taken = write(&store, |tx| tx.take_changes(ChangeRow::ZERO, 1024))
                .await
                .unwrap();
            let Some(last) = taken.last() else { break };
            newest = last.seq;
        }

        let poll = async |from: ChangeRow| {
            assert!(!read(&store, move |tx| tx.has_changes(from)).await);
            plans.pages("FROM folio_changes WHERE seq >=")
        };
        let (all, few) = (poll(ChangeRow::ZERO).await, poll(newest).await);
        assert!(all > 20 && few < 8, "{all} {few}");
    });
}
