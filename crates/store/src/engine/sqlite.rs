//! `SQLite`: one thread writes, several read.
//!
//! Group commit: the writer thread runs all queued bodies in one transaction, commits once, and replies to
//! all callers, so that many transactions share one disk sync. A body that fails is rolled back without the
//! others. When the queue stays empty, the writer thread checkpoints the WAL: a read that must search the
//! WAL as well costs half as much again.

use super::job::{Job, refuse};
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
const GROUP: usize = 256;
/// How long the writer thread waits for more bodies if few are queued and the last group had more than one:
/// every commit costs a disk sync. A single client waits once, because its next group has one body.
const GATHERING: Duration = Duration::from_micros(500);
/// The size from which a group is not delayed.
const ENOUGH: usize = 3;
/// How long the queue is empty before the WAL is checkpointed.
const IDLE: Duration = Duration::from_millis(500);
/// Pages of the WAL at which it is checkpointed under load: a page that many transactions changed is then
/// written to the database file once for all of them.
const LONG_LOG: i64 = 4_000;
/// The page cache of the writer and of each inline reader: it holds the inner pages of a large database, or
/// all of a small one. The reader threads seldom return to a page, and have the default of `SQLite`.
pub(super) const CACHE: i64 = 8 * 1024;
/// Prepared statements that a connection keeps, the least recently used making room for others.
const PREPARED_STATEMENTS: usize = 256;
/// How long a connection waits for another process's write.
const BUSY: Duration = Duration::from_secs(10);

pub(super) fn start(
    path: &Path,
    history_key: Option<HistoryKey>,
    reads: &Receiver<Job>,
    writes: Receiver<Job>,
) -> Result<Vec<JoinHandle<()>>, Error> {
    let main = migrated(path, migrate::NEWEST)?;
    // Savepoint journals stay in memory: creating and removing a file for every group costs more than the
    // group.
    main.execute_batch("PRAGMA temp_store = MEMORY")?;
    main.pragma_update(None, "wal_autocheckpoint", LONG_LOG)?;
    main.pragma_update(None, "cache_size", -CACHE)?;

    let mut threads = vec![spawn("store-writer", move || {
        write(&main, history_key.as_ref(), &writes);
    })?];
    for _ in 0..readers() {
        let connection = open(path)?;
        let reads = reads.clone();
        threads.push(spawn("store-reader", move || read(&connection, &reads))?);
    }
    Ok(threads)
}

/// Opens the database at a migration, and creates it if needed.
pub(super) fn migrated(path: &Path, version: i64) -> Result<Connection, Error> {
    make(path)?;
    let main = connect(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
    )?;
    patiently(|| main.execute_batch("PRAGMA journal_mode = WAL"))?;
    main.execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")?;
    main.execute_batch("BEGIN EXCLUSIVE")?;
    migrate::run(&mut Tx::sqlite(&main), Dialect::Sqlite, version)?;
    main.execute_batch("COMMIT")?;
    Ok(main)
}

/// Reader connections.
pub(super) fn readers() -> usize {
    std::thread::available_parallelism()
        .map_or(2, usize::from)
        .clamp(2, 8)
}

/// Creates the file, if needed, accessible to its owner only. The WAL and the shared memory file get its
/// mode.
fn make(path: &Path) -> Result<(), Error> {
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
fn patiently(act: impl Fn() -> rusqlite::Result<()>) -> rusqlite::Result<()> {
    const PAUSE: Duration = Duration::from_millis(10);
    let mut waited = Duration::ZERO;
    loop {
        match act() {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && waited < BUSY => {
                std::thread::sleep(PAUSE);
                waited += PAUSE;
            }
            done => return done,
        }
    }
}

/// Opens a read-only connection.
pub(super) fn open(path: &Path) -> Result<Connection, Error> {
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.execute_batch("PRAGMA query_only = ON")?;
    Ok(connection)
}

pub(super) fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, Error> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(BUSY)?;
    connection.set_prepared_statement_cache_capacity(PREPARED_STATEMENTS);
    // Without this, plans depend on the bound values, and are recompiled when these change.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(connection)
}

fn read(connection: &Connection, jobs: &Receiver<Job>) {
    let mut tx = Tx::sqlite(connection);
    for mut job in jobs {
        match tx.mark("BEGIN") {
            Ok(()) => job.run(Ok(&mut tx)),
            Err(error) => job.run(Err(error)),
        };
        job.answer(if tx.is_over() { Ok(()) } else { tx.mark("COMMIT") });
    }
}

