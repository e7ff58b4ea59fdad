//! `SQLite`: one thread writes, several read.
//!
//! The writer thread commits in groups, and checkpoints the WAL when it has nothing else to do.

mod checkpoint;
mod group_commit;

use super::queued_tx::Job;
use super::spawn;
use crate::error::Error;
use crate::history_key::HistoryKey;
use crate::migrate::{self, Migration};
use crate::tx::Tx;
use checkpoint::{WAL_CHECKPOINT_PAGES, WAL_KEPT_BYTES};
use crossbeam_channel::Receiver;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

/// The page cache of the writer and of each inline reader: it holds the inner pages of a large database, or
/// all of a small one. The reader threads seldom return to a page, and have the default of `SQLite`.
pub(super) const PAGE_CACHE_KIB: i64 = 8 * 1024;
/// Prepared statements that a connection keeps, the least recently used making room for others.
const MAX_PREPARED_STATEMENTS: usize = 256;
/// How long a connection waits for another process's write, unless the store's timeouts say otherwise.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a start waits for the lock of another process, which may be migrating the database.
const MIGRATION_TIMEOUT: Duration = Duration::from_mins(1);

pub(super) fn start(
    path: &Path,
    history_key: Option<HistoryKey>,
    lock_timeout: Duration,
    reads: &Receiver<Job>,
    writes: Receiver<Job>,
) -> Result<Vec<JoinHandle<()>>, Error> {
    let main = open_migrated(path, migrate::MIGRATIONS, migrate::LATEST_VERSION)?;
    main.busy_timeout(lock_timeout)?;
    // Savepoint journals stay in memory: creating and removing a file for every group costs more than the
    // group.
    main.execute_batch("PRAGMA temp_store = MEMORY")?;
    // What is deleted is overwritten with zeros: an erased folio must not stay in free space. `Settings::compact` removes the
    // rest.
    main.pragma_update(None, "secure_delete", "ON")?;
    main.pragma_update(None, "wal_autocheckpoint", WAL_CHECKPOINT_PAGES)?;
    main.pragma_update(None, "journal_size_limit", WAL_KEPT_BYTES)?;
    main.pragma_update(None, "cache_size", -PAGE_CACHE_KIB)?;

    let mut threads = vec![spawn("store-writer", move || {
        group_commit::run_writer(&main, history_key.as_ref(), &writes);
    })?];
    for _ in 0..reader_count() {
        let connection = open_reader(path)?;
        connection.busy_timeout(lock_timeout)?;
        let reads = reads.clone();
        threads.push(spawn("store-reader", move || read(&connection, &reads))?);
    }
    Ok(threads)
}

/// Opens the database at a migration, and creates it if needed.
pub(super) fn open_migrated(
    path: &Path,
    migrations: &[Migration],
    version: i64,
) -> Result<Connection, Error> {
    create_file(path)?;
    let main = connect(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
    )?;
    main.busy_timeout(MIGRATION_TIMEOUT)?;
    retry_while_busy(|| main.execute_batch("PRAGMA journal_mode = WAL"))?;
    main.execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")?;
    main.execute_batch("BEGIN EXCLUSIVE")?;
    let mut tx = Tx::sqlite(&main);
    if !migrate::is_applied(&mut tx, migrations, version)? {
        migrate::run(&mut tx, migrations, version)?;
    }
    main.execute_batch("COMMIT")?;
    main.busy_timeout(BUSY_TIMEOUT)?;
    Ok(main)
}

/// Reader connections.
pub(super) fn reader_count() -> usize {
    std::thread::available_parallelism()
        .map_or(2, usize::from)
        .clamp(2, 8)
}

/// Creates the file, if needed, accessible to its owner only. The WAL and the shared memory file get its
/// mode.
fn create_file(path: &Path) -> Result<(), Error> {
    let made = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path);
    match made {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(Error::Unavailable(error.into())),
        _ => Ok(()),
    }
}

/// Retries while another process holds the lock: `SQLite` does not wait by itself where waiting could
/// deadlock, as when several processes switch a new database to WAL.
fn retry_while_busy(attempt: impl Fn() -> rusqlite::Result<()>) -> rusqlite::Result<()> {
    const RETRY_PAUSE: Duration = Duration::from_millis(10);
    let mut waited = Duration::ZERO;
    loop {
        match attempt() {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && waited < MIGRATION_TIMEOUT =>
            {
                std::thread::sleep(RETRY_PAUSE);
                waited += RETRY_PAUSE;
            }
            done => return done,
        }
    }
}

/// Opens a read-only connection.
pub(super) fn open_reader(path: &Path) -> Result<Connection, Error> {
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.execute_batch("PRAGMA query_only = ON")?;
    Ok(connection)
}

pub(super) fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, Error> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(MAX_PREPARED_STATEMENTS);
    // Without this, plans depend on the bound values, and are recompiled when these change.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(connection)
}

fn read(connection: &Connection, jobs: &Receiver<Job>) {
    let mut tx = Tx::sqlite(connection);
    for mut job in jobs {
        match tx.control("BEGIN") {
            Ok(()) => job.run(Ok(&mut tx)),
            Err(error) => job.run(Err(error)),
        };
        job.reply(if tx.is_over() {
            Ok(())
        } else {
            tx.control("COMMIT")
        });
    }
}
