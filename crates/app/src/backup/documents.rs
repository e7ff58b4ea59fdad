//! The documents that rows name, copied from one storage to another: a stream each, checked by its name.

use super::manifest::{Documents, TableFile};
use super::{Error, blocking, rows};
use blobs::{BlobId, Blobs, Staged};
use futures_util::StreamExt;
use std::path::{Path, PathBuf};
use tokio::sync::mpsc;

/// Documents made durable at once.
const TOGETHER: usize = 32;

/// What was copied, and what there is in all.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Copied {
    pub(super) new: Documents,
    pub(super) all: Documents,
}

/// Copies every document that the rows of `documents` name and `to` lacks.
pub(super) async fn copy(
    from: &Blobs,
    to: &Blobs,
    table: &TableFile,
    path: PathBuf,
) -> Result<Copied, Error> {
    let place = |name: &str| table.columns.iter().position(|column| column.name == name);
    let (Some(sha256), Some(size)) = (place("sha256"), place("size")) else {
        return Err(Error::Damaged("the documents have no hashes".to_owned()));
    };
    let (send, mut named) = mpsc::channel(1024);
    let reading = tokio::spawn(blocking(move || read_names(&path, sha256, size, &send)));
    let mut copied = Copied::default();
    let mut waiting = Vec::new();
    while let Some((id, size)) = named.recv().await {
        copied.all.count += 1;
        copied.all.bytes += size;
        if to.read(id, 0..0).await.is_ok() {
            continue;
        }
        waiting.push(fetch(from, to, id, size).await?);
        copied.new.count += 1;
        copied.new.bytes += size;
        if waiting.len() == TOGETHER {
            to.persist(std::mem::take(&mut waiting)).await?;
        }
    }
    reading.await.map_err(|lost| Error::Damaged(lost.to_string()))??;
    to.persist(waiting).await?;
    Ok(copied)
}

/// The names and sizes of documents, each once as long as they come in a row.
fn read_names(
    path: &Path,
    sha256: usize,
    size: usize,
    send: &mpsc::Sender<(BlobId, u64)>,
) -> Result<(), Error> {
    let broken = || Error::Damaged(format!("{}: a document without a hash", path.display()));
    let mut last = None;
    rows::read(path, |line| {
        let hash = line.get(sha256).and_then(rows::bytes).ok_or_else(broken)?;
        let id = BlobId::from_bytes(hash.try_into().map_err(|_| broken())?);
        let size = line
            .get(size)
            .and_then(serde_json::Value::as_u64)
            .ok_or_else(broken)?;
        if last.replace(id) != Some(id) {
            // Nobody receives any more: whoever did has failed, and says so.
            let _ = send.blocking_send((id, size));
        }
        Ok(())
    })
}

async fn fetch(from: &Blobs, to: &Blobs, id: BlobId, size: u64) -> Result<Staged, Error> {
    let mut reader = from.read(id, 0..size).await?;
    let mut stage = to.stage();
    while let Some(frame) = reader.next().await {
        stage.push(frame?).await?;
    }
    let (staged, ()) = stage.finish(|_, _| ()).await?;
    if staged.id() == id {
        Ok(staged)
    } else {
        Err(Error::Damaged(format!(
            "the bytes of the document {id} are not its own"
        )))
    }
}
