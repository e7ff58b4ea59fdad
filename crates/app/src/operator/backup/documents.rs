//! The documents that rows name, copied from one storage to another. Each is streamed and checked against
//! its SHA-256.
//!
//! A lost or damaged document does not stop the others: it is reported and skipped.

use super::manifest::{Documents, TableFile};
use super::{BackupError, rows, run_blocking};
use blobs::{BlobId, Blobs, PendingBlob};
use futures_util::StreamExt;
use std::path::{Path, PathBuf};
use tokio::sync::mpsc;

/// Documents made durable in one call.
const PERSIST_BATCH: usize = 32;
/// Faults that are listed one by one.
const MAX_LISTED_FAULTS: usize = 100;

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
}

/// Copies every document that the rows of `documents` name and `to` lacks, or has less than all of.
pub(super) async fn copy(
    from: &Blobs,
    to: &Blobs,
    table: &TableFile,
    path: PathBuf,
) -> Result<Copied, BackupError> {
    let column = |name: &str| table.columns.iter().position(|column| column.name == name);
    let (Some(sha256), Some(size)) = (column("sha256"), column("size")) else {
        return Err(BackupError::Damaged("the documents have no hashes".to_owned()));
    };
    let (send, mut named) = mpsc::channel(1024);
    let reading = tokio::spawn(run_blocking(move || read_names(&path, sha256, size, &send)));
    let mut copied = Copied::default();
    let mut waiting = Vec::new();
    while let Some((id, size)) = named.recv().await {
        copied.all.count += 1;
        copied.all.bytes += size;
        // The last byte: a file that was cut short is there as well.
        if to.read(id, size.saturating_sub(1)..size).await.is_ok() {
            continue;
        }
        match fetch(from, to, id, size).await? {
            Ok(pending) => waiting.push(pending),
            Err(fault) => {
                copied.faults.add(id, &fault);
                continue;
            }
        }
        copied.new.count += 1;
        copied.new.bytes += size;
        if waiting.len() == PERSIST_BATCH {
            to.persist(std::mem::take(&mut waiting)).await?;
        }
    }
    reading
        .await
        .map_err(|lost| BackupError::Damaged(lost.to_string()))??;
    to.persist(waiting).await?;
    Ok(copied)
}

/// The names and sizes of documents, each once as long as they come in a row.
fn read_names(
    path: &Path,
    sha256: usize,
    size: usize,
    send: &mpsc::Sender<(BlobId, u64)>,
) -> Result<(), BackupError> {
    let broken = || BackupError::Damaged(format!("{}: a document without a hash", path.display()));
    let mut last = None;
    rows::read(path, |line| {
        let hash = line.get(sha256).and_then(rows::bytes).ok_or_else(broken)?;
        let id = BlobId::from_bytes(hash.try_into().map_err(|_| broken())?);
        let size = line
            .get(size)
            .and_then(serde_json::Value::as_u64)
            .ok_or_else(broken)?;
        if last.replace(id) != Some(id) {
            // A closed channel means that the copying task has failed. It returns the error itself.
            let _ = send.blocking_send((id, size));
        }
        Ok(())
    })
}

/// Copies a document, or says what is wrong with it. Whatever else fails ends the copying.
async fn fetch(
    from: &Blobs,
    to: &Blobs,
    id: BlobId,
    size: u64,
) -> Result<Result<PendingBlob, String>, BackupError> {
    let mut reader = match from.read(id, 0..size).await {
        Ok(reader) => reader,
        Err(error) => return Ok(Err(fault(from, error).await?)),
    };
    let mut upload = to.upload();
    while let Some(frame) = reader.next().await {
        match frame {
            Ok(bytes) => upload.push(bytes).await?,
            Err(error) => return Ok(Err(fault(from, error).await?)),
        }
    }
    let pending = upload.finish_uninspected().await?;
    Ok(if pending.id() == id {
        Ok(pending)
    } else {
        Err("its bytes are not its own".to_owned())
    })
}

/// Describes why a document could not be read. If the storage itself does not answer, that says nothing
/// about the document, and the copying ends.
async fn fault(from: &Blobs, error: blobs::Error) -> Result<String, BackupError> {
    let what = match error {
        blobs::Error::NotFound(_) => "it is not there".to_owned(),
        blobs::Error::Truncated(_) => "its end is missing".to_owned(),
        blobs::Error::Io { action, source } => format!("{action}: {source}"),
        blobs::Error::Unavailable { action, source } => format!("{action}: {source}"),
        other => return Err(other.into()),
    };
    from.check().await?;
    Ok(what)
}
