//! A database of a test's own, on either engine, and ways to reach it.

use crate::sample::Distinct;
use domain::{CompanyId, Random};
use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use store::{Error, HistoryKey, Options, Settings, Store, Timeouts, Tx};
use tempfile::TempDir;

/// Nothing here takes this long, however busy the machine is.
const LIMIT: Duration = Duration::from_mins(5);

/// The key of every test's histories.
pub(crate) fn history_key() -> HistoryKey {
    HistoryKey::new(&[9; 32], |salt| Distinct.fill(salt))
}

/// An empty database, gone with this value.
pub(crate) struct Db {
    pub(crate) settings: Settings,
    cleanup: Cleanup,
}

enum Cleanup {
    Directory { _removed: TempDir },
    Database { server: String, name: String },
}

impl Db {
    pub(crate) fn sqlite() -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self {
            settings: Settings::Sqlite(directory.path().join("firmeza.db")),
            cleanup: Cleanup::Directory { _removed: directory },
        }
    }

    pub(crate) fn postgres() -> Self {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let Ok(server) = std::env::var("FIRMEZA_TEST_POSTGRES_URL") else {
            panic!("run through `cargo xtask test`");
        };
        let name = format!("store_{}_{}", process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        raw_postgres(&server, &format!("CREATE DATABASE {name}"));
        let (address, _) = server.rsplit_once('/').unwrap();
        Self {
            settings: Settings::Postgres(format!("{address}/{name}")),
            cleanup: Cleanup::Database { server, name },
        }
    }

    /// Another one on the same engine.
    pub(crate) fn like(other: &Self) -> Self {
        match other.settings {
            Settings::Sqlite(_) => Self::sqlite(),
            Settings::Postgres(_) => Self::postgres(),
        }
    }

    /// The names of its tables.
    pub(crate) fn tables(&self) -> Vec<String> {
        match &self.settings {
            Settings::Sqlite(path) => {
                let connection = open_sqlite(path);
                let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
                let mut statement = connection.prepare(sql).unwrap();
                let names = statement.query_map([], |row| row.get(0)).unwrap();
                names.map(Result::unwrap).collect()
            }
            Settings::Postgres(url) => {
                let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
                let sql = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()";
                let rows = client.query(sql, &[]).unwrap();
                rows.iter().map(|row| row.get(0)).collect()
            }
        }
    }

    /// With timeouts that a busy machine does not reach.
    pub(crate) fn open(&self) -> Store {
        let timeouts = Timeouts {
            answer: LIMIT,
            lock: LIMIT,
            statement: LIMIT,
            commit: LIMIT,
        };
        let options = Options {
            timeouts,
            ..Options::default()
        };
        Store::open_with(&self.settings, Some(history_key()), options).unwrap()
    }

    /// With the timeouts of the program, where they are the point.
    pub(crate) fn open_with_timeouts(&self) -> Store {
        Store::open(&self.settings, Some(history_key())).unwrap()
    }

    /// As several instances would.
    pub(crate) fn open_many(&self, count: usize) -> Vec<Store> {
        (0..count).map(|_| self.open()).collect()
    }

    /// The text with its `<bytes …>` in the engine's own words.
    pub(crate) fn with_bytes(&self, sql: &str) -> String {
        let function = match self.settings {
            Settings::Sqlite(_) => ("unhex('", "')"),
            Settings::Postgres(_) => ("decode('", "', 'hex')"),
        };
        let lines = sql.lines().filter(|line| !line.starts_with("--"));
        lines
            .map(|line| line.replace("<bytes ", function.0).replace('>', function.1) + "\n")
            .collect()
    }

    /// How many rows a query finds.
    pub(crate) fn count(&self, sql: &str) -> usize {
        match &self.settings {
            Settings::Sqlite(path) => {
                let connection = open_sqlite(path);
                let mut statement = connection.prepare(sql).unwrap();
                statement.query_map([], |_| Ok(())).unwrap().count()
            }
            Settings::Postgres(url) => {
                let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
                client.query(sql, &[]).unwrap().len()
            }
        }
    }

    /// Whether the database refuses a statement for one of its constraints.
    pub(crate) fn is_refused(&self, sql: &str) -> bool {
        match &self.settings {
            Settings::Sqlite(path) => {
                let refused = open_sqlite(path).execute_batch(sql).err();
                refused.and_then(|error| error.sqlite_error_code())
                    == Some(rusqlite::ErrorCode::ConstraintViolation)
            }
            Settings::Postgres(url) => {
                let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
                let refused = client.batch_execute(sql).err();
                // Class 23: a constraint is violated.
                refused.is_some_and(|error| error.code().is_some_and(|code| code.code().starts_with("23")))
            }
        }
    }

    /// Runs a statement behind the store's back.
    pub(crate) fn raw(&self, sql: &str) {
        match &self.settings {
            Settings::Sqlite(path) => open_sqlite(path).execute_batch(sql).unwrap(),
            Settings::Postgres(url) => raw_postgres(url, sql),
        }
    }
}

impl Drop for Db {
    fn drop(&mut self) {
        if let Cleanup::Database { server, name } = &self.cleanup {
            raw_postgres(server, &format!("DROP DATABASE {name} WITH (FORCE)"));
        }
    }
}

/// A connection of the test's own, which waits for a write of the store.
fn open_sqlite(path: &Path) -> rusqlite::Connection {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.busy_timeout(LIMIT).unwrap();
    connection
}

fn raw_postgres(url: &str, sql: &str) {
    let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
    client.batch_execute(sql).unwrap();
}

/// Waits until something is so.
pub(crate) fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < LIMIT, "still waiting for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Runs a test's own part to its end.
pub(crate) fn run<T>(body: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    runtime.block_on(async {
        let done = tokio::time::timeout(LIMIT, body).await;
        done.unwrap_or_else(|_| panic!("still not done after {LIMIT:?}"))
    })
}

/// Runs all of these at the same time; returns their results, in order.
pub(crate) async fn all_at_once<T: Send + 'static>(
    tasks: impl IntoIterator<Item = impl Future<Output = T> + Send + 'static>,
) -> Vec<T> {
    let spawned: Vec<_> = tasks.into_iter().map(tokio::spawn).collect();
    let mut done = Vec::with_capacity(spawned.len());
    for task in spawned {
        done.push(task.await.unwrap());
    }
    done
}

pub(crate) async fn write<T: Send + 'static>(
    store: &Store,
    act: impl FnOnce(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    store.write(act).await
}

pub(crate) async fn read<T: Send + 'static>(
    store: &Store,
    act: impl FnOnce(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
) -> T {
    store.read(act).await.unwrap()
}

/// Adds a company with that name.
pub(crate) async fn company(store: &Store, name: &'static str) -> CompanyId {
    write(store, move |tx| tx.add_company(name, crate::sample::at(0)))
        .await
        .unwrap()
}

/// The names of all companies.
pub(crate) async fn names(store: &Store) -> Vec<String> {
    read(store, |tx| tx.company_names()).await
}
