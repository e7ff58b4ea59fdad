//! One document to the bucket: in one put if it is small, otherwise in parts from its temporary file.

use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStoreExt, PutPayload};

use super::{S3, failed};
use crate::blocks::{BLOCK, Blocks};
use crate::budget::Budget;
use crate::error::During;
use crate::hop::blocking;
use crate::spool::SpoolFile;
use crate::stage::{Body, Staged};
use crate::{BlobId, Error};

/// The least that servers accept for a part that is not the last.
const PART: u64 = 5 * 1024 * 1024;

impl S3 {
    pub(super) async fn upload(&self, budget: &Budget, staged: Staged) -> Result<(), Error> {
        let Staged { id, len, body } = staged;
        let key = self.key(id);
        match body {
            Body::Memory(bytes) => self.put(id, &key, bytes.into()).await,
            Body::Spooled(file) if len <= PART => {
                let _memory = budget.take(len).await?;
                let payload = payload(&Arc::new(file), 0..len, &self.blocks).await?;
                self.put(id, &key, payload).await
            }
            Body::Spooled(file) => {
                let begun = self.store.put_multipart(&key).await;
                let mut upload = begun.map_err(|error| failed("write", id, error))?;
                let sent = self
                    .send_parts(budget, id, len, &Arc::new(file), upload.as_mut())
                    .await;
                if sent.is_err() {
                    // If the abort fails too, the bucket's rule for incomplete transfers removes the parts.
                    let _ = upload.abort().await;
                }
                sent
            }
        }
    }

    async fn put(&self, id: BlobId, key: &Path, payload: PutPayload) -> Result<(), Error> {
        let put = self.store.put(key, payload).await;
        put.map(drop).map_err(|error| failed("write", id, error))
    }

    /// Parts go one by one: documents are put concurrently already, and share the memory limit.
    async fn send_parts(
        &self,
        budget: &Budget,
        id: BlobId,
        len: u64,
        file: &Arc<SpoolFile>,
        upload: &mut dyn MultipartUpload,
    ) -> Result<(), Error> {
        let mut start = 0;
        while start < len {
            let end = len.min(start + PART);
            let _memory = budget.take(end - start).await?;
            let payload = payload(file, start..end, &self.blocks).await?;
            upload
                .put_part(payload)
                .await
                .map_err(|error| failed("write", id, error))?;
            start = end;
        }
        upload
            .complete()
            .await
            .map(drop)
            .map_err(|error| failed("write", id, error))
    }
}

async fn payload(
    file: &Arc<SpoolFile>,
    range: Range<u64>,
    blocks: &Arc<Blocks>,
) -> Result<PutPayload, Error> {
    let (file, blocks) = (Arc::clone(file), Arc::clone(blocks));
    blocking(move || {
        let frames = range.clone().step_by(BLOCK).map(|start| {
            let len = usize::try_from(range.end - start).unwrap_or(BLOCK).min(BLOCK);
            blocks.filled(len, |block| file.file.read_exact_at(block, start))
        });
        frames
            .collect::<Result<PutPayload, _>>()
            .during("read", file.path())
    })
    .await
}
