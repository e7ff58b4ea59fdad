//! The documents that rows name, copied from one storage to another. Each is streamed and checked against
//! its SHA-256.
//!
//! A lost or damaged document does not stop the others: it is reported and skipped.

use super::copies::{Copies, CopyState, Faults, MAX_CONCURRENT_BLOBS, Thoroughness, check_copy};
use super::manifest::{Documents, TableFile};
use super::progress::Progress;
use super::{BackupError, rows, run_blocking};
use crate::operator::concurrent::for_each_concurrent;
use crate::operator::document_check::{copy_blob, unreadable};
use blobs::{BlobId, Blobs};
use futures_util::{Stream, StreamExt, stream};
use serde_json::Value;
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
pub(super) struct CopyTask {
    pub(super) from: Blobs,
    pub(super) to: Blobs,
    pub(super) thoroughness: Thoroughness,
    /// When a copy began that was interrupted: what it copied was hashed then.
    pub(super) interrupted: Option<SystemTime>,
}

impl CopyTask {
    /// Copies every document that the rows name and `to` lacks, or has not as it should be.
    pub(super) async fn run(&self, pages: &Blobs, tables: &[TableFile]) -> Result<Copied, BackupError> {
        let (named, reading) = names(pages, tables)?;
        let mut copied = Copied::default();
        let mut progress = Progress::new(
            "rows whose documents are compared or copied",
            Some(row_count(tables)),
        );
        let copy = |Named { id, size, row }| {
            let copy = self.clone();
            async move { (id, size, row, copy.copy_one(id, size).await) }
        };
        let all = for_each_concurrent(named, MAX_CONCURRENT_BLOBS, copy, |(id, size, row, outcome)| {
            copied.count(size);
            progress.reach(row);
            match outcome? {
                Outcome::There => {}
                Outcome::New => copied.copies.add(size, CopyState::Nothing),
                Outcome::Mended => {
                    tracing::warn!(document = %id, "the copy of a document was damaged, and is copied anew");
                    copied.copies.add(size, CopyState::Damaged);
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
        let found = check_copy(&self.to, id, size, self.thoroughness, self.interrupted).await;
        if !found.is_there() {
            return Ok(match copy_blob(&self.from, &self.to, id, size).await? {
                Ok(()) if found == CopyState::Damaged => Outcome::Mended,
                Ok(()) => Outcome::New,
                Err(reason) => Outcome::Fault(reason),
            });
        }
        if self.thoroughness == Thoroughness::Both
            && found == CopyState::Whole
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
    let mut progress = Progress::new("rows whose documents are hashed", Some(row_count(tables)));
    let hash = |Named { id, size, row }| {
        let documents = documents.clone();
        async move {
            let fault = match documents.verify(id, size).await {
                Ok(_) => None,
                Err(error) => Some(unreadable(&documents, error).await?),
            };
            Ok::<_, BackupError>((id, size, row, fault))
        }
    };
    let hashed = for_each_concurrent(named, MAX_CONCURRENT_BLOBS, hash, |hashed| {
        let (id, size, row, fault) = hashed?;
        found.count(size);
        progress.reach(row);
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
    let found = named.map(|named| named.id).collect().await;
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
) -> Result<(impl Stream<Item = Named> + use<>, Reading), BackupError> {
    let (send, mut receive) = mpsc::channel(1024);
    let columns: Vec<NameColumns> = tables.iter().map(NameColumns::of).collect::<Result<_, _>>()?;
    let (pages, tables) = (pages.clone(), tables.to_vec());
    let read_all = move || {
        let mut names = RowNames::default();
        let mut tables = tables.iter().zip(&columns);
        tables.try_for_each(|(table, columns)| {
            rows::read(&pages, table, |line| {
                for named in names.next(&line, columns)? {
                    // A closed channel means that the copying task has failed. It returns the error itself.
                    let _ = send.blocking_send(named);
                }
                Ok(())
            })
        })
    };
    let reading = tokio::spawn(run_blocking(read_all));
    Ok((
        stream::poll_fn(move |context| receive.poll_recv(context)),
        reading,
    ))
}

async fn finished(reading: Reading) -> Result<(), BackupError> {
    reading.await?
}

/// The places of columns in a line.
struct NameColumns {
    sha256: usize,
    size: usize,
    /// Only documents of folios can be erased, not those of drafts and templates.
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

/// A document that a row names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Named {
    id: BlobId,
    size: u64,
    /// Which row names it, counted over all tables: one may name several, and several the same.
    row: u64,
}

/// The documents of row after row, each once as long as they come in a row. Those that were erased have no bytes.
#[derive(Default)]
struct RowNames {
    rows: u64,
    last: Option<BlobId>,
}

impl RowNames {
    fn next(&mut self, line: &[Value], columns: &NameColumns) -> Result<Vec<Named>, BackupError> {
        let broken = || BackupError::Damaged("a document without a hash".to_owned());
        self.rows += 1;
        let row = self.rows;
        let erased = columns.erased.and_then(|erased| line.get(erased)?.as_i64());
        if erased == Some(1) {
            return Ok(Vec::new());
        }
        let hash = line
            .get(columns.sha256)
            .and_then(rows::bytes)
            .ok_or_else(broken)?;
        let id = BlobId::from_bytes(hash.try_into().map_err(|_| broken())?);
        let size = line
            .get(columns.size)
            .and_then(Value::as_u64)
            .ok_or_else(broken)?;
        let is_new = self.last.replace(id) != Some(id);
        let mut named: Vec<Named> = is_new.then_some(Named { id, size, row }).into_iter().collect();
        let beside = columns.beside.into_iter().flatten();
        named.extend(beside.filter_map(|(sha256, size)| {
            let sha256: Vec<u8> = line.get(sha256).and_then(rows::bytes)?;
            let id = BlobId::from_bytes(sha256.try_into().ok()?);
            let size = line.get(size)?.as_u64()?;
            Some(Named { id, size, row })
        }));
        Ok(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::BASE64;
    use serde_json::json;

    #[test]
    fn progress_counts_rows_however_many_documents_they_name() {
        let columns = NameColumns {
            sha256: 0,
            size: 1,
            erased: None,
            beside: [Some((2, 3)), Some((4, 5))],
        };
        let hash = |byte: u8| json!({ "base64": BASE64.encode(&[byte; 32]) });
        let mut names = RowNames::default();
        let mut progress = Progress::new("rows", Some(3));
        let mut documents = 0;
        for (first, named) in [(1, 3), (1, 2), (2, 3)] {
            let line = [hash(first), json!(9), hash(3), json!(9), hash(4), json!(9)];
            let found = names.next(&line, &columns).unwrap();
            assert_eq!(found.len(), named);
            documents += found.len();
            // They end in whatever order.
            for one in found.iter().rev() {
                progress.reach(one.row);
            }
        }
        progress.reach(1);
        assert_eq!((documents, progress.done()), (8, 3));
    }
}
