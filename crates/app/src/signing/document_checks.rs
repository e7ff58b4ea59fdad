//! Checks that documents are in storage, undamaged. A document is signed only if its bytes were found so
//! within the last day.
//!
//! A document is hashed when it is first opened; documents that were never opened are hashed before a code
//! is sent. Results are cached in memory, per instance: a restart costs one more hash, and a stored result
//! would prove nothing about the storage.

use crate::signing::context::{ContextFolio, SigningContext};
use crate::{App, Error, SigningParty};
use blobs::BlobId;
use domain::{Causes, CompanyId, Document, DocumentId, Folio, FolioId, Timestamp};
use futures_util::future::join_all;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use store::DocumentLookup;
use tokio::sync::Semaphore;

/// How long a document that was found whole counts as whole.
const WHOLE_TTL: Duration = Duration::from_hours(24);
/// How long a failed check is cached: long enough for the pages of one visit, short enough for an operator
/// who has just restored the file.
const FAILURE_TTL: Duration = Duration::from_secs(10);
/// Bytes of documents that one request waits for; what is beyond is hashed in the background.
const MAX_INLINE_BYTES: u64 = 32 << 20;
/// Documents that are hashed at the same time.
const MAX_CONCURRENT_HASHES: usize = 2;
/// Documents that may wait to be hashed in the background.
const BACKGROUND_QUEUE_CAPACITY: usize = 4096;
/// Entries of each of the cache's two halves.
const CACHE_HALF_ENTRIES: usize = 32_768;
/// Suggested retry time while documents are hashed in the background.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentCheck {
    /// All its bytes are there.
    Whole,
    /// It is not in storage.
    Missing,
    /// Its bytes are not those that were sent, or some are lacking.
    Damaged,
    /// It is being hashed in the background.
    Checking,
}

/// A document to check in storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredDocument {
    /// Whose document it is.
    pub folio: FolioId,
    /// Which.
    pub document: DocumentId,
    /// The SHA-256 of the bytes that were sent.
    pub sha256: [u8; 32],
    /// How many they were.
    pub size: u64,
}

impl StoredDocument {
    /// The documents of a folio.
    pub fn all_of(folio: &Folio) -> impl Iterator<Item = Self> {
        folio.documents.iter().map(|document| Self {
            folio: folio.id,
            document: document.id,
            sha256: document.sha256,
            size: document.size,
        })
    }
}

/// The results of this instance. Clones of the application share them.
#[derive(Debug)]
pub(crate) struct DocumentChecks {
    found: Mutex<CheckCache>,
    hashing: Semaphore,
}

#[derive(Debug, Default)]
struct CheckCache {
    /// By SHA-256: what, and when. The older half is forgotten when the newer one is full.
    newer: HashMap<[u8; 32], (DocumentCheck, Timestamp)>,
    older: HashMap<[u8; 32], (DocumentCheck, Timestamp)>,
    /// Those that are being hashed, or wait for it, in the background.
    background: HashSet<[u8; 32]>,
}

impl Default for DocumentChecks {
    fn default() -> Self {
        Self {
            found: Mutex::default(),
            hashing: Semaphore::new(MAX_CONCURRENT_HASHES),
        }
    }
}

impl DocumentChecks {
    /// What is known of a document.
    fn known(&self, sha256: &[u8; 32], now: Timestamp) -> Option<DocumentCheck> {
        self.lock().known(sha256, now)
    }

    fn remember(&self, sha256: [u8; 32], check: DocumentCheck, now: Timestamp) {
        let mut found = self.lock();
        if found.newer.len() >= CACHE_HALF_ENTRIES {
            found.older = std::mem::take(&mut found.newer);
        }
        found.newer.insert(sha256, (check, now));
    }

    fn lock(&self) -> MutexGuard<'_, CheckCache> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CheckCache {
    fn known(&self, sha256: &[u8; 32], now: Timestamp) -> Option<DocumentCheck> {
        let (check, at) = self.newer.get(sha256).or_else(|| self.older.get(sha256))?;
        let ttl = match check {
            DocumentCheck::Whole => WHOLE_TTL,
            _ => FAILURE_TTL,
        };
        // The clock went back since: it may take days until the result is of the past.
        let is_known = !at.is_ahead_of(now) && now < at.after(ttl);
        is_known.then_some(*check)
    }
}

impl App {
    /// Checks documents, unless that was done within the last day; the results are in order. An error means
    /// that the storage does not answer, which says nothing about any document.
    pub async fn check_documents(&self, documents: &[StoredDocument]) -> Result<Vec<DocumentCheck>, Error> {
        let now = self.clock.now();
        let (inline, background) = self.unknown(documents, now)?;
        // Background documents are reported on the next call, even if they are ready already.
        let later: HashSet<[u8; 32]> = background.iter().map(|document| document.sha256).collect();
        if !background.is_empty() {
            let app = self.clone();
            tokio::spawn(async move { app.check_in_background(background).await });
        }
        for checked in join_all(inline.iter().map(|document| self.check_document(document))).await {
            checked?;
        }
        let found = self.document_checks.lock();
        let known = |document: &StoredDocument| {
            let known = found.known(&document.sha256, now);
            let known = known.filter(|_| !later.contains(&document.sha256));
            known.unwrap_or(DocumentCheck::Checking)
        };
        Ok(documents.iter().map(known).collect())
    }

