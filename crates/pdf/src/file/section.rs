//! One cross-reference section: a table, a stream, or both.

use crate::damage::Damage;
use crate::limits::Limits;
use crate::syntax::Dict;

/// Where an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    Free,
    /// At a byte offset.
    At {
        offset: usize,
        generation: u16,
    },
    /// Inside an object stream.
    In {
        stream: u32,
        index: u32,
    },
}

/// How a section is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SectionKind {
    Table,
    Stream,
    /// A table that names a stream for newer readers.
    Hybrid,
}

/// One cross-reference section with its trailer.
#[derive(Debug, Clone)]
pub struct Section<'d> {
    pub kind: SectionKind,
    pub trailer: Dict<'d>,
    pub entries: Vec<(u32, Entry)>,
    /// The byte ranges of the section: the second reader is shown only ranges that were read.
    pub spans: Vec<(usize, usize)>,
}

/// The rest of the budgets that all sections share.
pub(super) struct Budget<'l> {
    pub(super) limits: &'l Limits,
    pub(super) entries: usize,
    pub(super) inflated: usize,
}

/// Refuses ranges of one section that list an object twice. None of them is empty.
pub(super) fn refuse_overlaps(mut ranges: Vec<(u64, u64)>) -> Result<(), Damage> {
    ranges.sort_unstable();
    let mut neighbours = ranges.iter().zip(ranges.iter().skip(1));
    match neighbours.find(|(one, next)| next.0 < one.1) {
        None => Ok(()),
        Some((_, next)) => Err(Damage::ListedTwice(u32::try_from(next.0).unwrap_or(u32::MAX))),
    }
}
