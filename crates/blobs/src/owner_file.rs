//! The owner file: a small file beside the blobs that says which installation they belong to. Its content is the
//! caller's.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use bytes::Bytes;
use object_store::ObjectStoreExt;
use object_store::path::Path;

use crate::blocking::run_blocking;
use crate::directory::Directory;
use crate::error::During;
use crate::folders;
use crate::s3::S3;
use crate::upload::temp_files::TempFiles;
use crate::{Backend, Blobs, Error};

/// Listings pass over it: it is not named like a blob.
const OWNER_FILE: &str = "installation.json";
/// Longer files are not ours.
const MAX_BYTES: u64 = 4096;

impl Blobs {
    /// The content of the owner file, if there is one.
    pub async fn read_owner_file(&self) -> Result<Option<Bytes>, Error> {
        match &self.backend {
            Backend::Directory(directory) => {
                let directory = Arc::clone(directory);
                run_blocking(move || directory.read_owner_file()).await
            }
            Backend::S3(s3) => s3.read_owner_file().await,
        }
    }

    /// Writes the owner file, durably, in place of the one there may be.
    pub async fn write_owner_file(&self, content: Bytes) -> Result<(), Error> {
        match &self.backend {
            Backend::Directory(directory) => {
                let (directory, temp_files) = (Arc::clone(directory), Arc::clone(&self.temp_files));
                run_blocking(move || directory.write_owner_file(&temp_files, &content)).await
            }
            Backend::S3(s3) => s3.write_owner_file(content).await,
        }
    }
}

impl Directory {
    fn read_owner_file(&self) -> Result<Option<Bytes>, Error> {
        let path = self.root().join(OWNER_FILE);
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened.during("open", &path)?,
        };
        let mut content = Vec::new();
        file.take(MAX_BYTES)
            .read_to_end(&mut content)
            .during("read", &path)?;
        Ok(Some(content.into()))
    }

    fn write_owner_file(&self, temp_files: &Arc<TempFiles>, content: &[u8]) -> Result<(), Error> {
        let path = self.root().join(OWNER_FILE);
        let mut file = temp_files.write(content)?;
        file.file.sync_all().during("flush", file.path())?;
        file.move_to(&path).during("move a file to", &path)?;
        folders::flush(self.root())
    }
}

impl S3 {
    async fn read_owner_file(&self) -> Result<Option<Bytes>, Error> {
        let failed = |error| Error::unavailable("cannot read the owner file", error);
        let got = match self.store().get(&self.owner_key()).await {
            Err(object_store::Error::NotFound { source, .. })
                if !source.to_string().contains("NoSuchBucket") =>
            {
                return Ok(None);
            }
            got => got.map_err(failed)?,
        };
        if got.meta.size > MAX_BYTES {
            return Err(Error::unavailable("cannot read the owner file", "it is too long"));
        }
        got.bytes().await.map(Some).map_err(failed)
    }

    async fn write_owner_file(&self, content: Bytes) -> Result<(), Error> {
        let put = self.store().put(&self.owner_key(), content.into()).await;
        put.map(drop)
            .map_err(|error| Error::unavailable("cannot write the owner file", error))
    }

    fn owner_key(&self) -> Path {
        Path::from(format!("{}{OWNER_FILE}", self.prefix()))
    }
}