    /// Refuses while documents are being checked, and if every open folio of the party lacks a document. One folio with all
    /// its documents is enough: the act leaves out those folios of a bulk signature that lack one.
    pub(crate) async fn check_documents_of(&self, party: SigningParty) -> Result<(), Error> {
        let now = self.clock.now();
        let open = self.store.read(move |tx| {
            let context = SigningContext::load(tx, party, false)?;
            let open = context.open(now)?;
            let documents = open.iter().map(|folio| &folio.stored.folio);
            let documents = documents.map(|folio| StoredDocument::all_of(folio).collect());
            Ok::<Vec<Vec<_>>, Error>(documents.collect())
        });
        let open = open.await?;
        let checks = self.check_documents(&open.concat()).await?;
        if checks.contains(&DocumentCheck::Checking) {
            return Err(Error::DocumentsBeingChecked {
                retry_after: RETRY_AFTER,
            });
        }
        let mut checks = checks.into_iter();
        let whole = |folio: &Vec<_>| {
            let checks: Vec<_> = checks.by_ref().take(folio.len()).collect();
            checks.iter().all(|check| *check == DocumentCheck::Whole)
        };
        let whole = open.iter().map(whole).filter(|whole| *whole).count();
        if whole == 0 {
            return Err(Error::DocumentUnavailable);
        }
        Ok(())
    }

    /// Refuses an act on folios with a document that was not looked for within the last day. Reads nothing.
    pub(crate) fn require_checked(&self, open: &[&ContextFolio], now: Timestamp) -> Result<(), Error> {
        let found = self.document_checks.lock();
        let mut documents = open.iter().flat_map(|folio| &folio.stored.folio.documents);
        if documents.all(|document| found.known(&document.sha256, now).is_some()) {
            Ok(())
        } else {
            Err(Error::DocumentsBeingChecked {
                retry_after: RETRY_AFTER,
            })
        }
    }

    /// Refuses a folio that lacks a document, or has one that was not looked for. Reads nothing.
    pub(crate) fn require_whole(&self, folio: &Folio, now: Timestamp) -> Result<(), Error> {
        let found = self.document_checks.lock();
        let whole = |document: &Document| found.known(&document.sha256, now) == Some(DocumentCheck::Whole);
        if folio.documents.iter().all(whole) {
            Ok(())
        } else {
            Err(Error::DocumentUnavailable)
        }
    }

    /// Whether one of these documents is known to be lost or damaged. Reads nothing.
    pub fn lacks_a_document(&self, documents: &[Document]) -> bool {
        let (now, found) = (self.clock.now(), self.document_checks.lock());
        documents.iter().any(|document| {
            let known = found.known(&document.sha256, now);
            matches!(known, Some(DocumentCheck::Missing | DocumentCheck::Damaged))
        })
    }

    /// All bytes of a document, read from storage and found to be those that were sent.
    pub(crate) async fn whole_document(
        &self,
        company: CompanyId,
        document: &Document,
    ) -> Result<bytes::Bytes, Error> {
        let now = self.clock.now();
        let known = self.document_checks.known(&document.sha256, now);
        if matches!(known, Some(DocumentCheck::Missing | DocumentCheck::Damaged)) {
            return Err(Error::DocumentUnavailable);
        }
        let id = BlobId::from_bytes(document.sha256);
        match self.blobs.read_whole(id, document.size).await {
            Ok(bytes) => {
                self.document_checks
                    .remember(document.sha256, DocumentCheck::Whole, now);
                Ok(bytes)
            }
            Err(error) => {
                let check = self.fault(error).await?;
                self.document_checks.remember(document.sha256, check, now);
                let id = document.id;
                let found = self.store.read(move |tx| tx.find_document(company, id)).await?;
                let DocumentLookup::Own(file) = found else {
                    return Err(Error::NotFound);
                };
                alarm(file.folio, id, check);
                Err(Error::DocumentUnavailable)
            }
        }
    }

