//! The bytes that a signature covers: one whole revision without the signature's own digits.

use pdf::file::{Document, Entry};
use pdf::syntax::{Dict, Kind, Ref, Value};

use super::reason::{Malformed, Reason};

/// The covered bytes, and the signature itself.
#[derive(Debug, Clone)]
pub(super) struct Covered {
    /// Where its own digits begin, angle bracket included.
    pub(super) gap: usize,
    /// Where they end.
    pub(super) resume: usize,
    /// Where the covered revision ends.
    pub(super) end: usize,
    /// The signature, decoded.
    pub(super) contents: Vec<u8>,
}

/// The offset of a part of the file.
fn place(src: &[u8], part: &[u8]) -> Option<usize> {
    let at = part.as_ptr().addr().checked_sub(src.as_ptr().addr())?;
    (at.checked_add(part.len())? <= src.len()).then_some(at)
}

/// Reads the byte range of a signature, and accepts only an exact one.
pub(super) fn covered(doc: &Document<'_>, id: Ref, dict: &Dict<'_>) -> Result<Covered, Reason> {
    let src = doc.bytes();
    let Entry::At { offset, .. } = doc.entry(id.number) else {
        return Err(Reason::Malformed(Malformed::Compressed));
    };
    let range = dict
        .get("ByteRange")
        .and_then(Value::as_array)
        .ok_or(Reason::Malformed(Malformed::ByteRange))?;
    let numbers: Option<Vec<usize>> = range
        .iter()
        .map(|item| usize::try_from(item.as_int()?).ok())
        .collect();
    let Some(&[0, gap, resume, rest]) = numbers.as_deref() else {
        return Err(Reason::Malformed(Malformed::ByteRange));
    };
    let end = resume
        .checked_add(rest)
        .filter(|end| *end <= src.len())
        .ok_or(Reason::ByteRange)?;
    let contents = dict
        .get("Contents")
        .ok_or(Reason::Malformed(Malformed::Contents))?;
    let Kind::Hex(digits) = contents.kind else {
        return Err(Reason::Malformed(Malformed::Contents));
    };
    // Only the digits and their brackets are left out, and they are those of this dictionary.
    let exact = place(src, contents.raw) == Some(gap) && gap.checked_add(contents.raw.len()) == Some(resume);
    if !exact || offset >= gap || rest == 0 {
        return Err(Reason::ByteRange);
    }
    // Without an early exit, so that the compiler can vectorise it.
    let plain = digits.iter().fold(true, |fine, b| fine & b.is_ascii_hexdigit());
    if digits.is_empty() || !digits.len().is_multiple_of(2) || !plain {
        return Err(Reason::Malformed(Malformed::Contents));
    }
    let contents = contents.as_string().unwrap_or_default();
    Ok(Covered {
        gap,
        resume,
        end,
        contents,
    })
}

/// Whether the covered part of the file is a whole document.
pub(super) fn ends_a_revision(src: &[u8], end: usize) -> bool {
    let revision = src.get(..end).unwrap_or_default();
    let tail = revision.trim_ascii_end();
    tail.ends_with(b"%%EOF") && revision.len() - tail.len() <= 2
}
