//! Reads of a few rows, made where the caller is.
//!
//! `SQLite` is a library: a row that is found by its key costs less than waking a thread that would look for it,
//! and being woken by it. A connection is lent for the time of one transaction; when none is left, the read goes
//! the long way, through the queue.

use super::sqlite::{CACHE, open, readers};
use super::statements::Texts;
use crate::error::Error;
use crate::standing::Standing;
use crate::tx::Tx;
use rusqlite::Connection;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

/// How long the database is waited for. Readers wait for nobody but a process that is just repairing it.
const BUSY: Duration = Duration::from_millis(100);

/// So many bytes of the database are read where the system keeps them, without a call and a copy for each page. With
/// many folios hardly a page that a read needs is in the connection's own cache. Whoever reads between writes does
/// without: with every commit of others the engine gives all of it back to the system and asks for it anew, which costs
/// more than to read a few pages, and stops the other threads for a moment.
const MAPPED: i64 = 1 << 30;

/// Each thread has one that it tries first: what it used last time is still at hand there.
#[derive(Debug)]
pub(super) struct Near {
    connections: Vec<Mutex<Lent>>,
}

/// A statement cannot go from thread to thread but inside its connection, which finds it by its text.
#[derive(Debug)]
struct Lent {
    connection: Connection,
    texts: Texts,
    standing: Standing,
}

impl Near {
    /// For reads among reads.
    pub(super) fn mapped(path: &Path) -> Result<Self, Error> {
        Self::with(path, |connection| {
            connection.pragma_update(None, "mmap_size", MAPPED)
        })
    }

    /// For reads between writes.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        Self::with(path, |_| Ok(()))
    }

    fn with(path: &Path, set_up: impl Fn(&Connection) -> rusqlite::Result<()>) -> Result<Self, Error> {
        let connections: Result<Vec<_>, Error> = (0..readers())
            .map(|_| {
                let connection = open(path)?;
                connection.pragma_update(None, "cache_size", -CACHE)?;
                connection.busy_timeout(BUSY)?;
                set_up(&connection)?;
                Ok(Mutex::new(Lent {
                    connection,
                    texts: Texts::default(),
                    standing: Standing::default(),
                }))
            })
            .collect();
        Ok(Self {
            connections: connections?,
        })
    }

    /// Runs a transaction that reads a few rows; gives it back when every connection is lent.
    pub(super) fn read<T, E: From<Error>, A>(&self, act: A) -> Result<Result<T, E>, A>
    where
        A: FnOnce(&mut Tx<'_>) -> Result<T, E>,
    {
        let Some(mut lent) = self.lend() else {
            return Err(act);
        };
        Ok(lent.read(act))
    }

    fn lend(&self) -> Option<MutexGuard<'_, Lent>> {
        let (before, own) = self
            .connections
            .split_at(number_of_thread() % self.connections.len());
        own.iter()
            .chain(before)
            .find_map(|connection| match connection.try_lock() {
                Ok(lent) => Some(lent),
                Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => None,
            })
    }
}

impl Lent {
    /// Runs a transaction within the statement that asks for the database's version: as long as its answer is not read to
    /// the end, whatever else is asked sees the same snapshot. The version changes with whatever others commit; the
    /// connection itself writes nothing.
    fn read<T, E: From<Error>>(&mut self, act: impl FnOnce(&mut Tx<'_>) -> Result<T, E>) -> Result<T, E> {
        let mut statement = self
            .connection
            .prepare_cached("PRAGMA data_version")
            .map_err(Error::from)?;
        let mut snapshot = statement.query([]).map_err(Error::from)?;
        let version = match snapshot.next().map_err(Error::from)? {
            Some(row) => row.get(0).map_err(Error::from)?,
            None => return Err(Error::Corrupt("version").into()),
        };
        self.standing.keep_to(version);
        let mut tx = Tx::lent(&self.connection, &mut self.texts, &mut self.standing);
        let outcome = catch_unwind(AssertUnwindSafe(|| act(&mut tx)));
        // A body that panicked half way may have left something open, and with it the snapshot.
        if !self.connection.is_autocommit() {
            self.connection.execute_batch("ROLLBACK").map_err(Error::from)?;
        }
        outcome.unwrap_or_else(|_| Err(Error::Panicked.into()))
    }
}

/// Threads are numbered as they come.
fn number_of_thread() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static NUMBER: usize = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    NUMBER.with(|number| *number)
}