fn write(connection: &Connection, history_key: Option<&HistoryKey>, jobs: &Receiver<Job>) {
    let mut tx = Tx::sqlite(connection).authenticating(history_key);
    // An earlier process may have left a WAL behind.
    let mut folded = false;
    let mut busy = false;
    loop {
        let next = if folded {
            jobs.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            jobs.recv_timeout(IDLE)
        };
        let first = match next {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout) => {
                busy = false;
                folded = fold(connection);
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
        folded = false;
        if busy && 1 + jobs.len() < ENOUGH {
            std::thread::sleep(GATHERING);
        }
        if let Err(error) = tx.mark("BEGIN IMMEDIATE") {
            // Another process holds the database. The queued jobs have waited as long, and fail at once
            // instead of one timeout after the other.
            let reason = describe(&error);
            refuse(first, error);
            for job in jobs.try_iter().take(GROUP) {
                refuse(job, Error::Unavailable(reason.clone().into()));
            }
            continue;
        }
        let mut group: Vec<Ran> = Vec::new();
        for mut job in std::iter::once(first).chain(jobs.try_iter()).take(GROUP) {
            let keep = run_beside(&mut tx, &mut group, &mut job);
            let again = job.is_repeatable();
            group.push(Ran { job, keep, again });
            if tx.is_over() {
                break;
            }
        }
        busy = group.len() > 1;
        finish(&mut tx, group);
    }
}

/// Checkpoints the WAL as far as open read transactions allow; returns whether it is complete.
fn fold(connection: &Connection) -> bool {
    let folded = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
        Ok(row.get::<_, i64>(1)? == row.get::<_, i64>(2)?)
    });
    folded.unwrap_or_else(|error| {
        tracing::warn!(%error, "the log could not be folded into the database");
        true
    })
}

/// A job whose body has been run.
struct Ran {
    job: Job,
    /// Whether its writes should be committed.
    keep: bool,
    /// Whether the body may be run once more.
    again: bool,
}

/// Runs a body in the group's transaction, so that it can be undone without the others; returns whether to
/// commit its writes. A savepoint copies every page that the body changes, for a failure that is rare: if
/// all earlier bodies are retryable, they are run again instead, once.
fn run_beside(tx: &mut Tx<'_>, group: &mut [Ran], job: &mut Job) -> bool {
    if group.iter().any(|ran| ran.keep && !ran.again) {
        return in_savepoint(tx, job);
    }
    let before = tx.rows_changed();
    let keep = job.run(Ok(&mut *tx));
    if !keep && !tx.is_over() && tx.rows_changed() != before {
        run_again(tx, group);
    }
    keep
}

/// Rolls the group back, and runs the successful bodies again.
fn run_again(tx: &mut Tx<'_>, group: &mut [Ran]) {
    let anew = tx.mark("ROLLBACK").and_then(|()| tx.mark("BEGIN IMMEDIATE"));
    if let Err(error) = anew {
        tracing::error!(%error, "a transaction could not be begun anew");
        roll_back(tx);
    }
    for ran in group.iter_mut().filter(|ran| ran.keep) {
        if tx.is_over() {
            return;
        }
        ran.again = false;
        ran.keep = in_savepoint(tx, &mut ran.job);
    }
}

fn in_savepoint(tx: &mut Tx<'_>, job: &mut Job) -> bool {
    let keep = match tx.mark("SAVEPOINT act") {
        Ok(()) => job.run(Ok(&mut *tx)),
        Err(error) => job.run(Err(error)),
    };
    if !tx.is_over() {
        let undone = if keep { Ok(()) } else { tx.mark("ROLLBACK TO act") };
        if let Err(error) = undone.and_then(|()| tx.mark("RELEASE act")) {
            tracing::error!(%error, "a savepoint could not be closed; the group is rolled back");
            roll_back(tx);
        }
    }
    keep
}

/// Commits the group and replies to every caller. A full disk may have ended the transaction before.
fn finish(tx: &mut Tx<'_>, group: Vec<Ran>) {
    let wrote = group.iter().any(|ran| ran.keep);
    let committed = if tx.is_over() {
        Err("the transaction was rolled back by the engine".to_owned())
    } else if wrote {
        tx.mark("COMMIT").map_err(|error| describe(&error))
    } else {
        tx.mark("ROLLBACK").map_err(|error| describe(&error))
    };
    if let Err(reason) = &committed {
        tracing::error!(
            reason,
            acts = group.len(),
            "a group of acts could not be committed"
        );
        roll_back(tx);
    }
    for ran in group {
        ran.job.answer(
            committed
                .clone()
                .map_err(|reason| Error::Unavailable(reason.into())),
        );
    }
}

fn roll_back(tx: &mut Tx<'_>) {
    if !tx.is_over()
        && let Err(error) = tx.mark("ROLLBACK")
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
