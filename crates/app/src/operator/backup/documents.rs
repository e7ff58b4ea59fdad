//! The documents that rows name, copied from one storage to another. Each is streamed and checked against
//! its SHA-256.
//!
//! A lost or damaged document does not stop the others: it is reported and skipped.

use super::manifest::{Documents, TableFile};
use super::{BackupError, rows, run_blocking};
use crate::operator::document_check::{copy_blob, unreadable};
use blobs::{BlobId, Blobs};
use futures_util::{Stream, StreamExt, stream};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// Documents that are copied or hashed at the same time: a bucket answers each of them late.
const CONCURRENT: usize = 32;
/// Faults that are listed one by one.
const MAX_LISTED_FAULTS: usize = 100;

/// The time between two lines of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);

/// Documents that could not be copied, because they are not what they should be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    /// How many.
    pub count: u64,
    /// The first of them, in words.
    pub messages: Vec<String>,
}

impl Faults {
    fn add(&mut self, id: BlobId, what: &str) {
        self.count += 1;
        if self.messages.len() < MAX_LISTED_FAULTS {
            self.messages.push(format!("document {id}: {what}"));
        }
    }
}

/// What was copied, what there is in all, and what could not be copied.
#[derive(Debug, Default)]
pub(super) struct Copied {
    pub(super) new: Documents,
    pub(super) all: Documents,
    pub(super) faults: Faults,
    /// What `from` has not as it should be, and `to` has.
    pub(super) source_faults: Faults,
}

/// How far documents that `to` has already are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thoroughness {
    /// Only whether they were cut short.
    Length,
    /// They are hashed; a damaged one is copied again.
    Copy,
    /// The same, and those of `from` are hashed as well: damage there is reported.
    Both,
}

/// Copies every document that the rows of `documents` name and `to` lacks, or has not as it should be.
pub(super) async fn copy(
    from: &Blobs,
    to: &Blobs,
    table: &TableFile,
    path: PathBuf,
    thoroughness: Thoroughness,
) -> Result<Copied, BackupError> {
    let (named, reading) = names(table, path)?;
    let mut outcomes = named
        .map(|(id, size)| async move {
            let outcome = copy_one(from, to, id, size, thoroughness).await?;
            Ok::<_, BackupError>((id, size, outcome))
        })
        .buffer_unordered(CONCURRENT);
    let mut copied = Copied::default();
    let mut progress = Progress::new(table.rows);
    while let Some(outcome) = outcomes.next().await {
        let (id, size, outcome) = outcome?;
        copied.all.count += 1;
        copied.all.bytes += size;
        progress.log(copied.all.count);
        match outcome {
            Outcome::There => {}
            Outcome::New => {
                copied.new.count += 1;
                copied.new.bytes += size;
            }
            Outcome::Fault(what) => copied.faults.add(id, &what),
            Outcome::SourceFault(what) => copied.source_faults.add(id, &what),
        }
    }
    drop(outcomes);
    finished(reading).await?;
    Ok(copied)
}

/// Hashes every document that the rows of `documents` name.
pub(super) async fn verify(blobs: &Blobs, table: &TableFile, path: PathBuf) -> Result<Copied, BackupError> {
    let (named, reading) = names(table, path)?;
    let mut outcomes = named
        .map(|(id, size)| async move { (id, size, blobs.verify(id, size).await) })
        .buffer_unordered(CONCURRENT);
    let mut found = Copied::default();
    while let Some((id, size, verified)) = outcomes.next().await {
        found.all.count += 1;
        found.all.bytes += size;
        if let Err(error) = verified {
            found.faults.add(id, &unreadable(blobs, error).await?);
        }
    }
    drop(outcomes);
    finished(reading).await?;
    Ok(found)
}

/// The documents that the rows of `documents` name.
pub(super) async fn named(table: &TableFile, path: PathBuf) -> Result<HashSet<BlobId>, BackupError> {
    let (named, reading) = names(table, path)?;
    let found = named.map(|(id, _)| id).collect().await;
    finished(reading).await?;
    Ok(found)
}

/// Logs how far the copying is, from time to time.
struct Progress {
    rows: u64,
    logged: Instant,
}

