//! The second reader. It is shown only the bytes our own reader has understood, so it can neither be led
//! elsewhere nor made to work on bytes that nobody has bounded; what it then sees must be the same document.

use std::sync::Arc;

use hayro_syntax::{Pdf, PdfData};
use memmap2::MmapMut;

use super::Refused;
use super::pages::Page;
use crate::file::{Damage, Document};
use crate::syntax::{Ref, Value};

/// Refuses a file that the second reader understands differently.
pub(super) fn check(doc: &Document<'_>, root: Ref, pages: &[Page]) -> Result<(), Refused> {
    // The second reader always looks at the document's information, so it must have been read as well.
    if let Some(info) = doc.trailer()?.get("Info").and_then(Value::as_ref) {
        doc.get(info)?;
    }
    doc.on_time()?;
    let disagree = Refused::Damaged(Damage::ReadersDisagree);
    let pdf = Pdf::new(shown(doc)).map_err(|_| disagree)?;
    let id = pdf.xref().root_id();
    let same_root = id.obj_number == root.number;
    if same_root && pdf.pages().len() == pages.len() {
        Ok(())
    } else {
        Err(disagree)
    }
}

/// Bytes of a document above which zeros are dearer than pages of its own.
const LARGE: usize = 128 * 1024;

/// What was understood of the document, and zeros elsewhere. Of pages of its own, those that stay empty cost
/// nothing, however large the document is; an allocator would write zeros into all of them, and keep them.
fn shown(doc: &Document<'_>) -> PdfData {
    let len = doc.bytes().len();
    if len < LARGE {
        return filled(doc, vec![0; len]).into();
    }
    match MmapMut::map_anon(len) {
        Ok(pages) => Arc::new(filled(doc, pages)).into(),
        Err(_) => filled(doc, vec![0; len]).into(),
    }
}

fn filled<B: AsMut<[u8]>>(doc: &Document<'_>, mut shown: B) -> B {
    let src = doc.bytes();
    let mut show = |from: usize, to: usize| {
        if let (Some(target), Some(source)) = (shown.as_mut().get_mut(from..to), src.get(from..to)) {
            target.copy_from_slice(source);
        }
    };
    show(0, src.len().min(1024));
    for (from, to) in doc.touched() {
        show(from, to);
    }
    shown
}
