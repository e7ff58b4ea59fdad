//! The key that authenticates events. It is not in the database: who has the database alone can rewrite a history and
//! its hashes, and not the MACs beside them.

use aws_lc_rs::hmac;
use domain::{FolioId, Random};

/// Makes the MAC of an event when it is written, and verifies it when it is read.
#[derive(Clone)]
pub struct HistoryKey {
    key: hmac::Key,
    random: fn(&mut [u8]),
}

impl std::fmt::Debug for HistoryKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HistoryKey(…)")
    }
}

impl HistoryKey {
    /// The key, and where the salts of personal values come from.
    pub fn new(key: &[u8; 32], random: fn(&mut [u8])) -> Self {
        Self {
            key: hmac::Key::new(hmac::HMAC_SHA256, key),
            random,
        }
    }

    /// HMAC-SHA256 over the folio's identifier, the event's number in it and the event's hash.
    pub(crate) fn mac(&self, folio: FolioId, number: i64, hash: &[u8; 32]) -> [u8; 32] {
        let mut mac = [0; 32];
        mac.copy_from_slice(hmac::sign(&self.key, &covered(folio, number, hash)).as_ref());
        mac
    }

    /// Whether the event with this number and hash was written to the folio by a holder of the key.
    pub fn wrote(&self, folio: FolioId, number: i64, hash: &[u8; 32], mac: Option<&[u8]>) -> bool {
        let covered = covered(folio, number, hash);
        mac.is_some_and(|mac| hmac::verify(&self.key, &covered, mac).is_ok())
    }
}

fn covered(folio: FolioId, number: i64, hash: &[u8; 32]) -> [u8; 56] {
    let mut bytes = [0; 56];
    bytes[..16].copy_from_slice(folio.as_bytes());
    bytes[16..24].copy_from_slice(&number.to_be_bytes());
    bytes[24..].copy_from_slice(hash);
    bytes
}

/// The salts of events.
pub(crate) struct Salts(fn(&mut [u8]));

impl HistoryKey {
    pub(crate) const fn salts(&self) -> Salts {
        Salts(self.random)
    }
}

impl Random for Salts {
    fn fill(&mut self, bytes: &mut [u8]) {
        (self.0)(bytes);
    }
}
