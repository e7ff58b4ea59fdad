//! One document to the bucket: in one put if it is small, otherwise in parts from its temporary file.

use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStoreExt, PutPayload};

use super::{S3, failed};
use crate::blocking::run_blocking;
use crate::buffer_pool::{BUFFER_BYTES, BufferPool};
use crate::error::During;
use crate::upload::memory_limit::MemoryLimit;
use crate::upload::temp_files::TempFile;
use crate::upload::{PendingBlob, PendingBody};
use crate::{BlobId, Error};

/// The least that servers accept for a part that is not the last.
const PART_BYTES: u64 = 5 * 1024 * 1024;

impl S3 {
    pub(super) async fn put_blob(
        &self,
        memory_limit: &MemoryLimit,
        pending: PendingBlob,
    ) -> Result<(), Error> {
        let PendingBlob { id, len, body } = pending;
        let key = self.key(id);
        match body {
            PendingBody::Memory(bytes) => self.put(id, &key, bytes.into()).await,
            PendingBody::TempFile(file) if len <= PART_BYTES => {
                let _memory = memory_limit.acquire(len).await?;
                let payload = payload(&Arc::new(file), 0..len, &self.buffers).await?;
                self.put(id, &key, payload).await
            }
            PendingBody::TempFile(file) => {
                let begun = self.store.put_multipart(&key).await;
                let mut multipart = begun.map_err(|error| failed("write", id, error))?;
                let sent = self
                    .send_parts(memory_limit, id, len, &Arc::new(file), multipart.as_mut())
                    .await;
                if sent.is_err() {
                    // If the abort fails too, the bucket's rule for incomplete transfers removes the parts.
                    let _ = multipart.abort().await;
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
        memory_limit: &MemoryLimit,
        id: BlobId,
        len: u64,
        file: &Arc<TempFile>,
        multipart: &mut dyn MultipartUpload,
    ) -> Result<(), Error> {
        let mut start = 0;
        while start < len {
            let end = len.min(start + PART_BYTES);
            let _memory = memory_limit.acquire(end - start).await?;
            let payload = payload(file, start..end, &self.buffers).await?;
            multipart
                .put_part(payload)
                .await
                .map_err(|error| failed("write", id, error))?;
            start = end;
        }
        multipart
            .complete()
            .await
            .map(drop)
            .map_err(|error| failed("write", id, error))
    }
}

async fn payload(
    file: &Arc<TempFile>,
    range: Range<u64>,
    buffers: &Arc<BufferPool>,
) -> Result<PutPayload, Error> {
    let (file, buffers) = (Arc::clone(file), Arc::clone(buffers));
    run_blocking(move || {
        let frames = range.clone().step_by(BUFFER_BYTES).map(|start| {
            let len = usize::try_from(range.end - start)
                .unwrap_or(BUFFER_BYTES)
                .min(BUFFER_BYTES);
            buffers.fill_with(len, |buffer| file.file.read_exact_at(buffer, start))
        });
        frames
            .collect::<Result<PutPayload, _>>()
            .during("read", file.path())
    })
    .await
}
