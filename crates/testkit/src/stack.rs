//! The database and the storage of a test application; they are removed with the last application that uses them.

use crate::wait::STALL_TIMEOUT;
use app::MasterKey;
use blobs::{Blobs, Location};
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::{Options, Settings, Store, Timeouts};
use tempfile::TempDir;

/// Throwaway data.
#[derive(Debug)]
pub(crate) struct Stack {
    directory: TempDir,
    pub(crate) database: Settings,
    location: Location,
    /// The server that made the database, where there is one.
    administration: Option<String>,
}

impl Stack {
    /// New data of the kind that the environment asks for. Blocks.
    pub(crate) fn provide() -> Self {
        let directory = throwaway();
        match std::env::var("FIRMEZA_TEST_STACK").as_deref() {
            Ok("distributed") => Self::distributed(directory),
            Ok("embedded") | Err(_) => Self {
                database: Settings::Sqlite(directory.path().join("firmeza.db")),
                location: Location::Directory(directory.path().join("documents")),
                administration: None,
                directory,
            },
            Ok(other) => panic!("FIRMEZA_TEST_STACK is embedded or distributed, not {other}"),
        }
    }

    /// A database of the test's own server, and documents in a directory. Blocks.
    pub(crate) fn on_database(url: String) -> Self {
        let directory = throwaway();
        Self {
            database: Settings::Postgres(url),
            location: Location::Directory(directory.path().join("documents")),
            administration: None,
            directory,
        }
    }

    fn distributed(directory: TempDir) -> Self {
        let offered = |name| std::env::var(name).unwrap_or_else(|_| panic!("run through `cargo xtask test`"));
        let server = offered("FIRMEZA_TEST_POSTGRES_URL");
        let bucket = offered("FIRMEZA_TEST_S3_URL");
        // The directory's random name is as good a name for the database and the prefix.
        let name = directory.path().file_name().unwrap().to_str().unwrap();
        let name = name.trim_start_matches('.').to_owned();
        let mut database = url::Url::parse(&server).unwrap();
        database.set_path(&name);
        let stack = Self {
            directory,
            database: Settings::Postgres(database.into()),
            location: Location::S3(format!("{}/{name}", bucket.trim_end_matches('/'))),
            administration: Some(server),
        };
        stack.administrate(&format!("CREATE DATABASE \"{name}\""));
        stack
    }

    /// Runs statements as the administrator of the database's server. Blocks.
    pub(crate) fn administrate(&self, sql: &str) {
        let server = self.administration.as_deref().expect("a database server");
        let mut administrator = postgres::Client::connect(server, postgres::NoTls).unwrap();
        administrator.batch_execute(sql).unwrap();
    }

    /// Runs statements past the program and past foreign keys, as the owner of the tables can. Blocks.
    pub(crate) fn tamper(&self, sql: &str) {
        match &self.database {
            Settings::Sqlite(path) => {
                let sql = sql.replace("<bytes ", "unhex('").replace('>', "')");
                let connection = open_sqlite(path);
                connection
                    .execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
                    .unwrap();
                connection.execute_batch(&sql).unwrap();
            }
            Settings::Postgres(url) => {
                let sql = sql.replace("<bytes ", "decode('").replace('>', "', 'hex')");
                let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
                // No foreign key is checked.
                client
                    .batch_execute("SET session_replication_role = replica")
                    .unwrap();
                client.batch_execute(&sql).unwrap();
            }
        }
    }

    /// The directory of temporary files of uploads.
    pub(crate) fn temp_files(&self) -> PathBuf {
        self.directory.path().join("temp_files")
    }

    /// Where nothing but the test's own data is.
    pub(crate) fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Where documents are.
    pub(crate) const fn location(&self) -> &Location {
        &self.location
    }

    /// The store, and the master key with what outlived an earlier one. Blocks.
    pub(crate) fn open_store(&self) -> (Store, MasterKey) {
        let timeouts = Timeouts {
            answer: STALL_TIMEOUT,
            lock: STALL_TIMEOUT,
            statement: STALL_TIMEOUT,
            commit: STALL_TIMEOUT,
        };
        let options = Options {
            timeouts,
            ..Options::default()
        };
        app::shared::history_key::open_store_with(&self.database, master_key(), options).unwrap()
    }

    /// Blocks.
    pub(crate) fn open_blobs(&self) -> Blobs {
        Blobs::open(&self.location, &self.temp_files()).unwrap()
    }
}

/// The master key of every test application.
pub fn master_key() -> MasterKey {
    MasterKey::from_hex(&"5a".repeat(32)).unwrap()
}

/// A connection of the test's own. It waits for a write of the program, however long a busy machine takes for it.
pub(crate) fn open_sqlite(path: &Path) -> rusqlite::Connection {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.busy_timeout(Duration::from_mins(1)).unwrap();
    connection
}

/// A directory in memory where there is one: these data are made to be forgotten.
fn throwaway() -> TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

impl Drop for Stack {
    fn drop(&mut self) {
        let (Some(server), Settings::Postgres(url)) = (self.administration.take(), &self.database) else {
            return;
        };
        let name = url.rsplit('/').next().unwrap_or_default().to_owned();
        // Off the async threads: this client waits for its answers.
        let dropped = std::thread::spawn(move || {
            let mut administrator = postgres::Client::connect(&server, postgres::NoTls)?;
            administrator.batch_execute(&format!("DROP DATABASE IF EXISTS \"{name}\" WITH (FORCE)"))
        });
        if let Ok(Err(error)) = dropped.join() {
            eprintln!("a test's database stays behind: {error}");
        }
    }
}
