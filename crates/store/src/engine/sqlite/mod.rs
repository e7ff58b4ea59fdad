//! `SQLite`: one thread writes, several read.
//!
//! Group commit: the writer thread runs all queued bodies in one transaction, commits once, and replies to
//! all callers, so that many transactions share one disk sync. A body that fails is rolled back without the
//! others. When the queue stays empty, the writer thread checkpoints the WAL: a read that must search the
//! WAL as well costs half as much again.

use super::queued_tx::{Job, refuse};
use super::spawn;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::history_key::HistoryKey;
use crate::migrate;
use crate::tx::Tx;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

/// The largest group.
const GROUP_COMMIT_MAX: usize = 256;
/// How long the writer thread waits for more bodies if few are queued and the last group had more than one:
/// every commit costs a disk sync. A single client waits once, because its next group has one body.
const GROUP_COMMIT_DELAY: Duration = Duration::from_micros(500);
/// The size from which a group is not delayed.
const GROUP_COMMIT_MIN: usize = 3;
/// How long the queue is empty before the WAL is checkpointed.
const IDLE_BEFORE_CHECKPOINT: Duration = Duration::from_millis(500);
/// Pages of the WAL at which it is checkpointed under load: a page that many transactions changed is then
/// written to the database file once for all of them.
const WAL_CHECKPOINT_PAGES: i64 = 4_000;
/// The page cache of the writer and of each inline reader: it holds the inner pages of a large database, or
/// all of a small one. The reader threads seldom return to a page, and have the default of `SQLite`.
pub(super) const PAGE_CACHE_KIB: i64 = 8 * 1024;
/// Prepared statements that a connection keeps, the least recently used making room for others.
const PREPARED_MAX: usize = 256;
/// How long a connection waits for another process's write.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

pub(super) fn start(
    path: &Path,
    history_key: Option<HistoryKey>,
    reads: &Receiver<Job>,
    writes: Receiver<Job>,
) -> Result<Vec<JoinHandle<()>>, Error> {
    let main = open_migrated(path, migrate::LATEST_VERSION)?;
    // Savepoint journals stay in memory: creating and removing a file for every group costs more than the
    // group.
    main.execute_batch("PRAGMA temp_store = MEMORY")?;
    main.pragma_update(None, "wal_autocheckpoint", WAL_CHECKPOINT_PAGES)?;
    main.pragma_update(None, "cache_size", -PAGE_CACHE_KIB)?;

    let mut threads = vec![spawn("store-writer", move || {
        write(&main, history_key.as_ref(), &writes);
    })?];
    for _ in 0..reader_count() {
        let connection = open_reader(path)?;
        let reads = reads.clone();
        threads.push(spawn("store-reader", move || read(&connection, &reads))?);
    }
    Ok(threads)
}

