//! A thorough trial of a storage: write, read back, remove.

use std::hash::{BuildHasher, RandomState};

use bytes::Bytes;

use crate::{Blobs, Error};

impl Blobs {
    /// Writes a small blob, reads it back and removes it.
    pub async fn probe(&self) -> Result<(), Error> {
        // Random content: the blob is deleted at the end, and must not be a document's.
        let content = format!(
            "a trial of the storage: {:016x}",
            RandomState::new().hash_one(std::process::id())
        );
        let content = Bytes::from(content);
        let mut upload = self.upload();
        upload.push(content.clone()).await?;
        let pending = upload.finish_uninspected().await?;
        let (id, len) = (pending.id(), pending.len());
        self.persist(vec![pending]).await?;
        let back = match self.read(id, 0..len).await {
            Ok(reader) => reader.bytes().await,
            Err(error) => Err(error),
        };
        self.delete(id).await?;
        if back? == content {
            Ok(())
        } else {
            Err(Error::unavailable("it gave back other bytes", "a damaged blob"))
        }
    }
}
