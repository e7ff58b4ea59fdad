//! Objects that stand in the file but in no cross-reference: the place where shadow attacks keep the
//! content that is to appear after signing.

use std::ops::Range;

use super::{Hidden, Refused};
use crate::file::{Document, Entry};
use crate::syntax::{is_space, skip_space};

const OBJ_KEYWORD: &[u8] = b"obj";
/// Gaps between two listed offsets from which on it costs less to parse the stream at the first than to scan it.
const MIN_SKIPPED_BYTES: usize = 32 * 1024;
/// Bytes of an `N G obj` header that are searched for the keyword.
const MAX_HEADER_BYTES: usize = 24;
/// Bytes before the stream keyword that are searched: a stream with a larger dictionary is scanned instead.
const MAX_DICT_BYTES: usize = 4 * 1024;
/// Higher numbers come from the data of a stream and not from an object.
const MAX_OBJECT_NUMBER: u32 = 1 << 22;
/// Digits of a number.
const MAX_DIGITS: usize = 18;
/// A file with more candidates is refused.
const MAX_CANDIDATES: usize = 10_000;

/// Refuses a file that hides a second version of an object in use. Returns the highest number of an object, leftovers included,
/// but for those in the data of large streams: a new object of that number would give the leftover a second version.
pub(super) fn check(doc: &Document<'_>) -> Result<u32, Refused> {
    let shadow = |number| Refused::HiddenContent(Hidden::Shadow(number));
    check_stream_numbers(doc).map_err(shadow)?;
    unlisted(doc).map_err(shadow)
}

/// Finds a cross-reference stream with the number of another object in use: once an increment changes that object, pyHanko takes
/// the stream for replaced.
fn check_stream_numbers(doc: &Document<'_>) -> Result<(), u32> {
    for (age, section) in doc.sections().iter().enumerate() {
        let starts = section.spans.iter().map(|span| span.0);
        for (start, number) in starts.filter_map(|start| Some((start, number_at(doc.bytes(), start)?))) {
            let listed = section.entries.iter().find(|(listed, _)| *listed == number);
            // Only of the newest section is it sure that no later one uses the number anew.
            let entry = match listed {
                Some((_, entry)) => *entry,
                None if age == 0 => doc.entry(number),
                None => Entry::Free,
            };
            let is_anothers = match entry {
                Entry::Free => false,
                Entry::At { offset, .. } => offset != start,
                Entry::In { .. } => true,
            };
            if is_anothers {
                return Err(number);
            }
        }
    }
    Ok(())
}

/// The number of the object that begins at an offset; nothing for a cross-reference table.
fn number_at(src: &[u8], start: usize) -> Option<u32> {
    let digits = src.get(start..)?.iter().take(MAX_DIGITS);
    let digits: Vec<u8> = digits.take_while(|b| b.is_ascii_digit()).copied().collect();
    std::str::from_utf8(&digits).ok()?.parse().ok()
}

/// Finds an object in use of which there is a second version that no cross-reference lists under its number.
pub fn unlisted(doc: &Document<'_>) -> Result<u32, u32> {
    unlisted_beside(doc, MIN_SKIPPED_BYTES)
}

fn unlisted_beside(doc: &Document<'_>, large: usize) -> Result<u32, u32> {
    let src = doc.bytes();
    let mut listed = Listed::of(doc);
    let mut owner = Owner::default();
    let mut candidates = 0;
    let mut highest = 0;
    let parts = listed.parts(doc, large).into_iter();
    let words = parts.flat_map(|part| {
        let bytes = src.get(part.clone()).unwrap_or_default();
        memchr::memmem::find_iter(bytes, OBJ_KEYWORD).map(move |at| part.start + at)
    });
    for at in words {
        let Some((number, start)) = header(src, at) else {
            continue;
        };
        if listed.has(start, number) {
            // A cross-reference stream may have a number that no section lists, and readers know it by that.
            if number < MAX_OBJECT_NUMBER {
                highest = highest.max(number);
            }
            continue;
        }
        if doc.entry(number) == Entry::Free {
            if number < MAX_OBJECT_NUMBER {
                highest = highest.max(number);
            }
            continue;
        }
        candidates += 1;
        if candidates > MAX_CANDIDATES {
            return Err(number);
        }
        let known = listed.before(start).is_some_and(|offset| {
            let (begins, ends) = owner.at(doc, offset);
            if begins == start {
                listed.has(offset, number)
            } else {
                ends > start
            }
        });
        if !known {
            return Err(number);
        }
    }
    Ok(highest)
}

