//! Reads of a few rows, on the thread of the request.
//!
//! `SQLite` is a library: a row that is found by its key costs less than waking a thread that would look for it, and
//! being woken by it. When every connection is in use, the read is queued for the reader threads.

use super::sqlite::{PAGE_CACHE_KIB, open_reader, reader_count};
use crate::error::Error;
use crate::tx::Tx;
use rusqlite::Connection;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

/// How long a read waits for the database. In WAL mode only a recovery makes a read wait.
const BUSY_TIMEOUT: Duration = Duration::from_millis(100);

/// A pool of connections. Each thread tries one of them first: its page cache has what the thread used last.
#[derive(Debug)]
pub(super) struct InlineReaders {
    connections: Vec<Mutex<Connection>>,
}

impl InlineReaders {
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let connections: Result<Vec<_>, Error> = (0..reader_count())
            .map(|_| {
                let connection = open_reader(path)?;
                connection.pragma_update(None, "cache_size", -PAGE_CACHE_KIB)?;
                connection.busy_timeout(BUSY_TIMEOUT)?;
                Ok(Mutex::new(connection))
            })
            .collect();
        Ok(Self {
            connections: connections?,
        })
    }

    /// Runs a transaction that reads a few rows; gives it back when every connection is in use.
    pub(super) fn read<T, E: From<Error>, A>(&self, body: A) -> Result<Result<T, E>, A>
    where
        A: FnOnce(&mut Tx<'_>) -> Result<T, E>,
    {
        let Some(connection) = self.try_checkout() else {
            return Err(body);
        };
        Ok(read(&connection, body))
    }

    fn try_checkout(&self) -> Option<MutexGuard<'_, Connection>> {
        let (before, own) = self.connections.split_at(thread_index() % self.connections.len());
        own.iter()
            .chain(before)
            .find_map(|connection| match connection.try_lock() {
                Ok(connection) => Some(connection),
                Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => None,
            })
    }
}

fn read<T, E: From<Error>>(
    connection: &Connection,
    body: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let mut tx = Tx::sqlite(connection);
    tx.control("BEGIN")?;
    let outcome = catch_unwind(AssertUnwindSafe(|| body(&mut tx)));
    if !tx.is_over() {
        tx.control("ROLLBACK")?;
    }
    outcome.unwrap_or_else(|_| Err(Error::Panicked.into()))
}

/// A number of the thread, given at its first call.
fn thread_index() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static INDEX: usize = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    INDEX.with(|index| *index)
}
