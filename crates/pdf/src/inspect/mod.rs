//! Accepts or refuses an upload, with a reason a person understands.
//! Our own strict and bounded reader goes first; a second, independent one must then agree with it.

mod actions;
mod blank_covers;
mod collect;
mod cross_check;
mod field_text;
mod form;
mod layers;
mod pages;
mod refused;
mod revisions;
mod structure;

pub use refused::{Forbidden, Hidden, Lock, Refused};

pub use form::level;
pub use pages::DEFAULT_MEDIA_BOX;
pub use revisions::unlisted;

use sha2::Sha256;

use crate::damage::Damage;
use crate::file::Document;
use crate::limits::Limits;
use crate::prepare::{AppendState, Prepared, SigningPermission};
use crate::syntax::{Dict, Kind, Ref, Value};

/// An accepted file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Inspected {
    /// How many pages it has.
    pub pages: u32,
    /// How many signatures and document timestamps it already carries.
    pub signatures: u32,
    /// Whether one of them certifies the document.
    pub certified: bool,
    /// How many times the file was saved: one, and one more for each incremental update.
    pub revisions: u32,
    length: u64,
    append_state: AppendState,
}

impl Inspected {
    /// Whether the file came signed: nothing may be added to it that its signatures do not allow.
    pub fn is_signed(&self) -> bool {
        self.signatures > 0
    }

    /// Joins the result of inspection with the hash that the caller took while the bytes came in.
    ///
    /// The hasher must have been fed exactly the inspected bytes. That is not checked: it would mean to hash them
    /// again.
    pub fn prepare(self, hasher: Sha256) -> Prepared {
        Prepared {
            length: self.length,
            hasher,
            append_state: self.append_state,
        }
    }
}

/// Accepts or refuses a file.
///
/// The cost is bounded by `limits`, whatever the bytes are: the contents of pages, fonts and images are not
/// decoded here.
///
/// ```
/// use pdf::Limits;
/// use pdf::inspect::{Refused, inspect};
///
/// let refused = inspect(b"hello", &Limits::default()).unwrap_err();
/// assert_eq!(refused, Refused::NotPdf);
/// assert!(refused.message(false).contains("PDF"));
/// ```
pub fn inspect(bytes: &[u8], limits: &Limits) -> Result<Inspected, Refused> {
    inspect_document(&open(bytes, limits)?, limits)
}

/// Opens a file for [`inspect_document`]: it is no longer than allowed, and says that it is a PDF.
pub fn open<'b>(bytes: &'b [u8], limits: &Limits) -> Result<Document<'b>, Refused> {
    if bytes.len() > limits.bytes {
        return Err(Refused::TooLarge { limit: limits.bytes });
    }
    let head = bytes.get(..bytes.len().min(1024)).unwrap_or_default();
    if memchr::memmem::find(head, b"%PDF-").is_none() {
        return Err(Refused::NotPdf);
    }
    Ok(Document::open(bytes, limits)?)
}

/// The same as [`inspect`], of a file that [`open`] has opened: the caller may go on reading it.
pub fn inspect_document(doc: &Document<'_>, limits: &Limits) -> Result<Inspected, Refused> {
    match doc.encryption() {
        Some(encryption) if !encryption.may_sign() => return Err(Refused::Restricted),
        Some(encryption) if encryption.is_rarely_read() => return Err(Refused::Unverifiable),
        _ => {}
    }
    let (root, catalog) = catalog(doc)?;
    // What a catalog or trailer says of the catalog under another key, strict validators do not let change.
    let trailer = doc.trailer()?.entries.iter().filter(|(key, _)| &**key != b"Root");
    if catalog
        .entries
        .iter()
        .chain(trailer)
        .any(|(_, value)| refers_to(value, root))
    {
        return Err(Refused::Unverifiable);
    }
    let mut actions = actions::Actions::new(doc);
    actions.catalog(&catalog)?;
    let pages = pages::walk(doc, &catalog, limits, &mut actions)?;
    let form = form::walk(doc, &catalog, limits, &mut actions)?;
    layers::check(doc, &catalog)?;
    let highest = revisions::check(doc)?;
    cross_check::check(doc, root, &pages)?;
    let append_state = collect::collect(doc, root, &catalog, &pages, &form, highest, actions.prints)?;
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Ok(Inspected {
        pages: count(pages.len()),
        signatures: append_state.signatures,
        certified: append_state.permission == SigningPermission::Certified,
        revisions: count(doc.sections().len()),
        length: doc.bytes().len() as u64,
        append_state,
    })
}

/// Whether a file has signatures, as far as its bytes tell without being read: for files that are refused. What a signature covers
/// stands uncompressed in the file, because it is filled in last. The signature of the rights that Adobe Reader has in a document
/// is none of a person.
pub fn looks_signed(bytes: &[u8]) -> bool {
    let count = |text: &[u8]| memchr::memmem::find_iter(bytes, text).count();
    let rights = count(b"/TransformMethod/UR") + count(b"/TransformMethod /UR");
    count(b"/ByteRange") > rights
}

/// The document's catalog.
pub fn catalog<'d>(doc: &'d Document<'_>) -> Result<(Ref, Dict<'d>), Damage> {
    let root = doc
        .trailer()?
        .get("Root")
        .and_then(Value::as_ref)
        .ok_or(Damage::Entry("Root"))?;
    match doc.get(root)?.map(|value| value.kind) {
        Some(Kind::Dict(catalog)) if catalog.ambiguous => Err(Damage::Ambiguous),
        Some(Kind::Dict(catalog)) => Ok((root, catalog)),
        _ => Err(Damage::Entry("Root")),
    }
}

/// Whether a value refers to this object.
fn refers_to(value: &Value<'_>, id: Ref) -> bool {
    match &value.kind {
        Kind::Ref(found) => *found == id,
        Kind::Array(items) => items.iter().any(|item| refers_to(item, id)),
        Kind::Dict(dict) => dict.entries.iter().any(|(_, item)| refers_to(item, id)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::looks_signed;

    #[test]
    fn a_signature_is_seen_in_a_file_that_cannot_be_read() {
        let signature = "<</Type/Sig/ByteRange[0 10 20 30]/Contents<00>>>";
        let rights = "<</Type/Sig/ByteRange[0 10 20 30]/Reference[<</TransformMethod /UR3>>]>>";
        for (dictionaries, signed) in [
            (vec![], false),
            (vec![signature], true),
            (vec![rights], false),
            (vec![rights, signature], true),
        ] {
            let file = format!("%PDF-1.7 {} and no end", dictionaries.concat());
            assert_eq!(looks_signed(file.as_bytes()), signed, "{file}");
        }
    }
}