    /// Those of which nothing is known: what this request waits for, and what is hashed in the background.
    fn unknown(
        &self,
        documents: &[StoredDocument],
        now: Timestamp,
    ) -> Result<(Vec<StoredDocument>, Vec<StoredDocument>), Error> {
        let mut found = self.document_checks.lock();
        let (mut inline, mut background) = (Vec::new(), Vec::new());
        let (mut seen, mut room) = (HashSet::new(), MAX_INLINE_BYTES);
        for document in documents {
            let is_new = seen.insert(document.sha256) && !found.background.contains(&document.sha256);
            if !is_new || found.known(&document.sha256, now).is_some() {
                continue;
            }
            if let Some(left) = room.checked_sub(document.size) {
                room = left;
                inline.push(*document);
            } else {
                background.push(*document);
            }
        }
        if found.background.len() + background.len() > BACKGROUND_QUEUE_CAPACITY {
            return Err(Error::Overloaded);
        }
        let names = background.iter().map(|document| document.sha256);
        found.background.extend(names);
        Ok((inline, background))
    }

    async fn check_in_background(&self, documents: Vec<StoredDocument>) {
        for document in documents {
            if let Err(error) = self.check_document(&document).await {
                let (folio, document) = (document.folio, document.document);
                tracing::warn!(%folio, %document, error = %Causes(&error), "a document could not be checked in storage");
            }
            self.document_checks.lock().background.remove(&document.sha256);
        }
    }

    /// Hashes one document, and caches the result.
    async fn check_document(&self, document: &StoredDocument) -> Result<(), Error> {
        let permit = self.document_checks.hashing.acquire().await;
        let _permit = permit.map_err(|closed| Error::Internal(closed.into()))?;
        let id = BlobId::from_bytes(document.sha256);
        let check = match self.blobs.verify(id, document.size).await {
            Ok(_) => DocumentCheck::Whole,
            Err(error) => {
                let check = self.fault(error).await?;
                alarm(document.folio, document.document, check);
                check
            }
        };
        let now = self.clock.now();
        self.document_checks.remember(document.sha256, check, now);
        Ok(())
    }

    /// Classifies a read error. If the storage itself does not answer, nothing is known of any document.
    pub(crate) async fn fault(&self, error: blobs::Error) -> Result<DocumentCheck, Error> {
        match error {
            blobs::Error::NotFound(_) => {
                self.blobs.check().await?;
                Ok(DocumentCheck::Missing)
            }
            blobs::Error::Truncated(_) | blobs::Error::Damaged(_) => Ok(DocumentCheck::Damaged),
            other => Err(other.into()),
        }
    }
}

/// Logs an alarm for a document that cannot be signed.
fn alarm(folio: FolioId, document: DocumentId, check: DocumentCheck) {
    let found = match check {
        DocumentCheck::Missing => "missing",
        _ => "damaged",
    };
    tracing::error!(
        %folio,
        %document,
        found,
        "ALARM: a document is missing or damaged in storage; its folio cannot be signed until the file is restored"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_is_remembered_for_a_day_and_a_fault_for_seconds() {
        let checks = DocumentChecks::default();
        let start = Timestamp::from_micros(1_772_461_800_000_000);
        checks.remember([1; 32], DocumentCheck::Whole, start);
        checks.remember([2; 32], DocumentCheck::Missing, start);
        let known = |name: u8, after: Duration| checks.known(&[name; 32], start.after(after));
        assert_eq!(known(1, WHOLE_TTL / 2), Some(DocumentCheck::Whole));
        assert_eq!(known(1, WHOLE_TTL), None);
        assert_eq!(known(2, FAILURE_TTL / 2), Some(DocumentCheck::Missing));
        assert_eq!(known(2, FAILURE_TTL), None);
        assert_eq!(known(3, Duration::ZERO), None);
    }

    #[test]
    fn what_was_found_before_the_clock_went_back_is_forgotten() {
        let checks = DocumentChecks::default();
        let start = Timestamp::from_micros(1_772_461_800_000_000);
        checks.remember([1; 32], DocumentCheck::Whole, start);
        checks.remember([2; 32], DocumentCheck::Damaged, start);
        let known = |before: Duration| [1, 2].map(|name| checks.known(&[name; 32], start.before(before)));
        let both = [Some(DocumentCheck::Whole), Some(DocumentCheck::Damaged)];
        assert_eq!(known(Duration::from_secs(1)), both, "a small step");
        assert_eq!(known(Duration::from_hours(1)), [None, None]);
    }

    #[test]
    fn a_bounded_number_is_remembered_the_newest_among_them() {
        let checks = DocumentChecks::default();
        let now = Timestamp::from_micros(1_772_461_800_000_000);
        let name = |number: usize| {
            let mut name = [0; 32];
            name[..8].copy_from_slice(&number.to_le_bytes());
            name
        };
        for number in 0..3 * CACHE_HALF_ENTRIES {
            checks.remember(name(number), DocumentCheck::Whole, now);
        }
        let found = checks.lock();
        assert!(found.newer.len() + found.older.len() <= 2 * CACHE_HALF_ENTRIES);
        for number in 2 * CACHE_HALF_ENTRIES..3 * CACHE_HALF_ENTRIES {
            assert!(found.known(&name(number), now).is_some());
        }
    }
}
