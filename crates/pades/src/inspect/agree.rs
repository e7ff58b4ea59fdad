//! The second reader. It is shown only the bytes our own reader has understood, so it can neither be led
//! elsewhere nor made to work on bytes that nobody has bounded; what it then sees must be the same document.

use std::cell::Cell;
use std::ops::Range;
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
    let agrees = show(doc, |shown| {
        Pdf::new(shown).is_ok_and(|pdf| {
            let same_root = pdf.xref().root_id().obj_number == root.number;
            same_root && pdf.pages().len() == pages.len()
        })
    });
    if agrees {
        Ok(())
    } else {
        Err(Refused::Damaged(Damage::ReadersDisagree))
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

/// The most bytes of a small document: as many zeros are kept by each thread.
const SMALL: usize = 128 * 1024;

thread_local! {
    /// Zeros for the next small document of this thread.
    static ZEROS: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// What is shown of a small document, in a room that is larger.
struct Shown {
    room: Vec<u8>,
    len: usize,
}

impl AsRef<[u8]> for Shown {
    fn as_ref(&self) -> &[u8] {
        self.room.get(..self.len).unwrap_or_default()
    }
}

/// Shows what was understood of the document, and zeros elsewhere. Of pages of its own, those that stay empty cost
/// nothing, however large the document is; an allocator would write zeros into all of them, and keep them. A small one
/// is shown among zeros that are there already, and leaves them behind for the next.
fn show<T>(doc: &Document<'_>, look: impl FnOnce(PdfData) -> T) -> T {
    let len = doc.bytes().len();
    if len > SMALL {
        return look(match MmapMut::map_anon(len) {
            Ok(pages) => Arc::new(filled(doc, pages)).into(),
            Err(_) => filled(doc, vec![0; len]).into(),
        });
    }
    let mut room = ZEROS.take();
    room.resize(SMALL, 0);
    let room = filled(doc, room);
    let shown = Arc::new(Shown { room, len });
    let seen = look(Arc::clone(&shown).into());
    if let Some(Shown { mut room, .. }) = Arc::into_inner(shown) {
        for part in parts(doc) {
            room.get_mut(part).unwrap_or_default().fill(0);
        }
        ZEROS.set(room);
    }
    seen
}

/// The parts of a document that were understood.
fn parts(doc: &Document<'_>) -> impl Iterator<Item = Range<usize>> {
    let head = 0..doc.bytes().len().min(1024);
    std::iter::once(head).chain(doc.touched().into_iter().map(|(from, to)| from..to))
}

fn filled<B: AsMut<[u8]>>(doc: &Document<'_>, mut shown: B) -> B {
    for part in parts(doc) {
        if let (Some(target), Some(source)) = (shown.as_mut().get_mut(part.clone()), doc.bytes().get(part)) {
            target.copy_from_slice(source);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::Limits;

    /// A document with one object, after so many bytes of a comment and before as many.
    fn document(around: usize) -> Vec<u8> {
        let comment = "x".repeat(around);
        let head = format!("%PDF-1.7\n%{comment}\n");
        let body = format!("{head}1 0 obj\n<</Type/Catalog>>\nendobj\n%{comment}\n");
        let (at, start) = (head.len(), body.len());
        let rows = format!("0000000000 65535 f \n{at:010} 00000 n \n");
        format!("{body}xref\n0 2\n{rows}trailer\n<</Size 2/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n").into()
    }

    #[test]
    fn nothing_of_a_document_is_shown_with_the_next() {
        let root = Ref {
            number: 1,
            generation: 0,
        };
        for around in [5_000, 3_000, 9_000] {
            let bytes = document(around);
            let doc = Document::open(&bytes, &Limits::default()).unwrap();
            assert!(doc.get(root).unwrap().is_some());
            let among_zeros = filled(&doc, vec![0; bytes.len()]);
            assert!(among_zeros.ends_with(b"%%EOF\n") && among_zeros[2_000..2_900] == [0; 900]);
            show(&doc, |shown| assert!(shown.as_ref() == among_zeros));
        }
        let kept = ZEROS.take();
        assert!(kept.len() == SMALL && kept.iter().all(|byte| *byte == 0));
    }

    #[test]
    fn only_what_passes_for_an_object_is_a_decoy() {
        assert_eq!(decoys(b"<</Title(El objeto y 3 objetivos)/A<</B 1>>>>"), 1);
        assert_eq!(decoys(b"(1 0 obj 2 0\nobj << (<<)) 3 0 obj << >>"), 4);
        assert_eq!(decoys(b"% 1 0 obj\n2 0 obj <<>> % <<"), 2);
        assert_eq!(decoys(b"(\\) << ) << (\\( << \\))"), 2);
    }
}
