//! The certificates, revocation lists and OCSP responses in the security stores of a document: of every signed revision and
//! of the newest one, so that a later increment cannot remove those that a signature covers.

use std::collections::{BTreeSet, HashSet};

use pdf::Damage;
use pdf::file::{Document, Entry};
use pdf::inspect::catalog;
use pdf::syntax::Ref;
use pki::authority::{Crl, OcspResponse};
use pki::cms::Certificate;
use rustc_hash::FxHashSet;
use sha2::{Digest, Sha256};

/// Items of one list of one store that are read, without those that were read before.
const MAX_ITEMS: usize = 256;
/// Certificates of all stores of a file.
const MAX_CERTIFICATES: usize = 1024;
/// Bytes of revocation lists and OCSP responses of a file.
const MAX_LIST_BYTES: usize = 32 << 20;

/// The items of all stores of a file.
#[derive(Debug, Default)]
pub(super) struct Stores {
    pub(super) certificates: Vec<Certificate>,
    pub(super) crls: Vec<Crl>,
    pub(super) ocsp_responses: Vec<OcspResponse>,
    lists: Lists,
    /// The objects that were read, by their number and offset.
    seen: FxHashSet<(u32, usize)>,
    unread: BTreeSet<u32>,
}

/// The revocation lists and OCSP responses that were read, each once.
#[derive(Debug, Default)]
struct Lists {
    read: HashSet<[u8; 32]>,
    bytes: usize,
}

impl Lists {
    /// Whether an item was not read before; an error if there are too many.
    fn is_new(&mut self, bytes: &[u8]) -> Result<bool, Unread> {
        if self.bytes + bytes.len() > MAX_LIST_BYTES {
            return Err(Unread);
        }
        let is_new = self.read.insert(Sha256::digest(bytes).into());
        if is_new {
            self.bytes += bytes.len();
        }
        Ok(is_new)
    }
}

impl Stores {
    /// Adds the items of a revision's store. An item that cannot be read is noted and does not affect the others.
    pub(super) fn read(&mut self, doc: &Document<'_>) -> Result<(), Damage> {
        for bytes in self.items(doc, "Certs")? {
            match Certificate::from_der(&bytes.1) {
                Ok(certificate) if self.certificates.len() < MAX_CERTIFICATES => {
                    self.certificates.push(certificate);
                }
                _ => self.note(bytes.0),
            }
        }
        for (number, bytes) in self.items(doc, "CRLs")? {
            match self.list(&bytes) {
                Ok(list) => self.crls.extend(list),
                Err(Unread) => self.note(number),
            }
        }
        for (number, bytes) in self.items(doc, "OCSPs")? {
            match self.ocsp_response(&bytes) {
                Ok(response) => self.ocsp_responses.extend(response),
                Err(Unread) => self.note(number),
            }
        }
        Ok(())
    }

    /// Reads a revocation list; `None` if it was read before.
    pub(super) fn list(&mut self, bytes: &[u8]) -> Result<Option<Crl>, Unread> {
        if !self.lists.is_new(bytes)? {
            return Ok(None);
        }
        Crl::from_der(bytes).map(Some).map_err(|_| Unread)
    }

    /// Reads an OCSP response; `None` if it was read before.
    pub(super) fn ocsp_response(&mut self, bytes: &[u8]) -> Result<Option<OcspResponse>, Unread> {
        if !self.lists.is_new(bytes)? {
            return Ok(None);
        }
        OcspResponse::from_der(bytes).map(Some).map_err(|_| Unread)
    }

    /// Objects in the stores that are neither certificate, revocation list nor OCSP response; zero for a value that is no object.
    pub(super) fn unread(&self) -> Vec<u32> {
        self.unread.iter().copied().take(MAX_ITEMS).collect()
    }

    fn note(&mut self, number: u32) {
        if self.unread.len() < MAX_ITEMS {
            self.unread.insert(number);
        }
    }

    /// The streams in a list of the store that were not read before, with their numbers.
    fn items(&mut self, doc: &Document<'_>, key: &'static str) -> Result<Vec<(u32, Vec<u8>)>, Damage> {
        let list = catalog(doc).and_then(|(_, catalog)| {
            let store = doc.lookup_dict(&catalog, "DSS")?.unwrap_or_default();
            Ok(doc.lookup_array(&store, key)?.unwrap_or_default())
        });
        let list = match list {
            Ok(list) => list,
            Err(damage) if damage.is_excess() => return Err(damage),
            Err(_) => {
                self.note(0);
                return Ok(Vec::new());
            }
        };
        doc.charge_bytes(list.len())?;
        let mut found = Vec::new();
        for item in &list {
            let Some(id) = item.as_ref() else {
                self.note(0);
                continue;
            };
            let Entry::At { offset, .. } = doc.entry(id.number) else {
                self.note(id.number);
                continue;
            };
            if !self.seen.insert((id.number, offset)) {
                continue;
            }
            if found.len() == MAX_ITEMS {
                self.note(id.number);
                break;
            }
            match decoded(doc, id)? {
                Some(bytes) => found.push((id.number, bytes)),
                None => self.note(id.number),
            }
        }
        Ok(found)
    }
}

/// Why a revocation list or OCSP response was not read: it is none, or there are too many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unread;

/// The bytes of a stream; `None` for another object.
fn decoded(doc: &Document<'_>, id: Ref) -> Result<Option<Vec<u8>>, Damage> {
    match doc.decoded(id) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(damage) if damage.is_excess() => Err(damage),
        Err(_) => Ok(None),
    }
}
