//! Accepts or refuses an upload, with a reason a person understands.
//! Our own strict and bounded reader goes first; a second, independent one must then agree with it.

mod actions;
mod agree;
mod form;
mod layers;
mod pages;
mod refused;
mod revisions;

pub use refused::{Forbidden, Hidden, Lock, Refused};

pub(crate) use form::Field;
pub use form::level;
pub(crate) use pages::Page;
pub use revisions::unlisted;

use crate::damage::Damage;
use crate::file::Document;
use crate::limits::Limits;
use crate::prepare::{Base, Standing};
use crate::syntax::{Dict, Kind, Ref, Value};

/// What an accepted file is.
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
    pub(crate) length: u64,
    pub(crate) base: Base,
}

impl Inspected {
    /// Whether the file came signed: nothing may be added to it that its signatures do not allow.
    pub fn is_signed(&self) -> bool {
        self.signatures > 0
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
/// assert!(refused.message().contains("PDF"));
/// ```
pub fn inspect(bytes: &[u8], limits: &Limits) -> Result<Inspected, Refused> {
    if bytes.len() > limits.bytes {
        return Err(Refused::TooLarge { limit: limits.bytes });
    }
    let head = bytes.get(..bytes.len().min(1024)).unwrap_or_default();
    if memchr::memmem::find(head, b"%PDF-").is_none() {
        return Err(Refused::NotPdf);
    }
    let doc = Document::open(bytes, limits)?;
    if doc
        .sections()
        .iter()
        .any(|section| section.trailer.has("Encrypt"))
    {
        return Err(Refused::Encrypted);
    }
    let (root, catalog) = catalog(&doc)?;
    let mut actions = actions::Actions::new(&doc);
    actions.catalog(&catalog)?;
    let pages = pages::walk(&doc, &catalog, limits, &mut actions)?;
    let form = form::walk(&doc, &catalog, limits, &mut actions)?;
    layers::check(&doc, &catalog)?;
    let leftover = revisions::check(&doc)?;
    agree::check(&doc, root, &pages)?;
    let base = Base::collect(&doc, root, &catalog, &pages, &form.fields, leftover)?;
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Ok(Inspected {
        pages: count(pages.len()),
        signatures: base.signatures,
        certified: base.standing == Standing::Certified,
        revisions: count(doc.sections().len()),
        length: bytes.len() as u64,
        base,
    })
}

/// The document's root object.
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
