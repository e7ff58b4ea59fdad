//! Sound copies of documents that are refused as they are: for a broken structure, for actions and scripts, or for what
//! no page shows. A copy has every object that its catalog leads to, once, and nothing else.

mod flatten;
mod write;

use crate::damage::Damage;
use crate::file::Document;
use crate::inspect::{Forbidden, Hidden, Refused, catalog, unlisted};
use crate::limits::Limits;

/// A copy may be this many times as large as the document, and a little more: what was compressed together stands alone
/// in it.
const MAX_GROWTH: usize = 8;
const MAX_GROWTH_BYTES: usize = 64 << 10;

/// Copies of a document that was refused for this reason, the best first. Each must be inspected like any other
/// document. There are none of a document that is signed, or that its author does not want changed.
pub fn copies<'b>(
    bytes: &'b [u8],
    refused: &Refused,
    limits: &'b Limits,
) -> impl Iterator<Item = Vec<u8>> + use<'b> {
    let keep_form = !matches!(
        refused,
        Refused::Unverifiable | Refused::Damaged(Damage::FieldTree | Damage::Entry("Fields" | "AcroForm"))
    );
    let ways = ways(refused).iter();
    ways.filter_map(move |open| copy(&open(bytes, limits).ok()?, keep_form, limits).ok())
}

type Open = for<'b> fn(&'b [u8], &Limits) -> Result<Document<'b>, Damage>;

/// The ways to read a document of which a copy can be without what it was refused for.
fn ways(refused: &Refused) -> &'static [Open] {
    match refused {
        // Its end is missing, and with it perhaps what changed last.
        Refused::Damaged(Damage::NoEnd) => &[],
        Refused::Damaged(_) => &[sound, recovered],
        Refused::Forbidden(
            Forbidden::JavaScript | Forbidden::Launch | Forbidden::Submit | Forbidden::Xfa,
        )
        | Refused::HiddenContent(Hidden::Layers | Hidden::Shadow(_) | Hidden::Action)
        | Refused::Unverifiable => &[sound],
        _ => &[],
    }
}

/// Opens a document by its cross-references, unless it has second versions that they do not list: readers that search
/// for objects would have shown those.
fn sound<'b>(bytes: &'b [u8], limits: &Limits) -> Result<Document<'b>, Damage> {
    let doc = Document::open(bytes, limits)?;
    match unlisted(&doc) {
        Ok(_) => Ok(doc),
        Err(number) => Err(Damage::Misplaced(number)),
    }
}

fn recovered<'b>(bytes: &'b [u8], limits: &Limits) -> Result<Document<'b>, Damage> {
    Document::recover(bytes, limits)
}

fn copy(doc: &Document<'_>, keep_form: bool, limits: &Limits) -> Result<Vec<u8>, Refused> {
    if doc.encryption().is_some_and(|encryption| !encryption.may_sign()) {
        return Err(Refused::Restricted);
    }
    let (root, catalog) = catalog(doc)?;
    let flatten = flatten::Flatten::new(doc, &catalog, root, keep_form)?;
    let length = doc.bytes().len();
    let max = length.saturating_mul(MAX_GROWTH).saturating_add(MAX_GROWTH_BYTES);
    write::write(doc, root, &flatten, max.min(limits.bytes))
}
