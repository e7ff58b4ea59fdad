//! The documents that rows name, copied from one storage to another. Each is streamed and checked against
//! its SHA-256.
//!
//! A lost or damaged document does not stop the others: it is reported and skipped.

use super::copies::{CONCURRENT, Copies, Faults, Found, Thoroughness, look};
use super::manifest::{Documents, TableFile};
use super::progress::Progress;
use super::{BackupError, rows, run_blocking};
use crate::operator::concurrent::for_each_concurrent;
use crate::operator::document_check::{copy_blob, unreadable};
use blobs::{BlobId, Blobs};
use futures_util::{Stream, StreamExt, stream};
use std::collections::HashSet;
use std::time::SystemTime;
use tokio::sync::mpsc;

/// What was copied, what there is in all, and what could not be copied.
#[derive(Debug, Default)]
pub(super) struct Copied {
    pub(super) copies: Copies,
    pub(super) all: Documents,
    pub(super) faults: Faults,
    /// What `from` has not as it should be, and `to` has.
    pub(super) source_faults: Faults,
}

impl Copied {
    fn count(&mut self, size: u64) {
        self.all.count += 1;
        self.all.bytes += size;
    }
}

/// From where documents are copied, to where, and how far those that are there already are looked at.
#[derive(Clone)]
pub(super) struct DocumentCopy {
    pub(super) from: Blobs,
    pub(super) to: Blobs,
    pub(super) thoroughness: Thoroughness,
    /// When a copy began that was interrupted: what it copied was hashed then.
    pub(super) interrupted: Option<SystemTime>,
}

impl DocumentCopy {
    /// Copies every document that the rows name and `to` lacks, or has not as it should be.
    pub(super) async fn run(&self, pages: &Blobs, tables: &[TableFile]) -> Result<Copied, BackupError> {
        let (named, reading) = names(pages, tables)?;
        let mut copied = Copied::default();
        let mut progress = Progress::new("documents compared or copied", Some(row_count(tables)));
        let copy = |(id, size)| {
            let copy = self.clone();
            async move { (id, size, copy.copy_one(id, size).await) }
        };
        let all = for_each_concurrent(named, CONCURRENT, copy, |(id, size, outcome)| {
            copied.count(size);
            progress.step();
            match outcome? {
                Outcome::There => {}
                Outcome::New => copied.copies.add(size, Found::Nothing),
                Outcome::Mended => {
                    tracing::warn!(document = %id, "the copy of a document was damaged, and is copied anew");
                    copied.copies.add(size, Found::Damaged);
                }
                Outcome::Fault(what) => copied.faults.add(format!("document {id}: {what}")),
                Outcome::SourceFault(what) => copied.source_faults.add(format!("document {id}: {what}")),
            }
            Ok::<_, BackupError>(())
        });
        all.await?;
        finished(reading).await?;
        Ok(copied)
    }

    async fn copy_one(&self, id: BlobId, size: u64) -> Result<Outcome, BackupError> {
        let found = look(&self.to, id, size, self.thoroughness, self.interrupted).await;
        if !found.is_there() {
            return Ok(match copy_blob(&self.from, &self.to, id, size).await? {
                Ok(()) if found == Found::Damaged => Outcome::Mended,
                Ok(()) => Outcome::New,
                Err(reason) => Outcome::Fault(reason),
            });
        }
        if self.thoroughness == Thoroughness::Both
            && found == Found::Whole
            && let Err(error) = self.from.verify(id, size).await
        {
            return Ok(Outcome::SourceFault(unreadable(&self.from, error).await?));
        }
        Ok(Outcome::There)
    }
}

