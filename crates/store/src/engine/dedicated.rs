//! A transaction on a dedicated connection, without timeouts: backups and key rotation run longer than the
//! queues and timeouts of the service allow. Does blocking I/O.

use super::Settings;
use super::postgres::{self, Server};
use super::sqlite::{BUSY_TIMEOUT, connect, open_migrated};
use crate::error::Error;
use crate::migrate::{self, Migration};
use crate::tx::Tx;
use rusqlite::{Connection, OpenFlags};
use std::time::Duration;

const NO_TIMEOUTS: &str = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; \
                       SET LOCAL idle_in_transaction_session_timeout = 0";

/// A read that takes longer is not waited for: writers wait meanwhile.
const LONG_READ_TIMEOUT: Duration = Duration::from_secs(1);

const NOT_THE_OWNER: &str = "the tables are rewritten by their owner, and the server's statistics of them by the database's: run the command with a \
     role in the database address that owns both";

/// Rows come as they lie in their table, so that a repeated backup finds the same pages of them.
const SCAN_IN_ORDER: &str =
    "SET LOCAL synchronize_seqscans = off; SET LOCAL max_parallel_workers_per_gather = 0";

impl Settings {
    /// Makes the database, where there is none, and brings it up to the newest migration.
    pub fn migrate(&self) -> Result<(), Error> {
        self.migrate_to(migrate::LATEST_VERSION)
    }

    /// Like `migrate`, up to a given version: for backups of older versions.
    pub fn migrate_to(&self, version: i64) -> Result<(), Error> {
        self.migrate_by(migrate::MIGRATIONS, version)
    }

    /// Like `migrate_to`, by other migrations: for tests of what the next version may bring.
    pub fn migrate_by(&self, migrations: &[Migration], version: i64) -> Result<(), Error> {
        match self {
            Self::Sqlite(path) => open_migrated(path, migrations, version).map(drop),
            Self::Postgres(url) => postgres::migrate(url, migrations, version),
        }
    }

    /// Rewrites the database's files without what was deleted: the free space of pages, and the WAL. Requests wait for it,
    /// on `PostgreSQL` for one table after the other. Returns false if a reader kept `SQLite`'s WAL from being emptied: before the
    /// file is rewritten, or in the end.
    /// `PostgreSQL` recycles its own by its settings.
    pub fn compact(&self) -> Result<bool, Error> {
        match self {
            Self::Sqlite(path) => {
                let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
                // Under a long read, a backup for one, each try would make the WAL longer by the whole file.
                connection.busy_timeout(LONG_READ_TIMEOUT)?;
                if !empty_wal(&connection)? {
                    return Ok(false);
                }
                connection.busy_timeout(BUSY_TIMEOUT)?;
                connection.execute_batch("PRAGMA secure_delete = ON; VACUUM")?;
                empty_wal(&connection)
            }
            Self::Postgres(url) => {
                let mut session = Server::new(url)?.connect()?;
                // The server skips tables of other roles, and only warns.
                let mut tx = Tx::postgres(&mut session);
                if !(tx.owns_tables()? && tx.owns_database()?) {
                    return Err(Error::Settings(NOT_THE_OWNER.to_owned()));
                }
                let tables = tx.tables()?;
                session.batch("SET statement_timeout = 0")?;
                // A plain vacuum leaves the bytes of deleted rows in the free space of their pages. Behind one that waits for
                // its lock, requests would wait as well: it fails instead, and is run again.
                session.batch("SET lock_timeout = '5s'")?;
                for table in tables {
                    session.batch(&format!("VACUUM (FULL, ANALYZE) {table}"))?;
                }
                // The planner's statistics hold samples of values: what they held before is still in the pages of their table.
                session.batch("VACUUM FULL pg_statistic")?;
                Ok(true)
            }
        }
    }

    /// How large the file of the database is; nothing where it is on a server.
    pub fn file_size(&self) -> Result<Option<u64>, Error> {
        match self {
            Self::Sqlite(path) => {
                let metadata = std::fs::metadata(path).map_err(|error| Error::Unavailable(error.into()))?;
                Ok(Some(metadata.len()))
            }
            Self::Postgres(_) => Ok(None),
        }
    }

    /// Reads, on one snapshot.
    pub fn read_dedicated<T, E: From<Error>>(
        &self,
        body: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        match self {
            Self::Sqlite(_) => self.run("BEGIN", body),
            Self::Postgres(_) => self.run(
                &format!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {SCAN_IN_ORDER}"),
                body,
            ),
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

/// Copies the WAL into the database file and cuts it to nothing; false if a reader still needs it.
fn empty_wal(connection: &Connection) -> Result<bool, Error> {
    let busy = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0));
    Ok(busy.map(|busy: i64| busy == 0)?)
}