/// The offsets and numbers of all listed objects, and the offsets of cross-references, which need no number. Sorted,
/// not hashed: a file can choose offsets that collide.
struct Listed {
    objects: Vec<(usize, u32)>,
    sections: Vec<usize>,
    /// The index of the object that is likely to be asked for next: objects are found in the order of the file.
    next: usize,
}

impl Listed {
    fn of(doc: &Document<'_>) -> Self {
        let all = doc.sections().iter().flat_map(|section| &section.entries);
        let objects = all.filter_map(|(number, entry)| match entry {
            Entry::At { offset, .. } => Some((*offset, *number)),
            _ => None,
        });
        let mut objects: Vec<_> = objects
            .filter(|(offset, _)| *offset < doc.bytes().len())
            .collect();
        objects.sort_unstable();
        let spans = doc.sections().iter().flat_map(|section| &section.spans);
        let mut sections: Vec<_> = spans.map(|span| span.0).collect();
        sections.sort_unstable();
        Self {
            objects,
            sections,
            next: 0,
        }
    }

    /// Whether the object of this number is listed at an offset, or cross-references stand there.
    fn has(&mut self, offset: usize, number: u32) -> bool {
        let object = (offset, number);
        let found = if self.objects.get(self.next) == Some(&object) {
            Some(self.next)
        } else {
            self.objects.binary_search(&object).ok()
        };
        if let Some(at) = found {
            self.next = at + 1;
        }
        found.is_some() || self.sections.binary_search(&offset).is_ok()
    }

    /// The ranges of the document outside large streams: an object inside one is data of that stream.
    fn parts(&self, doc: &Document<'_>, large: usize) -> Vec<Range<usize>> {
        let len = doc.bytes().len();
        let mut places: Vec<usize> = self.objects.iter().map(|(offset, _)| *offset).collect();
        places.extend(&self.sections);
        places.push(len);
        places.sort_unstable();
        let (mut parts, mut from) = (Vec::new(), 0);
        for (offset, next) in places.iter().copied().zip(places.iter().copied().skip(1)) {
            if next - offset <= large {
                continue;
            }
            let Some(inside) = inside(doc.bytes(), offset) else {
                continue;
            };
            // A stream that cannot be parsed was charged up to the end of the file: the others are scanned.
            let Ok((_, end)) = doc.extent(offset) else {
                break;
            };
            parts.push(from..inside);
            from = end.min(next);
        }
        parts.push(from..len);
        parts
    }

    /// The last listed offset up to `start`.
    fn before(&self, start: usize) -> Option<usize> {
        let at = self.objects.partition_point(|(offset, _)| *offset <= start);
        let object = at.checked_sub(1).and_then(|at| self.objects.get(at));
        let at = self.sections.partition_point(|offset| *offset <= start);
        let section = at.checked_sub(1).and_then(|at| self.sections.get(at));
        object.map(|(offset, _)| *offset).max(section.copied())
    }
}

/// Where the inside of the stream at `offset` begins, if there is likely to be one. Its header must begin a line:
/// otherwise it could be part of a comment, inside a header that began before it.
fn inside(src: &[u8], offset: usize) -> Option<usize> {
    let (before, rest) = src.split_at_checked(offset)?;
    let begins_line = before.ends_with(b"\n") || before.ends_with(b"\r");
    let word = memchr::memmem::find(rest.get(..MAX_HEADER_BYTES)?, OBJ_KEYWORD)?;
    let (_, start) = header(src, offset + word)?;
    let streams = memchr::memmem::find(rest.get(word..MAX_DICT_BYTES)?, b"stream").is_some();
    (begins_line && start == offset && streams).then_some(offset + word + OBJ_KEYWORD.len())
}

/// The last object that was parsed: it may hold many candidates, and is parsed once.
#[derive(Default)]
struct Owner {
    found: Option<(usize, (usize, usize))>,
}

impl Owner {
    /// Where the object listed at `offset` begins and ends; an empty range if it cannot be parsed.
    fn at(&mut self, doc: &Document<'_>, offset: usize) -> (usize, usize) {
        if let Some((known, extent)) = self.found
            && known == offset
        {
            return extent;
        }
        let begins = skip_space(doc.bytes(), offset);
        let extent = (begins, doc.extent(offset).map_or(begins, |(_, end)| end));
        self.found = Some((offset, extent));
        extent
    }
}