/// Hashes every document that the rows name.
pub(super) async fn verify(
    documents: &Blobs,
    pages: &Blobs,
    tables: &[TableFile],
) -> Result<Copied, BackupError> {
    let (named, reading) = names(pages, tables)?;
    let mut found = Copied::default();
    let mut progress = Progress::new("documents hashed", Some(row_count(tables)));
    let hash = |(id, size)| {
        let documents = documents.clone();
        async move {
            let fault = match documents.verify(id, size).await {
                Ok(_) => None,
                Err(error) => Some(unreadable(&documents, error).await?),
            };
            Ok::<_, BackupError>((id, size, fault))
        }
    };
    let hashed = for_each_concurrent(named, CONCURRENT, hash, |hashed| {
        let (id, size, fault) = hashed?;
        found.count(size);
        progress.step();
        if let Some(what) = fault {
            found.faults.add(format!("document {id}: {what}"));
        }
        Ok::<_, BackupError>(())
    });
    hashed.await?;
    finished(reading).await?;
    Ok(found)
}

/// The documents that the rows name.
pub(super) async fn named(pages: &Blobs, tables: &[TableFile]) -> Result<HashSet<BlobId>, BackupError> {
    let (named, reading) = names(pages, tables)?;
    let found = named.map(|(id, _)| id).collect().await;
    finished(reading).await?;
    Ok(found)
}

enum Outcome {
    There,
    New,
    Mended,
    Fault(String),
    SourceFault(String),
}

type Reading = tokio::task::JoinHandle<Result<(), BackupError>>;

fn row_count(tables: &[TableFile]) -> u64 {
    tables.iter().map(|table| table.rows).sum()
}

/// The documents that the rows name, and the task that reads the rows.
fn names(
    pages: &Blobs,
    tables: &[TableFile],
) -> Result<(impl Stream<Item = (BlobId, u64)> + use<>, Reading), BackupError> {
    let (send, mut named) = mpsc::channel(1024);
    let columns: Vec<NameColumns> = tables.iter().map(NameColumns::of).collect::<Result<_, _>>()?;
    let (pages, tables) = (pages.clone(), tables.to_vec());
    let read_all = move || {
        let mut tables = tables.iter().zip(&columns);
        tables.try_for_each(|(table, columns)| read_names(&pages, table, columns, &send))
    };
    let reading = tokio::spawn(run_blocking(read_all));
    Ok((stream::poll_fn(move |context| named.poll_recv(context)), reading))
}

async fn finished(reading: Reading) -> Result<(), BackupError> {
    reading.await?
}

/// The places of columns in a line.
struct NameColumns {
    sha256: usize,
    size: usize,
    /// None in backups from before documents were erased.
    erased: Option<usize>,
    /// The same of those that were repaired, as they were sent, and of what was appended to them.
    beside: [Option<(usize, usize)>; 2],
}

impl NameColumns {
    fn of(table: &TableFile) -> Result<Self, BackupError> {
        let column = |name: &str| table.columns.iter().position(|column| column.name == name);
        let (Some(sha256), Some(size)) = (column("sha256"), column("size")) else {
            return Err(BackupError::Damaged("the documents have no hashes".to_owned()));
        };
        Ok(Self {
            sha256,
            size,
            erased: column("erased"),
            beside: [("sent_sha256", "sent_size"), ("appended_sha256", "appended_size")]
                .map(|(sha256, size)| column(sha256).zip(column(size))),
        })
    }
}

/// The names and sizes of documents, each once as long as they come in a row. Those that were erased have no bytes.
fn read_names(
    pages: &Blobs,
    table: &TableFile,
    columns: &NameColumns,
    send: &mpsc::Sender<(BlobId, u64)>,
) -> Result<(), BackupError> {
    let broken = || BackupError::Damaged("a document without a hash".to_owned());
    let mut last = None;
    rows::read(pages, table, |line| {
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
        let beside = columns.beside.into_iter().flatten().filter_map(|(sha256, size)| {
            let sha256: Vec<u8> = line.get(sha256).and_then(rows::bytes)?;
            let id = BlobId::from_bytes(sha256.try_into().ok()?);
            Some((id, line.get(size)?.as_u64()?))
        });
        if last.replace(id) != Some(id) {
            // A closed channel means that the copying task has failed. It returns the error itself.
            let _ = send.blocking_send((id, size));
        }
        for other in beside {
            let _ = send.blocking_send(other);
        }
        Ok(())
    })
}
