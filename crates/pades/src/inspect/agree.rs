//! The second reader. It is shown only the bytes our own reader has understood, so it can neither be led
//! elsewhere nor made to work on bytes that nobody has bounded; what it then sees must be the same document.

use hayro_syntax::Pdf;

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
    let src = doc.bytes();
    let mut shown = vec![0u8; src.len()];
    let mut show = |from: usize, to: usize| {
        if let (Some(target), Some(source)) = (shown.get_mut(from..to), src.get(from..to)) {
            target.copy_from_slice(source);
        }
    };
    show(0, src.len().min(1024));
    for (from, to) in doc.touched() {
        show(from, to);
    }
    let disagree = Refused::Damaged(Damage::ReadersDisagree);
    let pdf = Pdf::new(shown).map_err(|_| disagree)?;
    let id = pdf.xref().root_id();
    let same_root = id.obj_number == root.number;
    if same_root && pdf.pages().len() == pages.len() {
        Ok(())
    } else {
        Err(disagree)
    }
}
