//! Blobs as objects: `prefix/ab/<64 digits>` in a bucket of any server that speaks S3.
//!
//! Only the plain operations are used: put, ranged get, delete, list, multipart upload. Nothing rests on
//! conditional puts, which some servers ignore; names that follow from the content need none.

mod put_blob;
mod settings;

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::list::{PaginatedListOptions, PaginatedListResult, PaginatedListStore};
use object_store::path::Path;
use object_store::{GetOptions, ObjectMeta, ObjectStore, ObjectStoreExt};

use crate::buffer_pool::{BUFFER_BYTES, BufferPool};
use crate::checked_blobs::Version;
use crate::reader::{Fetched, Reader};
use crate::upload::PendingBlob;
use crate::upload::memory_limit::MemoryLimit;
use crate::{BlobId, Error, ListedBlob};

/// Bytes per request of a long range: a slow reader does not prolong a request beyond its timeout.
const READ_STEP_BYTES: u64 = 4 * BUFFER_BYTES as u64;

/// Documents of one call that are put concurrently.
const CONCURRENT_PUTS: usize = 4;

/// The page size limit of S3 listings.
const MAX_LIST_PAGE_KEYS: usize = 1000;

#[derive(Debug)]
pub(crate) struct S3 {
    store: AmazonS3,
    /// Empty, or ends with a slash.
    prefix: String,
    buffers: Arc<BufferPool>,
}

impl S3 {
    pub(crate) fn open(address: &str, buffers: Arc<BufferPool>) -> Result<Self, Error> {
        Self::build(address, settings::from_environment(), buffers)
    }

    fn build(address: &str, builder: AmazonS3Builder, buffers: Arc<BufferPool>) -> Result<Self, Error> {
        let (bucket, prefix) = settings::bucket_and_prefix(address)?;
        let store = builder
            .with_bucket_name(bucket)
            .with_retry(settings::retry())
            .build()
            .map_err(|source| Error::unavailable(format!("cannot use {address}"), source))?;
        Ok(Self {
            store,
            prefix,
            buffers,
        })
    }

    pub(crate) async fn persist(
        self: Arc<Self>,
        memory_limit: Arc<MemoryLimit>,
        pending: Vec<PendingBlob>,
    ) -> Result<(), Error> {
        // A separate task: when the caller is cancelled, multipart transfers still end instead of leaving
        // parts behind.
        let all = tokio::spawn(async move {
            let puts = stream::iter(pending).map(|pending| self.put_blob(&memory_limit, pending));
            puts.buffer_unordered(CONCURRENT_PUTS).collect::<Vec<_>>().await
        });
        all.await.map_err(Error::interrupted)?.into_iter().collect()
    }

    pub(crate) async fn read(self: Arc<Self>, id: BlobId, range: Range<u64>) -> Result<Reader, Error> {
        if range.is_empty() {
            let found = self.store.head(&self.key(id)).await;
            return found
                .map(|_| Reader::single(Bytes::new()))
                .map_err(|error| failed("find", id, error));
        }
        let end = range.end.min(range.start.saturating_add(READ_STEP_BYTES));
        let (first, version) = self.get(id, range.start..end).await?;
        if end == range.end {
            return Ok(Reader::single(first).with_version(version));
        }
        let fetch = move |frame| {
            let s3 = Arc::clone(&self);
            Fetched::Pending(tokio::spawn(async move {
                s3.get(id, frame).await.map(|(bytes, _)| bytes)
            }))
        };
        let reader = Reader::streamed(first, end..range.end, READ_STEP_BYTES, Box::new(fetch));
        Ok(reader.with_version(version))
    }

    async fn get(&self, id: BlobId, range: Range<u64>) -> Result<(Bytes, Version), Error> {
        let wanted = range.end - range.start;
        let get = async {
            let options = GetOptions::new().with_range(Some(range));
            let got = self.store.get_opts(&self.key(id), options).await?;
            let version = got.meta.e_tag.clone().map_or(Version::Unknown, Version::ETag);
            Ok((got.bytes().await?, version))
        };
        let (bytes, version) = get.await.map_err(|error| failed("read", id, error))?;
        if bytes.len() as u64 == wanted {
            Ok((bytes, version))
        } else {
            Err(Error::Truncated(id))
        }
    }

    pub(crate) async fn delete(&self, id: BlobId) -> Result<(), Error> {
        match self
            .store
            .delete(&self.key(id))
            .await
            .map_err(|error| failed("remove", id, error))
        {
            Err(Error::NotFound(_)) => Ok(()),
            deleted => deleted,
        }
    }

    pub(crate) async fn list(&self, after: Option<BlobId>, limit: usize) -> Result<Vec<ListedBlob>, Error> {
        let mut page = Vec::new();
        let mut options = PaginatedListOptions {
            offset: after.map(|id| self.key(id).into()),
            max_keys: Some(limit.min(MAX_LIST_PAGE_KEYS)),
            ..PaginatedListOptions::default()
        };
        while page.len() < limit {
            let found = self.objects(options.clone()).await?;
            let ours = found
                .result
                .objects
                .iter()
                .filter_map(|object| self.listed(object));
            let room = limit - page.len();
            page.extend(ours.take(room));
            let Some(token) = found.page_token.filter(|token| !token.is_empty()) else {
                break;
            };
            // The server's page token: resuming after our last name would not advance among foreign objects.
            options.offset = None;
            options.page_token = Some(token);
        }
        Ok(page)
    }

    /// Asks for a single name: it proves address, bucket and credentials.
    pub(crate) async fn check(&self) -> Result<(), Error> {
        let options = PaginatedListOptions {
            max_keys: Some(1),
            ..PaginatedListOptions::default()
        };
        self.objects(options).await.map(drop)
    }

    async fn objects(&self, options: PaginatedListOptions) -> Result<PaginatedListResult, Error> {
        let prefix = Some(self.prefix.as_str()).filter(|prefix| !prefix.is_empty());
        let listed = self.store.list_paginated(prefix, options).await;
        listed.map_err(|error| Error::unavailable("cannot list the bucket", error))
    }

    /// None if the object is not a blob of this store: another installation may use the same prefix.
    fn listed(&self, object: &ObjectMeta) -> Option<ListedBlob> {
        let id = object.location.filename()?.parse().ok()?;
        (object.location == self.key(id)).then(|| ListedBlob {
            id,
            modified: object.last_modified.into(),
        })
    }

    pub(crate) const fn store(&self) -> &AmazonS3 {
        &self.store
    }

    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    fn key(&self, id: BlobId) -> Path {
        let mut key = self.prefix.clone();
        id.push_path(&mut key);
        Path::from(key)
    }
}

fn failed(verb: &str, id: BlobId, error: object_store::Error) -> Error {
    match error {
        // A bucket that is gone answers 404 as well, and must not look like a document that never was.
        object_store::Error::NotFound { source, .. } if !source.to_string().contains("NoSuchBucket") => {
            Error::NotFound(id)
        }
        error => Error::unavailable(format!("cannot {verb} blob {id}"), error),
    }
}

#[cfg(test)]
mod tests;
