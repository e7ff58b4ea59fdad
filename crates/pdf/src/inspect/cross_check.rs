//! The second reader. It is shown only the bytes our own reader has understood, so it can neither be led
//! elsewhere nor made to work on bytes that nobody has bounded; what it then sees must be the same document.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hayro_syntax::{Pdf, PdfData};
use memmap2::{Advice, MmapMut};

use super::Refused;
use super::pages::Page;
use crate::damage::Damage;
use crate::file::Document;
use crate::syntax::{Ref, Value};

/// Refuses a file that the second reader understands differently.
pub(super) fn check(doc: &Document<'_>, root: Ref, pages: &[Page]) -> Result<(), Refused> {
    // The second reader always looks at the document's information, so it must have been read as well.
    if let Some(info) = doc.trailer()?.get("Info").and_then(Value::as_ref) {
        doc.get(info)?;
    }
    doc.on_time()?;
    if may_scan_quadratically(doc) {
        return Err(Refused::TooComplex(Damage::TooComplex));
    }
    let agrees = show(&KEPT, doc, |shown| {
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
const MIN_CHECKED_BYTES: usize = 128 * 1024;
/// Bytes that may be read in vain.
const MAX_RESCANNED_BYTES: usize = 1 << 31;

/// Whether the second reader might take hours. Where it does not find its way by the cross-references it looks for objects
/// everywhere, in texts and comments too, and reads on from each to its end.
fn may_scan_quadratically(doc: &Document<'_>) -> bool {
    let touched = doc.touched();
    let all: usize = touched.iter().map(|(from, to)| to - from).sum();
    if all <= MIN_CHECKED_BYTES {
        return false;
    }
    let parts = touched
        .iter()
        .filter_map(|(from, to)| doc.bytes().get(*from..*to));
    let lookalikes: usize = parts.map(object_lookalikes).sum();
    lookalikes.saturating_mul(all) > MAX_RESCANNED_BYTES
}

/// Beginnings of objects and dictionaries in texts and comments.
fn object_lookalikes(part: &[u8]) -> usize {
    let (mut open, mut comment, mut lookalikes) = (0usize, false, 0);
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
                lookalikes += usize::from(rest.starts_with(b"<<") || rest.starts_with(b"obj") && numbered());
            }
            _ => {}
        }
        at += 1;
    }
    lookalikes
}

/// What a room that is kept has: documents that are larger get one of their own.
const ROOM: usize = 16 * 1024 * 1024;
/// The most rooms that are kept.
const ROOMS: usize = 8;
/// Pages of memory that a room may have come to take and still be kept.
const WORN: usize = 256;
const PAGE: usize = 4096;

/// Rooms for the next documents.
static KEPT: Rooms = Rooms(Mutex::new(Vec::new()));

struct Rooms(Mutex<Vec<Room>>);

/// Zeros, of which those that nobody wrote to cost nothing: an allocator would write zeros into all of them, and keep them.
/// To let them go costs more than to write zeros over the little that was shown.
struct Room {
    zeros: MmapMut,
    /// Which of its pages were written to.
    worn: Vec<bool>,
}

impl Rooms {
    /// Room for so many bytes, if the system has it.
    fn take(&self, len: usize) -> Option<Room> {
        if len > ROOM {
            return Room::new(len);
        }
        self.kept().pop().or_else(|| Room::new(ROOM))
    }

    /// Keeps a room, without what was shown of the document, for the next one.
    fn give_back(&self, mut room: Room, doc: &Document<'_>) {
        if room.zeros.len() != ROOM {
            return;
        }
        for part in parts(doc) {
            let pages = part.start / PAGE..part.end.div_ceil(PAGE);
            room.worn.get_mut(pages).unwrap_or_default().fill(true);
            room.zeros.get_mut(part).unwrap_or_default().fill(0);
        }
        let mut kept = self.kept();
        if room.worn() <= WORN && kept.len() < ROOMS {
            kept.push(room);
        }
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Room>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Room {
    fn new(len: usize) -> Option<Self> {
        let zeros = MmapMut::map_anon(len).ok()?;
        // A system that knows no large pages gives none.
        let _ = zeros.advise(Advice::NoHugePage);
        let worn = vec![false; len.div_ceil(PAGE)];
        Some(Self { zeros, worn })
    }

    fn worn(&self) -> usize {
        self.worn.iter().filter(|worn| **worn).count()
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
fn show<T>(rooms: &Rooms, doc: &Document<'_>, look: impl FnOnce(PdfData) -> T) -> T {
    let len = doc.bytes().len();
    let Some(mut room) = rooms.take(len) else {
        let mut shown = vec![0; len];
        fill(doc, &mut shown);
        return look(shown.into());
    };
    fill(doc, &mut room.zeros);
    let shown = Arc::new(Shown { room, len });
    let seen = look(Arc::clone(&shown).into());
    if let Some(Shown { room, .. }) = Arc::into_inner(shown) {
        rooms.give_back(room, doc);
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
    use crate::limits::Limits;

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

    /// Shows documents of these lengths, one after the other, and says what is kept after each: how many rooms, and how
    /// many pages the one took that is used next.
    fn kept_after(rooms: &Rooms, lengths: impl IntoIterator<Item = usize>) -> Vec<(usize, usize)> {
        let zeros = vec![0; ROOM];
        let show = |around| {
            let bytes = document(around);
            let doc = Document::open(&bytes, &Limits::default()).unwrap();
            assert!(doc.get(ROOT).unwrap().is_some());
            let mut among_zeros = vec![0; bytes.len()];
            fill(&doc, &mut among_zeros);
            assert!(among_zeros.ends_with(b"%%EOF\n") && among_zeros[2_000..2_900] == [0; 900]);
            show(rooms, &doc, |shown| assert!(shown.as_ref() == among_zeros));
            let kept = rooms.kept();
            for room in kept.iter() {
                assert!(room.zeros[..] == zeros);
            }
            (kept.len(), kept.last().map_or(0, Room::worn))
        };
        lengths.into_iter().map(show).collect()
    }

    #[test]
    fn nothing_of_a_document_is_shown_with_the_next() {
        let rooms = Rooms(Mutex::default());
        let kept = kept_after(&rooms, [5_000, 3_000, 9_000_000, 600_000]);
        assert_eq!(kept, [(1, 3), (1, 3), (1, 3), (1, 6)]);
    }

    #[test]
    fn a_room_that_has_come_to_take_much_is_let_go() {
        let rooms = Rooms(Mutex::default());
        let kept = kept_after(&rooms, (0..130).map(|place| 2_000_000 + place * 2 * PAGE));
        assert!(
            kept.contains(&(1, WORN - 1)) && kept.contains(&(0, 0)),
            "{kept:?}"
        );
    }

    #[test]
    fn only_what_passes_for_an_object_is_a_decoy() {
        assert_eq!(
            object_lookalikes(b"<</Title(El objeto y 3 objetivos)/A<</B 1>>>>"),
            1
        );
        assert_eq!(object_lookalikes(b"(1 0 obj 2 0\nobj << (<<)) 3 0 obj << >>"), 4);
        assert_eq!(object_lookalikes(b"% 1 0 obj\n2 0 obj <<>> % <<"), 2);
        assert_eq!(object_lookalikes(b"(\\) << ) << (\\( << \\))"), 2);
    }
}
