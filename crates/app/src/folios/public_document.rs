//! What the installation discloses about a document to a person who has the file.

use crate::{App, Error};
use domain::DocumentId;
use store::PublicDocument;

impl App {
    /// The document with that identifier, if it is one of ours: its state and its hashes, and no names.
    pub async fn public_document(&self, id: DocumentId) -> Result<Option<PublicDocument>, Error> {
        Ok(self.store.read(move |tx| tx.public_document(id)).await?)
    }
}
