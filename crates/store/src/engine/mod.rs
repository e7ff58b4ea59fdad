//! Threads that own connections, and the bounded queues that feed them.

mod dedicated;
mod inline_reader;
pub(crate) mod postgres;
pub(crate) mod queued_tx;
#[cfg(feature = "simulation")]
pub mod simulated;
mod sqlite;

use crate::error::Error;
use crate::history_key::HistoryKey;
use crate::tx::Tx;
use crossbeam_channel::{Sender, TrySendError};
use inline_reader::InlineReaders;
use queued_tx::{Job, PendingTx, job, retryable_job};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::Notify;
use tracing::Span;

/// Where the data is.
#[derive(Debug, Clone)]
pub enum Settings {
    /// In a file of this machine.
    Sqlite(PathBuf),
    /// On a server: `postgres://user:password@host/database?sslmode=…&sslrootcert=…`.
    Postgres(String),
}

/// Queued writes above which the store returns [`Error::Busy`].
const MAX_QUEUED_WRITES: usize = 1024;
/// Queued reads above which the store returns [`Error::Busy`].
const MAX_QUEUED_READS: usize = 4096;
/// Queued urgent writes above which the store returns [`Error::Busy`]: an instance has one heartbeat.
const MAX_QUEUED_URGENT: usize = 16;

/// How long the store waits. Tests have more time: they do not test how fast the machine is.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// How long a caller waits for its transaction. The other timeouts are shorter: this is for a server that no
    /// longer responds.
    pub answer: Duration,
    /// How long a statement waits for the lock of another transaction or of another process.
    pub lock: Duration,
    /// How long a statement may take on `PostgreSQL`.
    pub statement: Duration,
    /// How much longer a caller waits if a commit is in progress when the time for the answer is over.
    pub commit: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(15),
            lock: Duration::from_secs(10),
            statement: Duration::from_secs(12),
            commit: Duration::from_secs(5),
        }
    }
}

/// How many connections to `PostgreSQL` the store has at the most; at least one of each. One more is for urgent writes.
#[derive(Debug, Clone, Copy)]
pub struct PoolSizes {
    /// For reads.
    pub readers: usize,
    /// For writes.
    pub writers: usize,
}

impl Default for PoolSizes {
    fn default() -> Self {
        Self {
            readers: 4,
            writers: 8,
        }
    }
}

/// How a store is opened.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// How long it waits.
    pub timeouts: Timeouts,
    /// How many connections it has.
    pub pool: PoolSizes,
}

/// The lengths of the queues.
#[derive(Debug, Clone, Copy)]
pub struct QueueDepths {
    /// Reads waiting.
    pub reads: usize,
    /// Writes waiting.
    pub writes: usize,
}

/// The store. Clones share it. Dropping the last one runs the queued transactions and closes it.
#[derive(Debug, Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    queues: Option<Queues>,
    inline_readers: Option<InlineReaders>,
    history_key: Option<HistoryKey>,
    timeouts: Timeouts,
    /// Told of every queued transaction, where a simulation runs them and not a thread.
    queued: Option<Arc<Notify>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Queues {
    read: Sender<Job>,
    write: Sender<Job>,
    urgent: Sender<Job>,
}

impl Store {
    /// Opens the database, brings it up to the newest migration, and starts the threads. Without the history key, no
    /// event can be written, and no event can be checked. Blocks.
    pub fn open(settings: &Settings, history_key: Option<HistoryKey>) -> Result<Self, Error> {
        Self::open_with(settings, history_key, Options::default())
    }

