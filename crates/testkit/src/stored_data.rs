//! What a person reads who has the database or the storage, and neither the program nor its master key.

use crate::app::TestApp;
use blobs::{BlobId, Location};
use futures_util::TryStreamExt;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt};
use std::collections::BTreeSet;
use store::{BACKUP_TABLES, Column, Error};

/// One value of the database.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// Its table.
    pub table: &'static str,
    /// Its column.
    pub column: String,
    /// The value. Numbers are written out.
    pub value: Vec<u8>,
}

impl Cell {
    /// The value as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.value).into_owned()
    }
}

impl TestApp {
    /// Every value of every table, over a connection without any key.
    pub async fn cells(&self) -> Vec<Cell> {
        let read = self.on_stack(|stack| {
            stack.database.read_dedicated(|tx| {
                let mut found = Vec::new();
                for table in BACKUP_TABLES {
                    let columns = tx.columns(table)?;
                    tx.each_row::<Error>(table, &columns, |row| {
                        for (column, cell) in columns.iter().zip(row) {
                            let value = match *cell {
                                Column::Null => continue,
                                Column::Int(number) => number.to_string().into_bytes(),
                                Column::Text(text) => text.as_bytes().to_vec(),
                                Column::Bytes(bytes) => bytes.to_vec(),
                            };
                            let column = column.name.clone();
                            found.push(Cell { table, column, value });
                        }
                        Ok(())
                    })?;
                }
                Ok::<_, Error>(found)
            })
        });
        read.await.unwrap()
    }

    /// The values of one column.
    pub async fn column(&self, table: &str, column: &str) -> Vec<Cell> {
        let mut cells = self.cells().await;
        cells.retain(|cell| cell.table == table && cell.column == column);
        cells
    }

    /// The columns, as `table.column`, in which these bytes are.
    pub async fn columns_with(&self, bytes: impl AsRef<[u8]>) -> Vec<String> {
        let bytes = bytes.as_ref();
        let holds = |cell: &Cell| cell.value.windows(bytes.len()).any(|part| part == bytes);
        let cells = self.cells().await;
        let found = cells.iter().filter(|cell| holds(cell));
        let columns: BTreeSet<String> = found
            .map(|cell| format!("{}.{}", cell.table, cell.column))
            .collect();
        columns.into_iter().collect()
    }

    /// Every object in storage except the owner file, read past the program.
    pub async fn stored_objects(&self) -> Vec<Vec<u8>> {
        match self.location().await {
            Location::Directory(root) => {
                let shards = std::fs::read_dir(root).unwrap();
                shards
                    .flat_map(|shard| std::fs::read_dir(shard.unwrap().path()).into_iter().flatten())
                    .map(|file| std::fs::read(file.unwrap().path()).unwrap())
                    .collect()
            }
            Location::S3(address) => {
                let (bucket, prefix) = bucket(&address);
                let listed = bucket.list(Some(&Key::from(prefix)));
                let listed: Vec<_> = listed.try_collect().await.unwrap();
                let mut objects = Vec::new();
                let documents = listed
                    .iter()
                    .filter(|object| object.location.filename() != Some("installation.json"));
                for object in documents {
                    let read = bucket.get(&object.location).await.unwrap();
                    objects.push(read.bytes().await.unwrap().to_vec());
                }
                objects
            }
        }
    }

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

    /// Puts another document in the place of one, behind the service's back.
    pub async fn replace_document(&self, bytes: &[u8], other: &[u8]) {
        self.change_stored(bytes, Some(other.to_vec())).await;
    }

    /// Puts a document back as it was.
    pub async fn mend_document(&self, bytes: &[u8]) {
        self.change_stored(bytes, Some(bytes.to_vec())).await;
    }

    /// Puts other bytes in the place of a document, or none.
    async fn change_stored(&self, bytes: &[u8], other: Option<Vec<u8>>) {
        let mut upload = self.app().blobs.upload();
        upload.push(bytes.to_vec().into()).await.unwrap();
        let id: BlobId = upload.finish_uninspected().await.unwrap().id();
        let name = id.to_string();
        let name = format!("{}/{name}", &name[..2]);
        match self.location().await {
            Location::Directory(root) => {
                let path = root.join(name);
                std::fs::remove_file(&path).ok();
                if let Some(other) = other {
                    std::fs::write(path, other).unwrap();
                }
            }
            Location::S3(address) => {
                let (bucket, prefix) = bucket(&address);
                let key = Key::from(format!("{prefix}/{name}"));
                match other {
                    Some(other) => drop(bucket.put(&key, other.into()).await.unwrap()),
                    None => bucket.delete(&key).await.unwrap(),
                }
            }
        }
    }

    async fn location(&self) -> Location {
        self.on_stack(|stack| stack.location().clone()).await
    }
}

/// The bucket of an address, and the prefix in it.
fn bucket(address: &str) -> (AmazonS3, &str) {
    let (bucket, prefix) = address.strip_prefix("s3://").unwrap().split_once('/').unwrap();
    let bucket = AmazonS3Builder::from_env().with_bucket_name(bucket);
    (bucket.build().unwrap(), prefix)
}
