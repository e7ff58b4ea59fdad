//! Reads of a few rows, made where the caller is.
//!
//! `SQLite` is a library: a row that is found by its key costs less than waking a thread that would look for it,
//! and being woken by it. A connection is lent for the time of one transaction; when none is left, the read goes
//! the long way, through the queue.

use super::sqlite::{CACHE, open, read_transaction, readers};
use super::statements::Texts;
use crate::error::Error;
use crate::tx::Tx;
use rusqlite::Connection;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long the database is waited for. Readers wait for nobody but a process that is just repairing it.
const BUSY: Duration = Duration::from_millis(100);

/// So many bytes of the database are read where the system keeps them, without a call and a copy for each page. With
/// many folios hardly a page that a read needs is in the connection's own cache. Whoever reads between writes does
/// without: with every commit of others the engine gives all of it back to the system and asks for it anew, which costs
/// more than to read a few pages, and stops the other threads for a moment.
const MAPPED: i64 = 1 << 30;

#[derive(Debug)]
pub(super) struct Near {
    idle: Mutex<Vec<Lent>>,
}

/// A statement cannot go from thread to thread but inside its connection, which finds it by its text.
#[derive(Debug)]
struct Lent {
    connection: Connection,
    texts: Texts,
}

impl Near {
    /// For reads among reads.
    pub(super) fn mapped(path: &Path) -> Result<Self, Error> {
        let near = Self::open(path)?;
        for lent in near.idle().iter() {
            lent.connection.pragma_update(None, "mmap_size", MAPPED)?;
        }
        Ok(near)
    }

    /// For reads between writes.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let connections: Result<Vec<_>, Error> = (0..readers())
            .map(|_| {
                let connection = open(path)?;
                connection.pragma_update(None, "cache_size", -CACHE)?;
                connection.busy_timeout(BUSY)?;
                Ok(Lent {
                    connection,
                    texts: Texts::default(),
                })
            })
            .collect();
        Ok(Self {
            idle: Mutex::new(connections?),
        })
    }

    /// Runs a transaction that reads a few rows; gives it back when every connection is lent.
    pub(super) fn read<T, E: From<Error>, A>(&self, act: A) -> Result<Result<T, E>, A>
    where
        A: FnOnce(&mut Tx<'_>) -> Result<T, E>,
    {
        let lent = self.idle().pop();
        let Some(mut lent) = lent else {
            return Err(act);
        };
        let mut tx = Tx::lent(&lent.connection, &mut lent.texts);
        let (outcome, ended) = read_transaction(&mut tx, |tx| match tx {
            Ok(tx) => {
                catch_unwind(AssertUnwindSafe(|| act(tx))).unwrap_or_else(|_| Err(Error::Panicked.into()))
            }
            Err(error) => Err(error.into()),
        });
        drop(tx);
        self.idle().push(lent);
        Ok(outcome.and_then(|found| ended.map(|()| found).map_err(E::from)))
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Lent>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
