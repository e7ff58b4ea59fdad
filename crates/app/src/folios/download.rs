//! Downloading a document, with a record of it in the folio's history.

use crate::signing::document_checks::{DocumentCheck, StoredDocument};
use crate::workers::recorder::RecordPermit;
use crate::{Access, App, Error};
use blobs::BlobId;
pub use blobs::Reader;
use bytes::Bytes;
use domain::event::{DocumentRef, hex};
use domain::{Actor, Client, CompanyId, DocumentId, Event, EventKind, Origin, SignerIndex};
use sha2::Digest;
use std::ops::Range;
use store::{DocumentFile, DocumentLookup};

/// A document that the caller may have.
#[derive(Debug)]
pub struct Downloadable {
    /// The document.
    pub id: DocumentId,
    /// What is known of it.
    pub file: DocumentFile,
    origin: Origin,
}

impl Downloadable {
    /// The document by identifier, and the hash of what would be downloaded.
    pub fn version(&self) -> DocumentRef {
        DocumentRef {
            document: self.id,
            sha256: hex(&self.file.sha256),
        }
    }

    /// The file as it was sent, until an act appends something. Signers and the panel see the repaired copy.
    #[must_use]
    pub fn as_sent(self) -> Self {
        Self {
            file: self.file.as_sent(),
            ..self
        }
    }
}

/// The share of `range` inside the part of the document that begins at `begin`, relative to that part.
fn part_from(range: &Range<u64>, begin: u64, length: u64) -> Range<u64> {
    let within = |at: u64| at.saturating_sub(begin).min(length);
    within(range.start)..within(range.end)
}

/// A range of the increments that are rows.
fn appended(increments: &[Vec<u8>], range: Range<u64>) -> Bytes {
    let all = Bytes::from(increments.concat());
    let within = |at: u64| usize::try_from(at).map_or(all.len(), |at| at.min(all.len()));
    all.slice(within(range.start)..within(range.end))
}

impl App {
    /// Finds the document, without reading its bytes.
    pub async fn find_document(&self, access: Access, id: DocumentId) -> Result<Downloadable, Error> {
        self.authenticated_read_inline(access, move |tx, caller| {
            match tx.find_document(caller.company, id)? {
                DocumentLookup::Own(file) => Ok(Downloadable {
                    id,
                    file,
                    origin: caller.origin(),
                }),
                DocumentLookup::Foreign => Err(Error::Foreign),
                DocumentLookup::Unknown => Err(Error::NotFound),
            }
        })
        .await
    }

    /// Finds a document for a signer; the calling page has checked the session. A lost or damaged document
    /// is refused. While a document is still being checked, its bytes are served.
    pub async fn find_signers_document(
        &self,
        company: CompanyId,
        id: DocumentId,
        signer: SignerIndex,
        client: Client,
    ) -> Result<Downloadable, Error> {
        let found = self.store.read(move |tx| tx.find_document(company, id)).await?;
        let DocumentLookup::Own(file) = found else {
            return Err(Error::NotFound);
        };
        let stored = StoredDocument {
            folio: file.folio,
            document: id,
            sha256: file.original,
            size: file.original_size,
        };
        match self.check_documents(&[stored]).await?.as_slice() {
            [DocumentCheck::Whole | DocumentCheck::Checking] => {}
            _ => return Err(Error::DocumentUnavailable),
        }
        let actor = Actor::Signer { signer };
        Ok(Downloadable {
            id,
            file,
            origin: Origin { actor, client },
        })
    }

    /// Reads the whole document without a record of its own: the visit of the signer who asks has one.
    pub async fn read_unrecorded(&self, document: &Downloadable) -> Result<Reader, Error> {
        self.document_bytes(&document.file, 0..document.file.size).await
    }

    /// Reads bytes of the document, and records that it was downloaded.
    pub async fn download(&self, document: &Downloadable, range: Range<u64>) -> Result<Reader, Error> {
        let permit = self.recorder.reserve().await.ok_or(Error::Overloaded)?;
        let reader = self.document_bytes(&document.file, range).await?;
        self.record(permit, document);
        Ok(reader)
    }

