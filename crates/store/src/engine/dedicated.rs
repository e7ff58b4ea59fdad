//! A transaction on a dedicated connection, without timeouts: backups and key rotation run longer than the
//! queues and timeouts of the service allow. Does blocking I/O.

use super::Settings;
use super::postgres::{self, Server};
use super::sqlite::{connect, open_migrated};
use crate::error::Error;
use crate::migrate;
use crate::tx::Tx;
use rusqlite::OpenFlags;

const NO_TIMEOUTS: &str = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; \
                       SET LOCAL idle_in_transaction_session_timeout = 0";

impl Settings {
    /// Makes the database, where there is none, and brings it up to the newest migration.
    pub fn migrate(&self) -> Result<(), Error> {
        self.migrate_to(migrate::LATEST_VERSION)
    }

    /// Like `migrate`, up to a given version: for backups of older versions, and tests of upgrading.
    pub fn migrate_to(&self, version: i64) -> Result<(), Error> {
        match self {
            Self::Sqlite(path) => open_migrated(path, version).map(drop),
            Self::Postgres(url) => postgres::migrate(url, version),
        }
    }

    /// Reads, on one snapshot.
    pub fn read_dedicated<T, E: From<Error>>(
        &self,
        body: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        match self {
            Self::Sqlite(_) => self.run("BEGIN", body),
            Self::Postgres(_) => self.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", body),
        }
    }

    /// Writes; `Ok` means that all of it is durable, `Err` that nothing is, except [`Error::Unconfirmed`].
    pub fn write_dedicated<T, E: From<Error>>(
        &self,
        body: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        match self {
            Self::Sqlite(_) => self.run("BEGIN IMMEDIATE", body),
            Self::Postgres(_) => self.run("BEGIN ISOLATION LEVEL READ COMMITTED", body),
        }
    }

    fn run<T, E: From<Error>>(
        &self,
        begin: &str,
        body: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        match self {
            Self::Sqlite(path) => {
                let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
                let batch = |sql: &str| connection.execute_batch(sql).map_err(Error::from);
                batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")?;
                batch(begin)?;
                // Without a commit, closing the connection undoes everything.
                let done = body(&mut Tx::sqlite(&connection))?;
                batch("COMMIT")?;
                Ok(done)
            }
            Self::Postgres(url) => {
                let mut session = Server::new(url)?.connect()?;
                session.batch(&format!("{begin}; {NO_TIMEOUTS}"))?;
                let done = body(&mut Tx::postgres(&mut session))?;
                session.commit()?;
                Ok(done)
            }
        }
    }
}