    /// The same with other options. Blocks.
    pub fn open_with(
        settings: &Settings,
        history_key: Option<HistoryKey>,
        options: Options,
    ) -> Result<Self, Error> {
        let (read, reads) = crossbeam_channel::bounded(MAX_QUEUED_READS);
        let (write, writes) = crossbeam_channel::bounded(MAX_QUEUED_WRITES);
        let (threads, inline_readers, urgent) = match settings {
            Settings::Sqlite(path) => {
                let threads =
                    sqlite::start(path, history_key.clone(), options.timeouts.lock, &reads, writes)?;
                (threads, Some(InlineReaders::open(path)?), write.clone())
            }
            Settings::Postgres(url) => {
                let (urgent, urgents) = crossbeam_channel::bounded(MAX_QUEUED_URGENT);
                let key = history_key.as_ref();
                let threads = postgres::start(url, key, options, &reads, &writes, &urgents)?;
                (threads, None, urgent)
            }
        };
        let shared = Shared {
            queues: Some(Queues { read, write, urgent }),
            inline_readers,
            history_key,
            timeouts: options.timeouts,
            queued: None,
            threads: Mutex::new(threads),
        };
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    /// The key that authenticates events, if the store was opened with it.
    pub fn history_key(&self) -> Option<&HistoryKey> {
        self.shared.history_key.as_ref()
    }

    /// Runs a transaction that only reads, on one snapshot.
    pub async fn read<T, E>(
        &self,
        body: impl FnOnce(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.enqueue(|queues| &queues.read, job(read_span(), body))?
            .wait_timeout(self.shared.timeouts)
            .await
    }

    /// Like `read`, for a transaction that finds a few rows by their keys: on `SQLite` it runs on the
    /// caller's thread.
    pub async fn read_inline<T, E>(
        &self,
        body: impl FnOnce(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let body = match &self.shared.inline_readers {
            Some(readers) => match read_span().in_scope(|| readers.read(body)) {
                Ok(outcome) => return outcome,
                Err(body) => body,
            },
            None => body,
        };
        self.read(body).await
    }

    /// Runs a transaction. `Ok` means that its writes are durable, `Err` that none of them is, except
    /// [`Error::Unconfirmed`]: the connection was lost during the commit, or the commit takes too long. Dropping the
    /// future before the body has ended, as a request does whose client hung up, rolls it back; after that
    /// it is committed.
    pub async fn write<T, E>(
        &self,
        body: impl FnOnce(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.enqueue(|queues| &queues.write, job(write_span(), body))?
            .wait_timeout(self.shared.timeouts)
            .await
    }

    /// Like `write`, for a body without effects outside the transaction. It may be run again: on `SQLite` when another
    /// transaction of its group commit fails, so that it needs no savepoint; on `PostgreSQL` after a deadlock, or when
    /// the server takes no writes any more.
    pub async fn write_retryable<T, E>(
        &self,
        body: impl Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.enqueue(|queues| &queues.write, retryable_job(write_span(), body))?
            .wait_timeout(self.shared.timeouts)
            .await
    }

    /// Like `write`, for a heartbeat, which others must not delay for longer than it lasts: on `PostgreSQL` it has a
    /// connection of its own. On `SQLite` there is one writer, and it waits its turn.
    pub async fn write_urgent<T, E>(
        &self,
        body: impl FnOnce(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.enqueue(|queues| &queues.urgent, job(write_span(), body))?
            .wait_timeout(self.shared.timeouts)
            .await
    }

    /// Like `write`, without a timeout: for a caller that retries, and must not do so while the first
    /// attempt may still be committed.
    pub async fn write_without_timeout<T, E>(
        &self,
        body: impl FnOnce(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.enqueue(|queues| &queues.write, job(write_span(), body))?
            .wait()
            .await
    }

    fn enqueue<T, E>(
        &self,
        queue: impl FnOnce(&Queues) -> &Sender<Job>,
        (job, pending): (Job, PendingTx<T, E>),
    ) -> Result<PendingTx<T, E>, Error> {
        let queues = self.shared.queues.as_ref().ok_or(Error::Closed)?;
        queue(queues).try_send(job).map_err(|error| match error {
            TrySendError::Full(_) => Error::Busy,
            TrySendError::Disconnected(_) => Error::Closed,
        })?;
        if let Some(queued) = &self.shared.queued {
            queued.notify_one();
        }
        Ok(pending)
    }

    /// How many transactions wait.
    pub fn queue_depths(&self) -> QueueDepths {
        let queues = self.shared.queues.as_ref();
        QueueDepths {
            reads: queues.map_or(0, |queues| queues.read.len()),
            writes: queues.map_or(0, |queues| queues.write.len()),
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        drop(self.queues.take());
        drop(self.inline_readers.take());
        let threads = self.threads.get_mut().map(std::mem::take).unwrap_or_default();
        for thread in threads {
            // A thread of the store never ends by a panic: transactions that panic are caught.
            let _ = thread.join();
        }
    }
}

/// A transaction in a trace. Spans at this level are for the collector, and cost nothing without one.
fn read_span() -> Span {
    tracing::trace_span!("read transaction")
}

fn write_span() -> Span {
    tracing::trace_span!("write transaction")
}

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Error> {
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(body)
        .map_err(|error| Error::Unavailable(error.into()))
}