/// The object number and start of the header whose keyword `obj` is at `at`, in any spelling that readers accept.
fn header(src: &[u8], at: usize) -> Option<(u32, usize)> {
    let generation = digits_before(src, blank_before(src, at)?)?;
    let end = blank_before(src, generation)?;
    let start = digits_before(src, end)?;
    let digits = src.get(start..end)?.iter();
    let number: u64 = digits.fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
    Some((u32::try_from(number).ok()?, start))
}

/// Where the number that ends at `end` begins.
fn digits_before(src: &[u8], end: usize) -> Option<usize> {
    let digits = src.get(..end)?.iter().rev().take(MAX_DIGITS + 1);
    let run = digits.take_while(|b| b.is_ascii_digit()).count();
    (1..=MAX_DIGITS).contains(&run).then(|| end - run)
}

/// Where the white space and comments before `end` begin; `None` where there are none.
fn blank_before(src: &[u8], end: usize) -> Option<usize> {
    let mut start = end;
    loop {
        let head = src.get(..start)?;
        let blank = head.iter().rev().take_while(|b| is_space(**b)).count();
        let (head, blank) = head.split_at(start - blank);
        start = head.len();
        if !blank.iter().any(|byte| matches!(byte, b'\r' | b'\n')) {
            break;
        }
        // The line before may be a comment.
        let line = memchr::memrchr2(b'\r', b'\n', head).map_or(0, |at| at + 1);
        match memchr::memchr(b'%', head.get(line..)?) {
            Some(at) => start = line + at,
            None => break,
        }
    }
    (start < end).then_some(start)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;
    use crate::limits::Limits;

    const PIECES: [&str; 21] = [
        "5 0 obj\n<<>>\nendobj\n",
        "6 0 obj",
        "7 0 obj ",
        "0 obj",
        "obj\n",
        "5 0 ",
        "6 0\n",
        "7",
        "1",
        " ",
        "\n",
        "\r",
        "%",
        "% 1\n",
        "% 5 0 obj\n",
        "5 0 %",
        "<<>>",
        "endobj\n",
        "stream\n",
        "\nendstream",
        "x",
    ];

    fn text() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(&PIECES[..]);
        prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
    }

    /// A stream between anything.
    fn stream() -> impl Strategy<Value = String> {
        (
            text(),
            5..8,
            prop::sample::select(&["\n", " ", "% 6 0 obj\n"][..]),
            text(),
        )
            .prop_map(|(before, number, apart, data)| {
                let len = data.len();
                format!("{before}{number} 0{apart}obj <</Length {len}>>stream\n{data}\nendstream\nendobj\n")
            })
    }

    /// A document of streams, and where objects 5 to 7 are listed: mostly at headers.
    fn document() -> impl Strategy<Value = Vec<u8>> {
        let listed = prop::collection::vec((any::<Index>(), any::<bool>()), 3);
        (prop::collection::vec(stream(), 1..4), text(), listed).prop_map(|(streams, end, listed)| {
            let padding = "x".repeat(MAX_DICT_BYTES);
            let body = format!("%PDF-1.7\n{}{end}\n%{padding}\n", streams.concat());
            let digits: Vec<usize> = body
                .match_indices(|c: char| c.is_ascii_digit())
                .map(|(at, _)| at)
                .collect();
            let headers: Vec<usize> = body.match_indices(" 0 obj").map(|(at, _)| at - 1).collect();
            let rows = (5..).zip(listed).map(|(number, (index, header))| {
                let places = if header && !headers.is_empty() {
                    &headers
                } else {
                    &digits
                };
                format!("{number} 1\n{:010} 00000 n\r\n", index.get(places))
            });
            let (rows, start) = (rows.collect::<String>(), body.len());
            format!("{body}xref\n{rows}trailer\n<</Size 8/Root 5 0 R>>\nstartxref\n{start}\n%%EOF\n").into()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn nothing_hides_in_what_is_passed_over(bytes in document()) {
            let refused = |large| {
                let doc = Document::open(&bytes, &Limits::default()).unwrap();
                unlisted_beside(&doc, large).is_err()
            };
            prop_assert_eq!(refused(0), refused(usize::MAX), "{}", String::from_utf8_lossy(&bytes));
        }
    }
}
