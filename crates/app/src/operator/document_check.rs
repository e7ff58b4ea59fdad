//! Whether a document has the bytes that its row names; a damaged one is mended from another storage.

use blobs::{BlobId, Blobs};
use bytes::Bytes;
use futures_util::StreamExt;
use sha2::{Digest, Sha256};
use store::DocumentFacts;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CheckedDocument {
    /// Nothing is wrong.
    Whole,
    /// Its bytes were damaged, and are now those of the other storage.
    Mended,
    /// One of its files is damaged: what is wrong, in words.
    FileDamaged(String),
    /// What was appended to it is damaged, and the file before that is whole: what is wrong, in words.
    AppendedDamaged(String),
}

/// Reads a document and what was appended to it. An error is the storage's own, and says nothing about the document.
pub(crate) async fn check_document(
    blobs: &Blobs,
    spare: Option<&Blobs>,
    document: &DocumentFacts,
) -> Result<CheckedDocument, blobs::Error> {
    let id = BlobId::from_bytes(document.sha256);
    let (hash, mut mended) = match hash_or_mend(blobs, spare, id, document.size).await? {
        Ok(found) => found,
        Err(reason) => return Ok(CheckedDocument::FileDamaged(reason)),
    };
    let mut appended = AppendedBytes {
        hash,
        size: document.size,
    };
    if let Some(blob) = document.appended {
        match read_or_mend(blobs, spare, BlobId::from_bytes(blob.sha256), blob.size).await? {
            Ok((bytes, blob_mended)) => {
                appended.push(&bytes);
                mended |= blob_mended;
            }
            Err(reason) => {
                return Ok(CheckedDocument::AppendedDamaged(format!(
                    "what was appended to it: {reason}"
                )));
            }
        }
    }
    if let Some(reason) = check_increments(document, appended) {
        return Ok(CheckedDocument::AppendedDamaged(reason));
    }
    if let Some(sent) = document.sent {
        let id = BlobId::from_bytes(sent.sha256);
        match hash_or_mend(blobs, spare, id, sent.size).await? {
            Ok((_, sent_mended)) => mended |= sent_mended,
            Err(reason) => return Ok(CheckedDocument::FileDamaged(format!("as it was sent: {reason}"))),
        }
    }
    Ok(if mended {
        CheckedDocument::Mended
    } else {
        CheckedDocument::Whole
    })
}

/// The hash over a blob, to be continued, and whether it had to be mended; or what is wrong with it.
async fn hash_or_mend(
    blobs: &Blobs,
    spare: Option<&Blobs>,
    id: BlobId,
    size: u64,
) -> Result<Result<(Sha256, bool), String>, blobs::Error> {
    let damage = match hash_blob(blobs, id, size).await? {
        Ok(hash) => return Ok(Ok((hash, false))),
        Err(damage) => damage,
    };
    let Some(spare) = spare else {
        return Ok(Err(damage));
    };
    if let Err(reason) = copy_blob(spare, blobs, id, size).await? {
        return Ok(Err(format!("{damage}, and in the other storage: {reason}")));
    }
    Ok(hash_blob(blobs, id, size).await?.map(|hash| (hash, true)))
}

/// The hash over a blob, to be continued; or what is wrong with the blob.
async fn hash_blob(blobs: &Blobs, id: BlobId, size: u64) -> Result<Result<Sha256, String>, blobs::Error> {
    match blobs.verify(id, size).await {
        Ok(hash) => Ok(Ok(hash)),
        Err(error) => Ok(Err(unreadable(blobs, error).await?)),
    }
}

/// The bytes of a blob, and whether it had to be mended; or what is wrong with it.
async fn read_or_mend(
    blobs: &Blobs,
    spare: Option<&Blobs>,
    id: BlobId,
    size: u64,
) -> Result<Result<(Bytes, bool), String>, blobs::Error> {
    if let Ok(bytes) = blobs.read_whole(id, size).await {
        return Ok(Ok((bytes, false)));
    }
    let mended = match hash_or_mend(blobs, spare, id, size).await? {
        Ok((_, mended)) => mended,
        Err(reason) => return Ok(Err(reason)),
    };
    match blobs.read_whole(id, size).await {
        Ok(bytes) => Ok(Ok((bytes, mended))),
        Err(error) => Ok(Err(unreadable(blobs, error).await?)),
    }
}

/// The hash and the length of a document, while what was appended to it is added.
struct AppendedBytes {
    hash: Sha256,
    size: u64,
}

impl AppendedBytes {
    fn push(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.size += bytes.len() as u64;
    }
}

/// What is wrong with the increments of a document that are rows; `appended` is the document before them.
fn check_increments(document: &DocumentFacts, mut appended: AppendedBytes) -> Option<String> {
    if usize::try_from(document.increment_rows) != Ok(document.increments.len()) {
        return Some("it lacks something that was appended, or has too much".to_owned());
    }
    // What is kept before the first act is a sheet that waits.
    let (sha256, size) = document.current?;
    for increment in &document.increments {
        appended.push(increment);
    }
    let same = appended.size == size && <[u8; 32]>::from(appended.hash.finalize()) == sha256;
    (!same).then(|| "what was appended to it is not what it should be".to_owned())
}

/// Copies a blob, or says what is wrong with it.
pub(crate) async fn copy_blob(
    from: &Blobs,
    to: &Blobs,
    id: BlobId,
    size: u64,
) -> Result<Result<(), String>, blobs::Error> {
    let mut reader = match from.read(id, 0..size).await {
        Ok(reader) => reader,
        Err(error) => return Ok(Err(unreadable(from, error).await?)),
    };
    let mut upload = to.upload();
    while let Some(frame) = reader.next().await {
        match frame {
            Ok(bytes) => upload.push(bytes).await?,
            Err(error) => return Ok(Err(unreadable(from, error).await?)),
        }
    }
    let pending = upload.finish_uninspected().await?;
    if pending.id() != id {
        return Ok(Err("its bytes are not its own".to_owned()));
    }
    to.persist(vec![pending]).await?;
    Ok(Ok(()))
}

/// Describes why a document could not be read. If the storage itself does not answer, that says nothing about the
/// document, and is the error.
pub(crate) async fn unreadable(blobs: &Blobs, error: blobs::Error) -> Result<String, blobs::Error> {
    let reason = match error {
        blobs::Error::NotFound(_) => "it is not there".to_owned(),
        blobs::Error::Truncated(_) => "its end is missing".to_owned(),
        blobs::Error::Damaged(_) => "its bytes are not its own".to_owned(),
        blobs::Error::Io { action, source } => format!("{action}: {source}"),
        blobs::Error::Unavailable { action, source } => format!("{action}: {source}"),
        other => return Err(other),
    };
    blobs.check().await?;
    Ok(reason)
}
