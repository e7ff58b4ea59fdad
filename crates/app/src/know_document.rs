//! What the installation tells anybody about a document that they hold.

use crate::{App, Error};
use domain::DocumentId;
use store::KnownDocument;

impl App {
    /// The document with that identifier, if it is one of ours: its state and its hashes, and nobody's name.
    pub async fn known_document(&self, id: DocumentId) -> Result<Option<KnownDocument>, Error> {
        Ok(self.store.read(move |tx| tx.known_document(id)).await?)
    }
}