impl Progress {
    fn new(rows: u64) -> Self {
        Self {
            rows,
            logged: Instant::now(),
        }
    }

    fn log(&mut self, done: u64) {
        if self.logged.elapsed() >= PROGRESS_INTERVAL {
            self.logged = Instant::now();
            tracing::info!(done, of = self.rows, "documents compared or copied");
        }
    }
}

enum Outcome {
    There,
    New,
    Fault(String),
    SourceFault(String),
}

async fn copy_one(
    from: &Blobs,
    to: &Blobs,
    id: BlobId,
    size: u64,
    thoroughness: Thoroughness,
) -> Result<Outcome, BackupError> {
    let there = match thoroughness {
        // The last byte: a file that was cut short is there as well.
        Thoroughness::Length => to.read(id, size.saturating_sub(1)..size).await.is_ok(),
        Thoroughness::Copy | Thoroughness::Both => to.verify(id, size).await.is_ok(),
    };
    if !there {
        return Ok(match copy_blob(from, to, id, size).await? {
            Ok(()) => Outcome::New,
            Err(reason) => Outcome::Fault(reason),
        });
    }
    if thoroughness == Thoroughness::Both
        && let Err(error) = from.verify(id, size).await
    {
        return Ok(Outcome::SourceFault(unreadable(from, error).await?));
    }
    Ok(Outcome::There)
}

type Reading = tokio::task::JoinHandle<Result<(), BackupError>>;

/// The documents that the rows name, and the task that reads the rows.
fn names(
    table: &TableFile,
    path: PathBuf,
) -> Result<(impl Stream<Item = (BlobId, u64)> + use<>, Reading), BackupError> {
    let column = |name: &str| table.columns.iter().position(|column| column.name == name);
    let (Some(sha256), Some(size)) = (column("sha256"), column("size")) else {
        return Err(BackupError::Damaged("the documents have no hashes".to_owned()));
    };
    let (send, mut named) = mpsc::channel(1024);
    let columns = NameColumns {
        sha256,
        size,
        erased: column("erased"),
        sent: column("sent_sha256").zip(column("sent_size")),
    };
    let reading = tokio::spawn(run_blocking(move || read_names(&path, &columns, &send)));
    Ok((stream::poll_fn(move |context| named.poll_recv(context)), reading))
}

async fn finished(reading: Reading) -> Result<(), BackupError> {
    reading
        .await
        .map_err(|lost| BackupError::Damaged(lost.to_string()))?
}

/// The places of columns in a line.
struct NameColumns {
    sha256: usize,
    size: usize,
    /// None in backups from before documents were erased.
    erased: Option<usize>,
    /// The same of those that were repaired, as they were sent.
    sent: Option<(usize, usize)>,
}

/// The names and sizes of documents, each once as long as they come in a row. Those that were erased have no bytes.
fn read_names(
    path: &Path,
    columns: &NameColumns,
    send: &mpsc::Sender<(BlobId, u64)>,
) -> Result<(), BackupError> {
    let broken = || BackupError::Damaged(format!("{}: a document without a hash", path.display()));
    let mut last = None;
    rows::read(path, |line| {
        let erased = columns.erased.and_then(|erased| line.get(erased)?.as_i64());
        if erased == Some(1) {
            return Ok(());
        }
        let hash = line
            .get(columns.sha256)
            .and_then(rows::bytes)
            .ok_or_else(broken)?;
        let id = BlobId::from_bytes(hash.try_into().map_err(|_| broken())?);
        let size = line
            .get(columns.size)
            .and_then(serde_json::Value::as_u64)
            .ok_or_else(broken)?;
        let sent = columns.sent.and_then(|(sha256, size)| {
            let sha256: Vec<u8> = line.get(sha256).and_then(rows::bytes)?;
            let id = BlobId::from_bytes(sha256.try_into().ok()?);
            Some((id, line.get(size)?.as_u64()?))
        });
        if last.replace(id) != Some(id) {
            // A closed channel means that the copying task has failed. It returns the error itself.
            let _ = send.blocking_send((id, size));
        }
        if let Some(sent) = sent {
            let _ = send.blocking_send(sent);
        }
        Ok(())
    })
}
