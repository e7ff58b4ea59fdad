//! What was found on a connection to `SQLite`, and still stands because nobody has committed anything since.
//!
//! A company's system comes with the same key all the time, and for a document more than once. The engine tells in one
//! statement, which it needs in any case, whether the database is still the one in which they were found.

use crate::queries::downloads::DocumentFile;
use crate::queries::keys::{KeyLookup, LiveKey};
use domain::{CompanyId, DocumentId, Timestamp};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// So many keys are remembered for a connection. Then all are forgotten: those in use are soon there again.
const KEYS: usize = 256;
/// So many bytes of what is known of documents; then all of it is forgotten in the same way.
const DOCUMENTS: usize = 1 << 20;
/// What a document counts for beside its name and what was appended to it.
const ENTRY: usize = 512;

/// Answers that were found in one version of the database.
#[derive(Debug, Default)]
pub(crate) struct Standing {
    version: i64,
    keys: FxHashMap<i64, StandingKey>,
    documents: FxHashMap<(CompanyId, DocumentId), Arc<DocumentFile>>,
    /// What the documents count for.
    bytes: usize,
}

#[derive(Debug)]
struct StandingKey {
    key: KeyLookup,
    live: LiveKey,
    expires_at: Option<Timestamp>,
}

impl Standing {
    /// Forgets what was found in another version.
    pub(crate) fn keep_to(&mut self, version: i64) {
        if self.version != version {
            self.version = version;
            self.keys.clear();
            self.forget_documents();
        }
    }

    /// The key with that hash, if it was found, and is live at that time.
    pub(crate) fn key(&self, key: &KeyLookup, now: Timestamp) -> Option<LiveKey> {
        let found = self.keys.get(&key.lookup())?;
        let is_live = found.expires_at.is_none_or(|end| end > now);
        (is_live && found.key.is_same(key)).then_some(found.live)
    }

    pub(crate) fn remember_key(&mut self, key: KeyLookup, live: LiveKey, expires_at: Option<Timestamp>) {
        if self.keys.len() >= KEYS {
            self.keys.clear();
        }
        let found = StandingKey {
            key,
            live,
            expires_at,
        };
        self.keys.insert(key.lookup(), found);
    }

    /// The company's document, if it was found.
    pub(crate) fn document(&self, company: CompanyId, id: DocumentId) -> Option<Arc<DocumentFile>> {
        self.documents.get(&(company, id)).cloned()
    }

    pub(crate) fn remember_document(&mut self, company: CompanyId, id: DocumentId, file: &Arc<DocumentFile>) {
        let appended: usize = file.increments.iter().map(Vec::len).sum();
        let bytes = ENTRY + file.name.as_str().len() + appended;
        if bytes > DOCUMENTS {
            return;
        }
        if self.bytes + bytes > DOCUMENTS {
            self.forget_documents();
        }
        self.bytes += bytes;
        self.documents.insert((company, id), Arc::clone(file));
    }

    fn forget_documents(&mut self) {
        self.documents.clear();
        self.bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{FileName, FolioId, KeyId};

    const OURS: CompanyId = CompanyId(1);

    fn document(number: usize) -> DocumentId {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&number.to_be_bytes());
        DocumentId::from_bytes(bytes)
    }

    fn key(number: usize) -> KeyLookup {
        let mut hash = [0; 32];
        hash[..8].copy_from_slice(&number.to_be_bytes());
        KeyLookup { hash }
    }

    fn file(appended: usize) -> Arc<DocumentFile> {
        let at = Timestamp::from_micros(0);
        Arc::new(DocumentFile {
            folio: FolioId::from_bytes([1; 16]),
            name: FileName::sanitized("a.pdf"),
            original: [0; 32],
            original_size: 1,
            increments: vec![vec![0; appended]],
            sha256: [0; 32],
            size: 1,
            modified_at: at,
        })
    }

    fn remember_key(standing: &mut Standing, number: usize) {
        let id = KeyId::from_bytes([1; 16]);
        standing.remember_key(key(number), LiveKey { id, company: OURS }, None);
    }

    #[test]
    fn another_version_ends_everything_and_the_same_nothing() {
        let mut standing = Standing::default();
        let now = Timestamp::from_micros(0);
        standing.keep_to(7);
        remember_key(&mut standing, 1);
        standing.remember_document(OURS, document(1), &file(0));
        standing.keep_to(7);
        assert!(standing.key(&key(1), now).is_some());
        assert!(standing.document(OURS, document(1)).is_some());
        assert!(standing.document(CompanyId(2), document(1)).is_none());
        standing.keep_to(8);
        assert!(standing.key(&key(1), now).is_none());
        assert!(standing.document(OURS, document(1)).is_none());
        assert_eq!(standing.bytes, 0);
    }

    #[test]
    fn only_so_much_is_remembered() {
        let mut standing = Standing::default();
        for number in 0..3 * KEYS {
            remember_key(&mut standing, number);
            assert!(standing.keys.len() <= KEYS);
        }
        for number in 0..3 * DOCUMENTS / ENTRY {
            standing.remember_document(OURS, document(number), &file(0));
            assert!(standing.document(OURS, document(number)).is_some());
            assert!(standing.bytes <= DOCUMENTS && standing.documents.len() <= DOCUMENTS / ENTRY);
        }
        let before = standing.bytes;
        standing.remember_document(OURS, document(0), &file(DOCUMENTS));
        assert!(standing.document(OURS, document(0)).is_none(), "too long");
        assert_eq!(standing.bytes, before, "nothing else goes for it");
    }
}
