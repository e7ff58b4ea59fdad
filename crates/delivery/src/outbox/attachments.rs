//! The signed documents that leave with a message: where all have signed, where the recipient typed a code that came to the
//! address, and where they are few and small. Otherwise the message has the link alone.

use app::App;
use app::messages::DocumentCopy;
use domain::DocumentId;
use std::sync::Arc;
use store::{LeasedMessage, SignedFolio};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes of a message's documents: many mail servers take ten million of a whole email, and base64 adds a third.
const MAX_BYTES: u64 = 5_000_000 - 1;
/// Documents of a message.
const MAX_DOCUMENTS: usize = 20;
/// Messages whose documents are in memory at the same time.
const MAX_CONCURRENT_MESSAGES: usize = 2;

/// Reads what is attached.
#[derive(Debug)]
pub(crate) struct Attachments {
    room: Arc<Semaphore>,
}

/// What is attached to a message, and its room in memory.
#[derive(Debug, Default)]
pub(crate) struct Attached {
    pub(crate) copies: Vec<DocumentCopy>,
    _room: Option<OwnedSemaphorePermit>,
}

impl Default for Attachments {
    fn default() -> Self {
        Self {
            room: Arc::new(Semaphore::new(MAX_CONCURRENT_MESSAGES)),
        }
    }
}

impl Attachments {
    /// What is attached to the message.
    pub(crate) async fn of(&self, app: &App, leased: &LeasedMessage) -> Attached {
        let wanted = wanted(&leased.about);
        if wanted.is_empty() || leased.superseded || leased.misdirected {
            return Attached::default();
        }
        let room = self.room.clone().acquire_owned().await.ok();
        let copies = app.document_copies(leased.company_id, &wanted, MAX_BYTES).await;
        Attached {
            copies: copies.unwrap_or_default(),
            _room: room,
        }
    }
}

/// The documents of the folios that all have signed; none unless the recipient proved the address for each of these folios.
fn wanted(about: &[SignedFolio]) -> Vec<DocumentId> {
    let complete = || about.iter().filter(|one| one.complete);
    let documents = || complete().flat_map(|one| &one.documents);
    let bytes: u64 = documents().map(|document| document.size).sum();
    if !complete().all(|one| one.email_proven) || bytes > MAX_BYTES || documents().count() > MAX_DOCUMENTS {
        return Vec::new();
    }
    documents().map(|document| document.id).collect()
}
