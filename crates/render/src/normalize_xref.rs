//! A document with new cross-references, in the one spelling that the renderer is sure to support.
//!
//! The renderer on its own takes whatever looks like an object anywhere in the file, the last of each number,
//! as soon as it cannot read the cross-references or an object is not at its offset; and it draws objects
//! that they list as free. The signer would be shown one page, and every other reader would show another. So
//! the renderer gets the list of objects that our own reader made, and in it a canary that a search does not
//! find: once the canary is gone, the renderer has searched.

use std::collections::hash_map::RandomState;
use std::fmt::Write as _;
use std::hash::{BuildHasher as _, Hasher as _};
use std::time::Duration;

use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::object::{Name, ObjectIdentifier};
use pdf::Limits;
use pdf::file::{Document, Entry};
use pdf::increment::edit;
use pdf::inspect::{DEFAULT_MEDIA_BOX, catalog};
use pdf::syntax::{Ref, skip_space};

/// A document with new cross-references.
pub(super) struct NormalizedPdf {
    pub(super) bytes: Vec<u8>,
    pub(super) canary: Canary,
}

/// An object that only the list leads to.
pub(super) struct Canary {
    id: ObjectIdentifier,
    /// Its random value: the author of the document cannot have known it.
    name: String,
}

impl NormalizedPdf {
    /// `None` if the cross-references cannot be read, or the document needs a password.
    pub(super) fn new(mut bytes: Vec<u8>) -> Option<Self> {
        let name = format!("W{:016x}", RandomState::new().build_hasher().finish());
        let (list, number) = list(&bytes, &name)?;
        bytes.extend_from_slice(&list);
        let id = ObjectIdentifier::new(number, 0);
        Some(Self {
            bytes,
            canary: Canary { id, name },
        })
    }
}

impl Canary {
    /// Whether the renderer still finds it by the cross-references.
    pub(super) fn is_there(&self, pdf: &Pdf) -> bool {
        let found = pdf.xref().get::<Name<'_>>(self.id);
        found.as_deref() == Some(self.name.as_bytes())
    }
}

/// The bytes to append to the document, and the number of the canary.
fn list(bytes: &[u8], name: &str) -> Option<(Vec<u8>, u32)> {
    let doc = Document::open(bytes, &limits()).ok()?;
    let trailer = doc.trailer().ok()?;
    let root = trailer.get("Root")?.as_ref()?;
    let mut entries: Vec<_> = doc.entries().collect();
    entries.retain(|(_, entry)| match entry {
        Entry::Free => false,
        Entry::At { offset, .. } => *offset < bytes.len(),
        Entry::In { .. } => true,
    });
    entries.sort_unstable_by_key(|(number, _)| *number);
    let canary = entries.last().map_or(0, |(number, _)| *number).checked_add(1)?;
    let (own, size) = (canary.checked_add(1)?, canary.checked_add(2)?);
    let mut out = Vec::new();
    if let Some((id, body)) = sized_page_tree(&doc) {
        out.push(b'\n');
        let place = Entry::At {
            offset: bytes.len() + out.len(),
            generation: id.generation,
        };
        let at = entries.binary_search_by_key(&id.number, |(number, _)| *number);
        entries.get_mut(at.ok()?)?.1 = place;
        out.extend_from_slice(format!("{} {} obj\n", id.number, id.generation).as_bytes());
        out.extend_from_slice(&body);
        out.extend_from_slice(b"\nendobj");
    }
    // A search does not find the canary: this letter and its number are one word.
    out.extend_from_slice(b"\nx");
    entries.push((
        canary,
        Entry::At {
            offset: bytes.len() + out.len(),
            generation: 0,
        },
    ));
    out.extend_from_slice(format!("{canary} 0 obj\n/{name}\nendobj\n").as_bytes());
    let at = bytes.len() + out.len();
    let (mut index, mut data) = (String::new(), Vec::with_capacity(entries.len() * 9));
    for run in entries.chunk_by(|(one, _), (next, _)| one + 1 == *next) {
        let first = run.first().map_or(0, |(number, _)| *number);
        let _ = write!(index, "{first} {} ", run.len());
        for (_, entry) in run {
            let (kind, place, more) = match *entry {
                Entry::Free => (0, 0, 0),
                // Every reader but this one skips white space before an object.
                Entry::At { offset, generation } => {
                    let offset = skip_space(bytes, offset);
                    (1, u32::try_from(offset).ok()?, generation.into())
                }
                Entry::In { stream, index } => (2, stream, index),
            };
            data.push(kind);
            data.extend_from_slice(&place.to_be_bytes());
            data.extend_from_slice(&more.to_be_bytes());
        }
    }
    let head = format!(
        "{own} 0 obj\n<</Type/XRef/W[1 4 4]/Size {size}/Root {} {} R/Index[{index}]/Length {}",
        root.number,
        root.generation,
        data.len()
    );
    out.extend_from_slice(head.as_bytes());
    // The renderer decrypts by itself, with the empty password.
    if let Some(encryption) = trailer.get("Encrypt") {
        for (key, value) in [("/Encrypt ", Some(encryption)), ("/ID ", trailer.get("ID"))] {
            out.extend_from_slice(key.as_bytes());
            out.extend_from_slice(value?.raw);
        }
    }
    out.extend_from_slice(b">>\nstream\n");
    out.extend_from_slice(&data);
    out.extend_from_slice(format!("\nendstream\nendobj\nstartxref\n{at}\n%%EOF\n").as_bytes());
    Some((out, canary))
}

/// The root of the page tree with the size of pages that state none. The renderer takes another one than other readers.
fn sized_page_tree(doc: &Document<'_>) -> Option<(Ref, Vec<u8>)> {
    let (_, catalog) = catalog(doc).ok()?;
    let id = catalog.get("Pages")?.as_ref()?;
    let root = doc.get(id).ok()??;
    if root.as_dict()?.has("MediaBox") || doc.encryption().is_some() {
        return None;
    }
    let body = edit(root.raw, &[("MediaBox", DEFAULT_MEDIA_BOX)]).ok()?;
    Some((id, body))
}

/// The worker has limits of its own, and inspection applied those of documents.
fn limits() -> Limits {
    Limits {
        bytes: usize::MAX,
        objects: usize::MAX,
        sections: usize::MAX,
        entries: usize::MAX,
        size: u32::MAX,
        time: Duration::MAX,
        object_values: u64::MAX,
        values: u64::MAX,
        ..Limits::default()
    }
}