/// Opens the database at a migration, and creates it if needed.
pub(super) fn open_migrated(path: &Path, version: i64) -> Result<Connection, Error> {
    create_file(path)?;
    let main = connect(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
    )?;
    retry_while_busy(|| main.execute_batch("PRAGMA journal_mode = WAL"))?;
    main.execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")?;
    main.execute_batch("BEGIN EXCLUSIVE")?;
    migrate::run(&mut Tx::sqlite(&main), Dialect::Sqlite, version)?;
    main.execute_batch("COMMIT")?;
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
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && waited < BUSY_TIMEOUT =>
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
    connection.set_prepared_statement_cache_capacity(PREPARED_MAX);
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

fn write(connection: &Connection, history_key: Option<&HistoryKey>, jobs: &Receiver<Job>) {
    let mut tx = Tx::sqlite(connection).with_history_key(history_key);
    // An earlier process may have left a WAL behind.
    let mut checkpointed = false;
    let mut last_group_shared = false;
    loop {
        let next = if checkpointed {
            jobs.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            jobs.recv_timeout(IDLE_BEFORE_CHECKPOINT)
        };
        let first = match next {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => {
                last_group_shared = false;
                checkpointed = checkpoint_wal(connection);
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
        checkpointed = false;
        if last_group_shared && 1 + jobs.len() < GROUP_COMMIT_MIN {
            std::thread::sleep(GROUP_COMMIT_DELAY);
        }
        if let Err(error) = tx.control("BEGIN IMMEDIATE") {
            // Another process holds the database. The queued jobs have waited as long, and fail at once
            // instead of one timeout after the other.
            let reason = describe(&error);
            refuse(first, error);
            for job in jobs.try_iter().take(GROUP_COMMIT_MAX) {
                refuse(job, Error::Unavailable(reason.clone().into()));
            }
            continue;
        }
        let mut group: Vec<ExecutedTx> = Vec::new();
        for mut job in std::iter::once(first)
            .chain(jobs.try_iter())
            .take(GROUP_COMMIT_MAX)
        {
            let keep = run_in_group(&mut tx, &mut group, &mut job);
            let retryable = job.is_retryable();
            group.push(ExecutedTx { job, keep, retryable });
            if tx.is_over() {
                break;
            }
        }
        last_group_shared = group.len() > 1;
        commit_group(&mut tx, group);
    }
}

/// Checkpoints the WAL as far as open read transactions allow; returns whether it is complete.
fn checkpoint_wal(connection: &Connection) -> bool {
    let checkpointed = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
        Ok(row.get::<_, i64>(1)? == row.get::<_, i64>(2)?)
    });
    checkpointed.unwrap_or_else(|error| {
        tracing::warn!(%error, "the WAL could not be checkpointed");
        true
    })
}

/// A job whose body has been run.
struct ExecutedTx {
    job: Job,
    /// Whether its writes should be committed.
    keep: bool,
    /// Whether the body may be run once more.
    retryable: bool,
}

/// Runs a body in the group's transaction, so that it can be undone without the others; returns whether to
/// commit its writes. A savepoint copies every page that the body changes, for a failure that is rare: if
/// all earlier bodies are retryable, they are run again instead, once.
fn run_in_group(tx: &mut Tx<'_>, group: &mut [ExecutedTx], job: &mut Job) -> bool {
    if group.iter().any(|executed| executed.keep && !executed.retryable) {
        return in_savepoint(tx, job);
    }
    let before = tx.rows_changed();
    let keep = job.run(Ok(&mut *tx));
    if !keep && !tx.is_over() && tx.rows_changed() != before {
        rerun_group(tx, group);
    }
    keep
}

/// Rolls the group back, and runs the successful bodies again.
fn rerun_group(tx: &mut Tx<'_>, group: &mut [ExecutedTx]) {
    let anew = tx
        .control("ROLLBACK")
        .and_then(|()| tx.control("BEGIN IMMEDIATE"));
    if let Err(error) = anew {
        tracing::error!(%error, "a transaction could not be begun anew");
        roll_back(tx);
    }
    for executed in group.iter_mut().filter(|executed| executed.keep) {
        if tx.is_over() {
            return;
        }
        executed.retryable = false;
        executed.keep = in_savepoint(tx, &mut executed.job);
    }
}

fn in_savepoint(tx: &mut Tx<'_>, job: &mut Job) -> bool {
    let keep = match tx.control("SAVEPOINT act") {
        Ok(()) => job.run(Ok(&mut *tx)),
        Err(error) => job.run(Err(error)),
    };
    if !tx.is_over() {
        let undone = if keep {
            Ok(())
        } else {
            tx.control("ROLLBACK TO act")
        };
        if let Err(error) = undone.and_then(|()| tx.control("RELEASE act")) {
            tracing::error!(%error, "a savepoint could not be closed; the group is rolled back");
            roll_back(tx);
        }
    }
    keep
}

/// Commits the group and replies to every caller. A full disk may have ended the transaction before.
fn commit_group(tx: &mut Tx<'_>, group: Vec<ExecutedTx>) {
    let wrote = group.iter().any(|executed| executed.keep);
    let committed = if tx.is_over() {
        Err("the transaction was rolled back by the engine".to_owned())
    } else if wrote {
        tx.control("COMMIT").map_err(|error| describe(&error))
    } else {
        tx.control("ROLLBACK").map_err(|error| describe(&error))
    };
    if let Err(reason) = &committed {
        tracing::error!(
            reason,
            transactions = group.len(),
            "a group of transactions could not be committed"
        );
        roll_back(tx);
    }
    for executed in group {
        executed.job.reply(
            committed
                .clone()
                .map_err(|reason| Error::Unavailable(reason.into())),
        );
    }
}

fn roll_back(tx: &mut Tx<'_>) {
    if !tx.is_over()
        && let Err(error) = tx.control("ROLLBACK")
    {
        tracing::error!(%error, "a transaction could not be rolled back");
    }
}

fn describe(error: &Error) -> String {
    let source = std::error::Error::source(error)
        .map(ToString::to_string)
        .unwrap_or_default();
    format!("{error}: {source}")
}
