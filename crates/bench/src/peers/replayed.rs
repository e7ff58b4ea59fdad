//! The lower bound of a service on `PostgreSQL` and S3: the statements of its own transactions, and the puts. It
//! authenticates and checks nothing, and knows every value beforehand. `POST` reads a form, hashes its document, puts it and
//! runs a transaction; `/read` runs one; `/act?count` runs one after the other, each with its cryptography.

use super::acts::BareCryptography;
use super::http;
use crate::replay::{Recording, Replayer};
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::header::CONTENT_TYPE;
use hyper::{Method, Request};
use multer::Multipart;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path as Key;
use object_store::{ObjectStoreExt, PutPayload};
use parts::{Error, Result};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// Where the recorded transactions are, in the peer's directory. A line with the bytes of an answer is first.
pub(crate) const RECORDING: &str = "recording";
/// Connections to the database: as many as the service has for writes.
const CONNECTIONS: usize = 8;

struct Floor {
    free: Mutex<Vec<Replayer>>,
    permits: Semaphore,
    next: AtomicUsize,
    bucket: AmazonS3,
    answer: Bytes,
    cryptography: BareCryptography,
}

pub(super) async fn serve(port: u16, directory: &Path) -> Result<()> {
    let floor = Floor::open(directory).await.map_err(Error::while_("the floor"))?;
    let floor = Arc::new(floor);
    http::serve(port, move |request| {
        let floor = floor.clone();
        async move {
            if request.method() == Method::POST {
                floor.create(request).await?;
                return Ok(floor.answer.clone());
            }
            let count = request.uri().query().and_then(|query| query.parse().ok());
            for _ in 0..count.unwrap_or(1) {
                if request.uri().path() == "/act" {
                    floor
                        .cryptography
                        .act()
                        .map_err(Error::while_("the cryptography"))?;
                }
                floor.run().await?;
            }
            Ok(floor.answer.clone())
        }
    })
    .await
}

impl Floor {
    async fn open(directory: &Path) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let file = std::fs::read_to_string(directory.join(RECORDING))?;
        let (bytes, recording) = file.split_once('\n').ok_or("no recording")?;
        let recording = Recording::from_json(recording)?;
        let mut free = Vec::new();
        for _ in 0..CONNECTIONS {
            free.push(Replayer::open(&recording).await?);
        }
        let address = std::env::var("FIRMEZA_BLOBS_URL")?;
        let bucket = address.strip_prefix("s3://").unwrap_or(&address);
        let bucket = bucket.split('/').next().unwrap_or_default();
        Ok(Self {
            free: Mutex::new(free),
            permits: Semaphore::new(CONNECTIONS),
            next: AtomicUsize::new(0),
            bucket: AmazonS3Builder::from_env().with_bucket_name(bucket).build()?,
            answer: vec![b'.'; bytes.parse()?].into(),
            cryptography: BareCryptography::new()?,
        })
    }

    /// Runs the next transaction.
    async fn run(&self) -> Result<()> {
        let _permit = self.permits.acquire().await.map_err(Error::while_("a permit"))?;
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let replayer = free().pop().ok_or_else(|| Error::new("no connection is free"))?;
        let outcome = replayer.run(self.next.fetch_add(1, Relaxed)).await;
        free().push(replayer);
        outcome.map_err(Error::while_("a transaction"))
    }

    async fn create(&self, request: Request<Incoming>) -> Result<()> {
        let kind = request.headers().get(CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let boundary = multer::parse_boundary(kind).map_err(Error::while_("the form"))?;
        let mut form = Multipart::new(request.into_body().into_data_stream(), boundary);
        let (mut hash, mut document) = (Sha256::new(), Vec::new());
        while let Some(mut field) = form.next_field().await.map_err(Error::while_("the form"))? {
            let is_document = field.file_name().is_some();
            while let Some(chunk) = field.chunk().await.map_err(Error::while_("a field"))? {
                if is_document {
                    hash.update(&chunk);
                    document.push(chunk);
                }
            }
        }
        let name = data_encoding::HEXLOWER.encode(&hash.finalize());
        let key = Key::from(format!("floor/{name}"));
        let put = self
            .bucket
            .put(&key, document.into_iter().collect::<PutPayload>());
        put.await.map_err(Error::while_("the put"))?;
        self.run().await
    }
}
