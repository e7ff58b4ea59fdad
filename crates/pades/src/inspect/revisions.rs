//! Objects that stand in the file but in no cross-reference: the place where shadow attacks keep the
//! content that is to appear after signing.

use super::{Hidden, Refused};
use crate::file::{Document, Entry};
use crate::syntax::{is_space, skip_space};

/// Numbers beyond this are not an object's but come from the data of a stream.
const HIGHEST: u32 = 1 << 22;
/// More candidates than this are not looked into.
const MOST: usize = 10_000;

/// Refuses a file that hides a second version of an object that is in use. Says how high the numbers of
/// leftover objects go: a new object of the same number would give them a second version.
pub(super) fn check(doc: &Document<'_>) -> Result<u32, Refused> {
    unlisted(doc).map_err(|number| Refused::HiddenContent(Hidden::Shadow(number)))
}

/// Finds an object in use that has a second version which no cross-reference lists.
pub(crate) fn unlisted(doc: &Document<'_>) -> Result<u32, u32> {
    let src = doc.bytes();
    let all = doc.sections().iter().flat_map(|section| &section.entries);
    let objects = all.filter_map(|(_, entry)| match entry {
        Entry::At { offset, .. } => Some(*offset),
        _ => None,
    });
    let spans = doc.sections().iter().flat_map(|section| &section.spans);
    // In order, not hashed: a file can choose its offsets so that they would collide.
    let mut listed: Vec<usize> = objects.chain(spans.map(|span| span.0)).collect();
    listed.retain(|offset| *offset < src.len());
    listed.sort_unstable();
    let mut owner = Owner::default();
    let mut candidates = 0;
    let mut highest = 0;
    for at in memchr::memmem::find_iter(src, b" obj") {
        let Some((number, start)) = header(src, at) else {
            continue;
        };
        if listed.binary_search(&start).is_ok() {
            continue;
        }
        if doc.entry(number) == Entry::Free {
            if number < HIGHEST {
                highest = highest.max(number);
            }
            continue;
        }
        candidates += 1;
        if candidates > MOST {
            return Err(number);
        }
        let before = listed.partition_point(|offset| *offset <= start).checked_sub(1);
        let inside = before.and_then(|at| listed.get(at)).is_some_and(|offset| {
            let (begins, ends) = owner.at(doc, *offset);
            begins == start || ends > start
        });
        if !inside {
            return Err(number);
        }
    }
    Ok(highest)
}

/// The object that was looked at last: it may hold many candidates, and is read once.
#[derive(Default)]
struct Owner {
    found: Option<(usize, (usize, usize))>,
}

impl Owner {
    /// Where the object that is listed at `offset` begins and ends; at once, if it cannot be read.
    fn at(&mut self, doc: &Document<'_>, offset: usize) -> (usize, usize) {
        if let Some((known, extent)) = self.found
            && known == offset
        {
            return extent;
        }
        let begins = skip_space(doc.bytes(), offset);
        let extent = (begins, doc.extent(offset).unwrap_or(begins));
        self.found = Some((offset, extent));
        extent
    }
}

/// The object number and start of the header whose keyword `obj` follows the space at `at`.
fn header(src: &[u8], at: usize) -> Option<(u32, usize)> {
    let digits_before = |end: usize| {
        let run = src
            .get(..end)?
            .iter()
            .rev()
            .take(11)
            .take_while(|b| b.is_ascii_digit())
            .count();
        (run > 0 && run < 11).then(|| end - run)
    };
    let generation = digits_before(at)?;
    let gap = generation.checked_sub(1)?;
    if !is_space(*src.get(gap)?) {
        return None;
    }
    let start = digits_before(gap)?;
    let digits = std::str::from_utf8(src.get(start..gap)?).ok()?;
    Some((digits.parse().ok()?, start))
}
