//! The second reader. It is shown only the bytes our own reader has understood, so it can neither be led
//! elsewhere nor made to work on bytes that nobody has bounded; what it then sees must be the same document.

use std::cell::Cell;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use hayro_syntax::{Pdf, PdfData};
use memmap2::{Advice, MmapMut};

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

/// What a room has at the least, and at the most to be kept.
const KEPT: RangeInclusive<usize> = 128 * 1024..=16 * 1024 * 1024;
/// Pages of memory that a room may have come to take and still be kept.
const WORN: usize = 256;
const PAGE: usize = 4096;

thread_local! {
    /// The room for the next document of this thread.
    static ROOM: Cell<Option<Room>> = const { Cell::new(None) };
}

/// Zeros, of which those that nobody wrote to cost nothing: an allocator would write zeros into all of them, and keep them.
/// To let them go costs more than to write zeros over the little that was shown.
struct Room {
    zeros: MmapMut,
    /// Which of its pages were written to.
    worn: Vec<bool>,
}

impl Room {
    /// Room for so many bytes: the last one of this thread, or a new one, if the system has it.
    fn of(len: usize) -> Option<Self> {
        let kept = ROOM.take().filter(|room| room.zeros.len() >= len);
        kept.or_else(|| {
            let len = len.max(*KEPT.start()).next_multiple_of(*KEPT.start());
            let zeros = MmapMut::map_anon(len).ok()?;
            // A system that knows no large pages gives none.
            let _ = zeros.advise(Advice::NoHugePage);
            let worn = vec![false; len / PAGE];
            Some(Self { zeros, worn })
        })
    }

    /// Keeps the room, without what was shown of the document, for the next one.
    fn keep(mut self, doc: &Document<'_>) {
        for part in parts(doc) {
            let last = part.end.div_ceil(PAGE).min(self.worn.len());
            self.worn
                .get_mut(part.start / PAGE..last)
                .unwrap_or_default()
                .fill(true);
            self.zeros.get_mut(part).unwrap_or_default().fill(0);
        }
        let worn = self.worn.iter().filter(|worn| **worn).count();
        if KEPT.contains(&self.zeros.len()) && worn <= WORN {
            ROOM.set(Some(self));
        }
    }
}

/// What is shown of a document, in a room that may be larger.
struct Shown {
    room: Room,
    len: usize,
}

impl AsRef<[u8]> for Shown {
    fn as_ref(&self) -> &[u8] {
        self.room.zeros.get(..self.len).unwrap_or_default()
    }
}

/// Shows what was understood of the document, and zeros elsewhere.
fn show<T>(doc: &Document<'_>, look: impl FnOnce(PdfData) -> T) -> T {
    let len = doc.bytes().len();
    let Some(mut room) = Room::of(len) else {
        let mut shown = vec![0; len];
        fill(doc, &mut shown);
        return look(shown.into());
    };
    fill(doc, &mut room.zeros);
    let shown = Arc::new(Shown { room, len });
    let seen = look(Arc::clone(&shown).into());
    if let Some(Shown { room, .. }) = Arc::into_inner(shown) {
        room.keep(doc);
    }
    seen
}

/// The parts of a document that were understood.
fn parts(doc: &Document<'_>) -> impl Iterator<Item = Range<usize>> {
    let head = 0..doc.bytes().len().min(1024);
    std::iter::once(head).chain(doc.touched().into_iter().map(|(from, to)| from..to))
}

fn fill(doc: &Document<'_>, zeros: &mut [u8]) {
    for part in parts(doc) {
        if let (Some(target), Some(source)) = (zeros.get_mut(part.clone()), doc.bytes().get(part)) {
            target.copy_from_slice(source);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::Limits;

    const ROOT: Ref = Ref {
        number: 1,
        generation: 0,
    };

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
        let len_of_room = || {
            let room = ROOM.take();
            let len = room.as_ref().map(|room| room.zeros.len());
            assert!(room.iter().all(|room| room.zeros.iter().all(|byte| *byte == 0)));
            ROOM.set(room);
            len
        };
        let kept = [
            (5_000, Some(128 << 10)),
            (3_000, Some(128 << 10)),
            (600_000, Some(1_280 << 10)),
            (9_000, Some(1_280 << 10)),
            (9_000_000, None),
        ];
        for (around, room) in kept {
            let bytes = document(around);
            let doc = Document::open(&bytes, &Limits::default()).unwrap();
            assert!(doc.get(ROOT).unwrap().is_some());
            let mut among_zeros = vec![0; bytes.len()];
            fill(&doc, &mut among_zeros);
            assert!(among_zeros.ends_with(b"%%EOF\n") && among_zeros[2_000..2_900] == [0; 900]);
            show(&doc, |shown| assert!(shown.as_ref() == among_zeros));
            assert_eq!(len_of_room(), room, "{around}");
        }
    }

    #[test]
    fn a_room_that_has_come_to_take_much_is_let_go() {
        ROOM.set(None);
        let lengths = (0..130).rev().map(|place| 2_000_000 + place * 2 * PAGE);
        let taken = lengths.map(|around| {
            let bytes = document(around);
            let doc = Document::open(&bytes, &Limits::default()).unwrap();
            assert!(doc.get(ROOT).unwrap().is_some());
            show(&doc, |_| ());
            let room = ROOM.take();
            let worn = room
                .as_ref()
                .map(|room| room.worn.iter().filter(|worn| **worn).count());
            ROOM.set(room);
            worn
        });
        let taken: Vec<_> = taken.collect();
        assert!(
            taken.contains(&None) && taken.contains(&Some(WORN - 1)),
            "{taken:?}"
        );
    }

    #[test]
    fn only_what_passes_for_an_object_is_a_decoy() {
        assert_eq!(decoys(b"<</Title(El objeto y 3 objetivos)/A<</B 1>>>>"), 1);
        assert_eq!(decoys(b"(1 0 obj 2 0\nobj << (<<)) 3 0 obj << >>"), 4);
        assert_eq!(decoys(b"% 1 0 obj\n2 0 obj <<>> % <<"), 2);
        assert_eq!(decoys(b"(\\) << ) << (\\( << \\))"), 2);
    }
}
