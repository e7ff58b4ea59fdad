//! Which installation owns a document storage. The database has the installation's number, and the storage an owner file with
//! the same. A service of another installation does not start on it, and no sweep removes anything from it.

use crate::SystemRandom;
use blobs::Blobs;
use data_encoding::HEXLOWER;
use domain::{FolioId, Random};
use serde::{Deserialize, Serialize};
use store::Store;

/// The owner file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OwnerFile {
    /// The installation's number, in hexadecimal.
    installation: String,
    /// The newest folio at the last sweep. A database without it is an older copy: documents that seem orphaned to it
    /// may be those of later folios.
    newest_folio: Option<String>,
}

/// Why a storage was not used, or could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum StorageOwnerError {
    /// The storage has the owner file of another installation.
    #[error(
        "the document storage belongs to another installation, {0}: use another storage, or if this installation takes its place, run firmeza storage claim"
    )]
    Foreign(String),
    /// There is no owner file, and there are documents that the database knows nothing of.
    #[error(
        "the document storage has documents and no owner file, and the database has no folio: use another storage, or if the documents are this installation's, run firmeza storage claim"
    )]
    Unclaimed,
    /// The owner file is not one.
    #[error(
        "the owner file of the document storage, installation.json, cannot be read: run firmeza storage claim if the documents are this installation's"
    )]
    Damaged,
    /// The database lacks a folio whose documents are in the storage.
    #[error(
        "the database is older than the document storage: folio {0} is missing in it. Nothing is removed until firmeza storage claim was run"
    )]
    OlderDatabase(String),
    /// The database did not answer.
    #[error("the database")]
    Store(#[from] store::Error),
    /// The storage did not answer.
    #[error("the document storage")]
    Blobs(#[from] blobs::Error),
}

impl StorageOwnerError {
    /// Whether the storage must not be used, as opposed to one that could not be asked.
    pub const fn is_refusal(&self) -> bool {
        !matches!(self, Self::Store(_) | Self::Blobs(_))
    }
}

/// Makes sure that the storage belongs to the installation of the database. A storage without documents, or one that a
/// database with folios has used so far, becomes its own.
pub async fn check_storage_owner(store: &Store, blobs: &Blobs) -> Result<(), StorageOwnerError> {
    if owns_storage(store, blobs).await? {
        return Ok(());
    }
    claim_storage(store, blobs).await
}

/// Whether the storage belongs to the installation; false if it can.
pub async fn owns_storage(store: &Store, blobs: &Blobs) -> Result<bool, StorageOwnerError> {
    let own = installation(store).await?;
    match read(blobs).await? {
        Some(owner) if owner.installation == own => Ok(true),
        Some(owner) => Err(StorageOwnerError::Foreign(owner.installation)),
        None => {
            let newest = store.read(|tx| tx.newest_folio()).await?;
            if newest.is_none() && !blobs.list(None, 1).await?.is_empty() {
                return Err(StorageOwnerError::Unclaimed);
            }
            Ok(false)
        }
    }
}

/// Gives the storage to the installation of the database, whosever it was.
pub async fn claim_storage(store: &Store, blobs: &Blobs) -> Result<(), StorageOwnerError> {
    let own = installation(store).await?;
    let newest = store.read(|tx| tx.newest_folio()).await?;
    write(blobs, own, newest).await
}

/// Makes sure that what the database does not name can be removed: the storage is the installation's, and the database
/// is not an older copy. Notes the newest folio for the next time.
pub(crate) async fn check_before_removal(store: &Store, blobs: &Blobs) -> Result<(), StorageOwnerError> {
    // A storage that was away when the service started was not asked yet.
    check_storage_owner(store, blobs).await?;
    let own = installation(store).await?;
    let owner = read(blobs).await?.ok_or(StorageOwnerError::Unclaimed)?;
    if owner.installation != own {
        return Err(StorageOwnerError::Foreign(owner.installation));
    }
    if let Some(newest) = &owner.newest_folio {
        let known: FolioId = newest.parse().map_err(|_| StorageOwnerError::Damaged)?;
        if !store.read(move |tx| tx.has_folio(known)).await? {
            return Err(StorageOwnerError::OlderDatabase(newest.clone()));
        }
    }
    let newest = store.read(|tx| tx.newest_folio()).await?;
    if newest.map(|newest| newest.to_string()) == owner.newest_folio {
        return Ok(());
    }
    write(blobs, own, newest).await
}

async fn installation(store: &Store) -> Result<String, store::Error> {
    let mut new = [0; 16];
    SystemRandom.fill(&mut new);
    let id = store.write(move |tx| tx.installation_id(&new)).await?;
    Ok(HEXLOWER.encode(&id))
}

async fn read(blobs: &Blobs) -> Result<Option<OwnerFile>, StorageOwnerError> {
    let Some(content) = blobs.read_owner_file().await? else {
        return Ok(None);
    };
    let owner = serde_json::from_slice(&content).map_err(|_| StorageOwnerError::Damaged)?;
    Ok(Some(owner))
}

async fn write(
    blobs: &Blobs,
    installation: String,
    newest: Option<FolioId>,
) -> Result<(), StorageOwnerError> {
    let owner = OwnerFile {
        installation,
        newest_folio: newest.map(|newest| newest.to_string()),
    };
    let content = serde_json::to_vec(&owner).map_err(|_| StorageOwnerError::Damaged)?;
    Ok(blobs.write_owner_file(content.into()).await?)
}
