//! The signed documents that leave with a message: where all have signed, where the recipient typed a code that came to the
//! address, and where they are few and small. Otherwise the message has the link alone.

use app::App;
use app::messages::DocumentCopy;
use domain::DocumentId;
use std::sync::Arc;
use std::time::Duration;
use store::LeasedMessage;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Bytes of a message's documents: many mail servers take ten million of a whole email, and base64 adds a third.
const MAX_BYTES: u64 = 5_000_000 - 1;
/// Documents of a message.
const MAX_DOCUMENTS: usize = 20;
/// Attempts with documents: a connection on which a large email takes longer than an attempt may gets a small one then.
const MAX_ATTEMPTS: i64 = 3;
/// Messages whose documents are in memory at the same time.
const MAX_CONCURRENT_MESSAGES: usize = 2;

/// How long a message waits for a permit; then it has the link alone. The attempt that it belongs to takes a minute at most.
const PERMIT_TIMEOUT: Duration = Duration::from_secs(15);

/// Reads what is attached.
#[derive(Debug)]
pub(crate) struct Attachments {
    permits: Arc<Semaphore>,
}

/// What is attached to a message, and the permit to hold it in memory.
#[derive(Debug, Default)]
pub(crate) struct Attached {
    pub(crate) copies: Vec<DocumentCopy>,
    _permit: Option<OwnedSemaphorePermit>,
}

impl Default for Attachments {
    fn default() -> Self {
        Self {
            permits: Arc::new(Semaphore::new(MAX_CONCURRENT_MESSAGES)),
        }
    }
}

impl Attachments {
    /// What is attached to the message.
    pub(crate) async fn of(&self, app: &App, leased: &LeasedMessage) -> Attached {
        let wanted = wanted(leased);
        if wanted.is_empty() || leased.superseded || leased.misdirected {
            return Attached::default();
        }
        let Some(permit) = self.acquire_permit(leased).await else {
            return Attached::default();
        };
        let copies = app.document_copies(leased.company_id, &wanted, MAX_BYTES).await;
        Attached {
            copies: copies.unwrap_or_default(),
            _permit: Some(permit),
        }
    }

    /// The permit to hold the documents of a message in memory. Nothing if there is none in time: people get the message
    /// sooner with a link than with its documents.
    async fn acquire_permit(&self, leased: &LeasedMessage) -> Option<OwnedSemaphorePermit> {
        let permit = timeout(PERMIT_TIMEOUT, self.permits.clone().acquire_owned()).await;
        let permit = permit.ok().and_then(Result::ok);
        if permit.is_none() {
            tracing::warn!(
                seq = leased.seq.0,
                "a message is sent without its attachments: there was no room in memory for them"
            );
        }
        permit
    }
}

/// The documents of the folios that all have signed; none unless the recipient proved the address for each of these folios.
fn wanted(leased: &LeasedMessage) -> Vec<DocumentId> {
    let complete = || leased.about.iter().filter(|one| one.complete);
    let documents = || complete().flat_map(|one| &one.documents);
    let bytes: u64 = documents().map(|document| document.size).sum();
    let too_much = bytes > MAX_BYTES || documents().count() > MAX_DOCUMENTS || leased.attempt > MAX_ATTEMPTS;
    if too_much || !complete().all(|one| one.email_proven) {
        return Vec::new();
    }
    documents().map(|document| document.id).collect()
}

#[cfg(test)]
mod tests {
    use super::{Attachments, MAX_ATTEMPTS, MAX_BYTES, MAX_CONCURRENT_MESSAGES, MAX_DOCUMENTS, wanted};
    use crate::samples;
    use domain::{Channel, Template};
    use std::io::{Result, Write};
    use std::sync::{Arc, Mutex};
    use store::LeasedMessage;

    #[derive(Debug, Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_message_that_finds_no_room_for_its_documents_is_in_the_log() {
        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt().with_writer(move || writer.clone());
        let _logging = tracing::subscriber::set_default(subscriber.finish());
        let (attachments, leased) = (
            Attachments::default(),
            samples::leased(Template::Receipt, Channel::Email),
        );
        let mut taken = Vec::new();
        for _ in 0..MAX_CONCURRENT_MESSAGES {
            taken.push(attachments.acquire_permit(&leased).await.unwrap());
        }
        assert!(attachments.acquire_permit(&leased).await.is_none());
        let logged = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        assert_eq!(logged.matches("WARN").count(), 1, "{logged}");
        assert!(logged.contains("without its attachments"), "{logged}");
        taken.pop();
        assert!(attachments.acquire_permit(&leased).await.is_some());
    }

    fn count(change: impl FnOnce(&mut LeasedMessage)) -> usize {
        let mut leased = samples::leased(Template::Receipt, Channel::Email);
        change(&mut leased);
        wanted(&leased).len()
    }

    #[test]
    fn few_and_small_documents_that_all_have_signed_go_to_a_proven_address() {
        assert_eq!(count(|_| {}), 2);
        assert_eq!(count(|leased| leased.about[0].complete = false), 0);
        assert_eq!(count(|leased| leased.about[0].email_proven = false), 0);
        assert_eq!(count(|leased| leased.attempt = MAX_ATTEMPTS), 2);
        assert_eq!(count(|leased| leased.attempt = MAX_ATTEMPTS + 1), 0);
        let first_has = |size| move |leased: &mut LeasedMessage| leased.about[0].documents[0].size = size;
        assert_eq!(count(first_has(MAX_BYTES - 40_000)), 2);
        assert_eq!(count(first_has(MAX_BYTES - 39_999)), 0, "together");
        let documents = |number: usize| {
            move |leased: &mut LeasedMessage| {
                let one = leased.about[0].documents[0].clone();
                leased.about[0].documents = vec![one; number];
            }
        };
        assert_eq!(count(documents(MAX_DOCUMENTS)), MAX_DOCUMENTS);
        assert_eq!(count(documents(MAX_DOCUMENTS + 1)), 0);
        let several = samples::of_several(Template::Receipt);
        assert_eq!(wanted(&several).len(), 4, "of the two that all have signed");
        let mut unproven = several;
        unproven.about[1].email_proven = false;
        assert_eq!(wanted(&unproven).len(), 0);
    }
}
