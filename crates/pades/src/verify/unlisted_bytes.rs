//! Every byte after a signed revision must belong to an object that is listed under its own number, or to the
//! cross-references. Readers that do not find an object by its number search all bytes for it.

use pdf::Damage;
use pdf::file::{Document, Entry, Section};
use pdf::syntax::Ref;

use super::reason::Change;
use super::references::RevisionCache;

/// Checks the objects that were added, and the bytes between them.
pub(super) fn check(
    from: usize,
    doc: &Document<'_>,
    sections: &[Section<'_>],
    cache: &RevisionCache,
) -> Result<(), Change> {
    if sections.is_empty() {
        let tail = doc.bytes().get(from..).unwrap_or_default();
        let blank = tail.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0);
        return if blank { Ok(()) } else { Err(Change::LooseBytes) };
    }
    let mut spans: Vec<(usize, usize)> = sections
        .iter()
        .flat_map(|section| section.spans.clone())
        .collect();
    let packed = packed(doc, sections)?;
    for (number, entry) in sections.iter().flat_map(|section| &section.entries) {
        let Entry::At { offset, generation } = *entry else {
            continue;
        };
        let (id, end) = cache.end(doc, offset)?;
        spans.push((offset, end));
        if offset < from {
            continue;
        }
        let number = *number;
        if id != (Ref { number, generation }) {
            return Err(Damage::Misplaced(number).into());
        }
        for (index, member) in (0..).zip(cache.members(doc, offset)?.iter()) {
            if packed.binary_search(&(number, index, *member)).is_err() {
                return Err(Change::Hidden(*member));
            }
        }
    }
    for (stream, index, number) in packed {
        let Entry::At { offset, .. } = doc.entry(stream) else {
            continue;
        };
        if offset < from || doc.entry(number) != (Entry::In { stream, index }) {
            continue;
        }
        let members = cache.members(doc, offset)?;
        let slot = usize::try_from(index).ok().and_then(|index| members.get(index));
        if slot != Some(&number) {
            return Err(Damage::Misplaced(number).into());
        }
    }
    spans.sort_unstable();
    let mut end = from;
    let mut ends = 0;
    for (start, stop) in spans.into_iter().chain([(doc.bytes().len(), doc.bytes().len())]) {
        let gap = doc.bytes().get(end..start).unwrap_or_default();
        ends += usize::from(!harmless(gap)?);
        end = end.max(stop);
    }
    // Each section is followed by one line that says where it starts.
    if ends <= sections.len() {
        Ok(())
    } else {
        Err(Change::LooseBytes)
    }
}

/// The listed members of object streams: stream, index and number, sorted.
fn packed(doc: &Document<'_>, sections: &[Section<'_>]) -> Result<Vec<(u32, u32, u32)>, Damage> {
    let entries = sections.iter().flat_map(|section| &section.entries);
    let inside = entries.filter_map(|(number, entry)| match entry {
        Entry::In { stream, index } => Some((*stream, *index, *number)),
        _ => None,
    });
    let mut inside: Vec<_> = inside.collect();
    doc.charge_bytes(inside.len().saturating_mul(8))?;
    inside.sort_unstable();
    Ok(inside)
}

/// Whether a gap is white space and comments (`true`) or the line that ends a revision (`false`).
fn harmless(gap: &[u8]) -> Result<bool, Change> {
    let lines = gap.split(|byte| matches!(byte, b'\r' | b'\n'));
    let code = lines.map(|line| line.split(|byte| *byte == b'%').next().unwrap_or_default());
    let words: Vec<&[u8]> = code
        .flat_map(|line| line.split(|byte| byte.is_ascii_whitespace() || *byte == 0))
        .filter(|word| !word.is_empty())
        .take(3)
        .collect();
    match words.as_slice() {
        [] => Ok(true),
        [b"startxref", number] if number.iter().all(u8::is_ascii_digit) => Ok(false),
        _ => Err(Change::LooseBytes),
    }
}
