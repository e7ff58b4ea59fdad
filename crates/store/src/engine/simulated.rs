//! Rows for a simulation: `SQLite` without threads. The simulation takes each queued transaction, and decides when it
//! runs, whether it is committed, and what its caller hears of that.

use super::queued_tx::{Job, refuse};
use super::sqlite::{connect, open_migrated};
use super::{MAX_QUEUED_READS, MAX_QUEUED_WRITES, Queues, Shared, Store, Timeouts};
use crate::error::Error;
use crate::history_key::HistoryKey;
use crate::migrate;
use crate::tx::Tx;
use crossbeam_channel::Receiver;
use domain::Timestamp;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

/// A database that several simulated instances share. Their transactions run one after the other.
#[derive(Debug)]
pub struct Database {
    connection: Connection,
    history_key: HistoryKey,
}

impl Database {
    /// Makes a database with the newest schema. Blocks.
    pub fn create(path: &Path) -> Result<(), Error> {
        drop(open_migrated(path, migrate::MIGRATIONS, migrate::LATEST_VERSION)?);
        Ok(())
    }

    /// Opens one. Nothing is made durable: the simulation decides what a crash forgets. Blocks.
    pub fn open(path: &Path, history_key: HistoryKey) -> Result<Self, Error> {
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.execute_batch(
            "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
             PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = ON",
        )?;
        Ok(Self {
            connection,
            history_key,
        })
    }

    /// The store of one instance, and its queue of transactions.
    pub fn connect(&self) -> (Store, TransactionQueue) {
        let (read, reads) = crossbeam_channel::bounded(MAX_QUEUED_READS);
        let (write, writes) = crossbeam_channel::bounded(MAX_QUEUED_WRITES);
        let queued = Arc::new(Notify::new());
        let shared = Shared {
            queues: Some(Queues {
                read,
                urgent: write.clone(),
                write,
            }),
            inline_readers: None,
            history_key: Some(self.history_key.clone()),
            timeouts: Timeouts::default(),
            queued: Some(Arc::clone(&queued)),
            threads: Mutex::default(),
        };
        let store = Store {
            shared: Arc::new(shared),
        };
        (
            store,
            TransactionQueue {
                reads,
                writes,
                queued,
            },
        )
    }

    /// Runs a transaction; `clock` is what the database's clock shows. One without effects beside it is run twice if
    /// `twice` says so, as after a deadlock.
    pub fn run(&self, transaction: QueuedTransaction, clock: Timestamp, twice: bool) -> ExecutedTransaction {
        let QueuedTransaction { mut job, writes } = transaction;
        let mut tx = Tx::sqlite(&self.connection)
            .with_history_key(Some(&self.history_key))
            .with_clock(clock);
        let mut committed = tx.control("BEGIN IMMEDIATE");
        if committed.is_ok() {
            let mut keep = job.run(Ok(&mut tx));
            if keep && writes && twice && job.is_retryable() {
                committed = tx
                    .control("ROLLBACK")
                    .and_then(|()| tx.control("BEGIN IMMEDIATE"));
                keep = committed.is_ok() && job.run(Ok(&mut tx));
            }
            let end = if keep && writes { "COMMIT" } else { "ROLLBACK" };
            committed = committed.and_then(|()| tx.control(end));
        }
        ExecutedTransaction { job, committed }
    }

    /// Reads what the simulation checks.
    pub fn inspect<T>(&self, read: impl FnOnce(&Connection) -> T) -> T {
        read(&self.connection)
    }
}

/// The transactions that an instance waits for.
#[derive(Debug)]
pub struct TransactionQueue {
    reads: Receiver<Job>,
    writes: Receiver<Job>,
    queued: Arc<Notify>,
}

impl TransactionQueue {
    /// Waits for the next transaction.
    pub async fn next(&self) -> QueuedTransaction {
        loop {
            if let Ok(job) = self.writes.try_recv() {
                return QueuedTransaction { job, writes: true };
            }
            if let Ok(job) = self.reads.try_recv() {
                return QueuedTransaction { job, writes: false };
            }
            self.queued.notified().await;
        }
    }
}

/// A transaction that waits.
pub struct QueuedTransaction {
    job: Job,
    writes: bool,
}

impl std::fmt::Debug for QueuedTransaction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QueuedTransaction")
            .field("writes", &self.writes)
            .finish_non_exhaustive()
    }
}

impl QueuedTransaction {
    /// Whether it may write.
    pub const fn writes(&self) -> bool {
        self.writes
    }

    /// Tells the caller why it is not run.
    pub fn refuse(self, error: Error) {
        refuse(self.job, error);
    }
}

/// A transaction that has ended, and whose caller does not know yet.
pub struct ExecutedTransaction {
    job: Job,
    committed: Result<(), Error>,
}

impl std::fmt::Debug for ExecutedTransaction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExecutedTransaction")
            .field("committed", &self.committed)
            .finish_non_exhaustive()
    }
}

impl ExecutedTransaction {
    /// Tells the caller the outcome.
    pub fn answer(self) {
        self.job.reply(self.committed);
    }

    /// Tells the caller that the answer was lost.
    pub fn lose_answer(self) {
        self.job
            .reply(Err(Error::Unconfirmed("the connection was lost".into())));
    }
}
