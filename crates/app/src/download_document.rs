//! Downloading a document, with a record of it in the folio's history.

use crate::recorder::Place;
use crate::{Access, App, Caller, Error};
use blobs::{BlobId, Reader};
use domain::history::{DocumentRef, hex};
use domain::{DocumentId, Event, Happening};
use std::ops::Range;
use store::{DocumentFile, Download};

/// A document that the caller may have.
#[derive(Debug)]
pub struct Downloadable {
    /// The document.
    pub id: DocumentId,
    /// What is known of it.
    pub file: DocumentFile,
    caller: Caller,
}

impl App {
    /// Finds the document, without reading its bytes.
    pub async fn find_document(&self, access: Access, id: DocumentId) -> Result<Downloadable, Error> {
        self.read_as(access, move |tx, caller| {
            match tx.download(caller.company, id)? {
                Download::Own(file) => Ok(Downloadable { id, file, caller }),
                Download::Foreign => Err(Error::Foreign),
                Download::Missing => Err(Error::NotFound),
            }
        })
        .await
    }

    /// Reads bytes of the document, and records that it was downloaded.
    pub async fn download(&self, document: &Downloadable, range: Range<u64>) -> Result<Reader, Error> {
        let place = self.recorder.place().await.ok_or(Error::Overloaded)?;
        let reader = self
            .blobs
            .read(BlobId::from_bytes(document.file.sha256), range)
            .await?;
        self.record(place, document);
        Ok(reader)
    }

    fn record(&self, place: Place, document: &Downloadable) {
        let what = Happening::Downloaded {
            document: DocumentRef {
                document: document.id,
                sha256: hex(&document.file.sha256),
            },
        };
        let event = Event {
            at: self.clock.now(),
            origin: document.caller.origin(),
            what,
        };
        place.record(document.file.folio, event);
    }
}