    /// Reads bytes of a document: those that were sent, and then what acts appended, in its blob and in rows.
    pub(crate) async fn document_bytes(
        &self,
        file: &DocumentFile,
        range: Range<u64>,
    ) -> Result<Reader, Error> {
        let sent = file.original_size;
        let moved = file.appended.map_or(0, |blob| blob.size);
        let tail = appended(&file.increments, part_from(&range, sent + moved, u64::MAX));
        if !tail.is_empty() {
            self.check_rows(file).await?;
        }
        let original = async {
            // An empty range asks whether the document is there.
            if range.start < sent || range.is_empty() {
                self.blob_bytes(file, (file.original, sent), range.start..range.end.min(sent))
                    .await
                    .map(Some)
            } else {
                Ok(None)
            }
        };
        let appended_blob = async {
            let within = part_from(&range, sent, moved);
            match file.appended {
                Some(blob) if !within.is_empty() => self
                    .blob_bytes(file, (blob.sha256, blob.size), within)
                    .await
                    .map(Some),
                _ => Ok(None),
            }
        };
        let (original, appended_blob) = tokio::try_join!(original, appended_blob)?;
        let tail = Some(tail).filter(|tail| !tail.is_empty()).map(Reader::single);
        let parts = [original, appended_blob, tail].into_iter().flatten();
        let whole = parts.reduce(Reader::followed_by);
        Ok(whole.unwrap_or_else(|| Reader::single(Bytes::new())))
    }

    /// A range of one of the document's blobs, which has that name and size.
    async fn blob_bytes(
        &self,
        file: &DocumentFile,
        (sha256, size): ([u8; 32], u64),
        range: Range<u64>,
    ) -> Result<Reader, Error> {
        let blob = BlobId::from_bytes(sha256);
        match self.blobs.read_checked(blob, size, range).await {
            Ok(reader) => Ok(reader),
            Err(error) => Err(self.unreadable(file, blob, error).await),
        }
    }

    /// Refuses a document whose increments in rows are not those that acts appended, unless it was found whole within the
    /// last hour. Only the hash of the whole document tells.
    async fn check_rows(&self, file: &DocumentFile) -> Result<(), Error> {
        if self.checked_versions.contains(&file.sha256) {
            return Ok(());
        }
        let original = BlobId::from_bytes(file.original);
        let mut hash = match self.blobs.verify(original, file.original_size).await {
            Ok(hash) => hash,
            Err(error) => return Err(self.unreadable(file, original, error).await),
        };
        if let Some(blob) = file.appended {
            let id = BlobId::from_bytes(blob.sha256);
            match self.blobs.read_whole(id, blob.size).await {
                Ok(bytes) => hash.update(&bytes),
                Err(error) => return Err(self.unreadable(file, id, error).await),
            }
        }
        for increment in &file.increments {
            hash.update(increment);
        }
        if <[u8; 32]>::from(hash.finalize()) != file.sha256 {
            tracing::error!(
                folio = %file.folio,
                "what was appended to a document is not what it should be: it cannot be downloaded"
            );
            return Err(Error::DocumentUnavailable);
        }
        self.checked_versions.insert(file.sha256);
        Ok(())
    }

    /// What is answered where one of the document's blobs cannot be read.
    async fn unreadable(&self, file: &DocumentFile, blob: BlobId, error: blobs::Error) -> Error {
        match self.fault(error).await {
            Ok(found) => {
                tracing::error!(folio = %file.folio, %blob, ?found, "a document cannot be downloaded");
                Error::DocumentUnavailable
            }
            Err(error) => error,
        }
    }

    fn record(&self, permit: RecordPermit, document: &Downloadable) {
        let what = EventKind::Downloaded {
            document: document.version(),
        };
        let event = Event {
            at: self.clock.now(),
            origin: document.origin.clone(),
            what,
        };
        permit.record(document.file.folio, event);
    }
}
