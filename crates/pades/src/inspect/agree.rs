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
    if is_tangled(doc) {
        return Err(Refused::TooComplex(Damage::TooComplex));
    }
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

/// What is understood of most documents is less, and is read however often it may be.
const LITTLE: usize = 128 * 1024;
/// Bytes that may be read in vain.
const IN_VAIN: usize = 1 << 31;

/// Whether the second reader might take hours. Where it does not find its way by the cross-references it looks for objects
/// everywhere, in texts and comments too, and reads on from each to its end.
fn is_tangled(doc: &Document<'_>) -> bool {
    let touched = doc.touched();
    let all: usize = touched.iter().map(|(from, to)| to - from).sum();
    if all <= LITTLE {
        return false;
    }
    let parts = touched
        .iter()
        .filter_map(|(from, to)| doc.bytes().get(*from..*to));
    let decoys: usize = parts.map(decoys).sum();
    decoys.saturating_mul(all) > IN_VAIN
}

/// Beginnings of objects and dictionaries in texts and comments.
fn decoys(part: &[u8]) -> usize {
    let (mut open, mut comment, mut decoys) = (0usize, false, 0);
    let mut at = 0;
    while let Some(&byte) = part.get(at) {
        match byte {
            b'\n' | b'\r' => comment = false,
            b'\\' if open > 0 => at += 1,
            b'(' if !comment => open += 1,
            b')' if !comment => open = open.saturating_sub(1),
            b'%' if open == 0 => comment = true,
            b'<' | b'o' if open > 0 || comment => {
                let (before, rest) = part.split_at(at);
                let numbered = || before.trim_ascii_end().last().is_some_and(u8::is_ascii_digit);
                decoys += usize::from(rest.starts_with(b"<<") || rest.starts_with(b"obj") && numbered());
            }
            _ => {}
        }
        at += 1;
    }
    decoys
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_passes_for_an_object_is_a_decoy() {
        assert_eq!(decoys(b"<</Title(El objeto y 3 objetivos)/A<</B 1>>>>"), 1);
        assert_eq!(decoys(b"(1 0 obj 2 0\nobj << (<<)) 3 0 obj << >>"), 4);
        assert_eq!(decoys(b"% 1 0 obj\n2 0 obj <<>> % <<"), 2);
        assert_eq!(decoys(b"(\\) << ) << (\\( << \\))"), 2);
    }
}
