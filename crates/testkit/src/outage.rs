//! Parts that are taken away from a running server, and brought back; and folios that are damaged behind its back.

use crate::app::TestApp;
use crate::stack::{Stack, open_sqlite};
use blobs::Location;
use domain::FolioId;
use object_store::ObjectStoreExt;
use object_store::aws::AmazonS3Builder;
use std::path::PathBuf;
use store::Settings;

/// A part of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Where rows are.
    Database,
    /// Where documents are.
    Documents,
}

const DAMAGE: &str =
    "UPDATE signing_states SET prepared = $1 WHERE folio = (SELECT seq FROM folios WHERE id = $2)";

impl TestApp {
    /// Damages the stored signing state of a folio's documents.
    pub async fn damage(&self, folio: &str) {
        let folio: FolioId = folio.parse().unwrap();
        let changed = self.on_stack(move |stack| {
            let (broken, id): (&[u8], &[u8]) = (b"broken".as_slice(), folio.as_bytes().as_slice());
            match &stack.database {
                Settings::Sqlite(path) => {
                    let connection = open_sqlite(path);
                    connection.execute(DAMAGE, rusqlite::params![broken, id]).unwrap() as u64
                }
                Settings::Postgres(url) => {
                    let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
                    client.execute(DAMAGE, &[&broken, &id]).unwrap()
                }
            }
        });
        assert!(changed.await > 0, "the folio has documents");
    }

    /// Loses a part: the directory of documents where there is one, else the database.
    pub async fn lose_a_part(&self) -> Part {
        self.on_stack(|stack| match &stack.database {
            Settings::Sqlite(_) => {
                let (here, away) = storage_paths(stack);
                std::fs::rename(here, away).unwrap();
                Part::Documents
            }
            Settings::Postgres(url) => {
                let name = url.rsplit('/').next().unwrap();
                stack.administrate(&format!(
                    "ALTER DATABASE \"{name}\" ALLOW_CONNECTIONS false;
                     SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '{name}'"
                ));
                Part::Database
            }
        })
        .await
    }

    /// Brings the part back.
    pub async fn bring_it_back(&self, part: Part) {
        self.on_stack(move |stack| {
            if let (Part::Database, Settings::Postgres(url)) = (part, &stack.database) {
                let name = url.rsplit('/').next().unwrap();
                stack.administrate(&format!("ALTER DATABASE \"{name}\" ALLOW_CONNECTIONS true"));
            } else {
                let (here, away) = storage_paths(stack);
                std::fs::rename(away, here).unwrap();
            }
        })
        .await;
    }
}

impl TestApp {
    /// Loses a document behind the service's back.
    pub async fn lose_document(&self, bytes: &[u8]) {
        self.change_stored(bytes, None).await;
    }

    /// Flips a bit of a document behind the service's back.
    pub async fn damage_document(&self, bytes: &[u8]) {
        let mut damaged = bytes.to_vec();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 1;
        self.change_stored(bytes, Some(damaged)).await;
    }

    /// Puts a document back as it was.
    pub async fn mend_document(&self, bytes: &[u8]) {
        self.change_stored(bytes, Some(bytes.to_vec())).await;
    }

    /// Puts other bytes in the place of a document, or none.
    async fn change_stored(&self, bytes: &[u8], other: Option<Vec<u8>>) {
        let mut upload = self.app().blobs.upload();
        upload.push(bytes.to_vec().into()).await.unwrap();
        let name = upload.finish_uninspected().await.unwrap().id().to_string();
        let name = format!("{}/{name}", &name[..2]);
        match self.on_stack(|stack| stack.location().clone()).await {
            Location::Directory(root) => {
                let path = root.join(name);
                std::fs::remove_file(&path).ok();
                if let Some(other) = other {
                    std::fs::write(path, other).unwrap();
                }
            }
            Location::S3(address) => {
                let (bucket, prefix) = address.strip_prefix("s3://").unwrap().split_once('/').unwrap();
                let bucket = AmazonS3Builder::from_env()
                    .with_bucket_name(bucket)
                    .build()
                    .unwrap();
                let key = object_store::path::Path::from(format!("{prefix}/{name}"));
                match other {
                    Some(other) => drop(bucket.put(&key, other.into()).await.unwrap()),
                    None => bucket.delete(&key).await.unwrap(),
                }
            }
        }
    }
}

fn storage_paths(stack: &Stack) -> (PathBuf, PathBuf) {
    let place = |name| stack.directory().join(name);
    (place("documents"), place("documents-away"))
}
