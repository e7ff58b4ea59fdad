//! Every byte after a signed revision must belong to an object that is listed, or to the cross-references.

use super::reason::Change;
use super::references::Memory;
use crate::file::{Document, Entry, Section};

/// Looks at what lies between the objects that were added.
pub(super) fn check(
    from: usize,
    doc: &Document<'_>,
    sections: &[Section<'_>],
    memory: &Memory,
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
    let listed = sections
        .iter()
        .flat_map(|section| &section.entries)
        .filter_map(|(_, entry)| match entry {
            Entry::At { offset, .. } => Some(*offset),
            _ => None,
        });
    for offset in listed {
        spans.push((offset, memory.end(doc, offset)?));
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

/// White space and comments are harmless, and so is the line that ends a revision, which is told apart.
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
