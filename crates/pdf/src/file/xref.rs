//! Cross-reference sections: tables, streams and hybrids, newest first.

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::object::paid;
use super::section::{Budget, Entry, Section, SectionKind, refuse_overlaps};
use super::xref_stream;
use crate::damage::Damage;
use crate::meter::Meter;
use crate::syntax::{Dict, Kind, Parser, skip_space};

/// All sections, newest first, and the newest entry of each object.
#[derive(Debug)]
pub(super) struct Table<'d> {
    pub(super) sections: Vec<Section<'d>>,
    pub(super) entries: FxHashMap<u32, Entry>,
}

/// Reads the chain that starts at `start`.
pub(super) fn read<'d>(
    src: &'d [u8],
    start: usize,
    meter: &Meter,
    budget: &mut Budget<'_>,
) -> Result<Table<'d>, Damage> {
    let mut sections: Vec<Section<'d>> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut next = Some(start);
    let mut hybrid = HybridStream::default();
    while let Some(offset) = next {
        if !seen.insert(offset) {
            return Err(Damage::Loop);
        }
        if sections.len() >= budget.limits.sections {
            return Err(Damage::TooManyObjects);
        }
        let mut section = section(src, offset, meter, budget)?;
        if section.trailer.ambiguous {
            return Err(Damage::Ambiguous);
        }
        next = pointer(&section.trailer, "Prev")?;
        match pointer(&section.trailer, "XRefStm")?.filter(|_| section.kind == SectionKind::Table) {
            Some(extra) => hybrid.join(src, extra, &mut section, &mut seen, meter, budget)?,
            None if hybrid.offset.is_some() => hybrid.between.extend(in_use(&section)),
            None => {}
        }
        sections.push(section);
    }
    hybrid.close()?;
    let listed: usize = sections.iter().map(|section| section.entries.len()).sum();
    let mut entries = FxHashMap::with_capacity_and_hasher(listed.min(MAX_PREALLOCATED_ROWS), FxBuildHasher);
    for (number, entry) in sections.iter().flat_map(|section| &section.entries) {
        entries.entry(*number).or_insert(*entry);
    }
    if entries.values().filter(|entry| **entry != Entry::Free).count() > budget.limits.objects {
        return Err(Damage::TooManyObjects);
    }
    Ok(Table { sections, entries })
}

/// The stream of a hybrid section. Some programs copy the whole trailer when they add a table to a hybrid file: then
/// more than one section names the same stream.
#[derive(Debug, Default)]
struct HybridStream {
    offset: Option<usize>,
    span: Vec<(usize, usize)>,
    entries: Vec<(u32, Entry)>,
    /// The newest section that names it puts an object elsewhere, as it may if an older section names it too.
    conflict: Option<Damage>,
    /// Objects in use of the sections since then: readers disagree whether the stream comes before them.
    between: Vec<(u32, Entry)>,
}

impl HybridStream {
    /// Adds the stream's objects to the newest section that names it.
    fn join(
        &mut self,
        src: &[u8],
        extra: usize,
        section: &mut Section<'_>,
        seen: &mut FxHashSet<usize>,
        meter: &Meter,
        budget: &mut Budget<'_>,
    ) -> Result<(), Damage> {
        let in_use = in_use(section);
        if self.offset == Some(extra) {
            agree(&in_use, &self.entries)?;
            agree(&self.between, &self.entries)?;
            self.conflict = None;
            section.spans.extend(&self.span);
            return Ok(());
        }
        if !seen.insert(extra) {
            return Err(Damage::Loop);
        }
        self.close()?;
        let stream = xref_stream::read(src, extra, meter, budget)?;
        section.kind = SectionKind::Hybrid;
        // Objects hidden from old readers are free in the table, and the stream says where they are.
        section.entries.sort_by_key(|(_, entry)| *entry == Entry::Free);
        let split = in_use.len();
        section
            .entries
            .splice(split..split, stream.entries.iter().copied());
        section.spans.extend(&stream.spans);
        *self = Self {
            offset: Some(extra),
            conflict: agree(&in_use, &stream.entries).err(),
            span: stream.spans,
            entries: stream.entries,
            between: Vec::new(),
        };
        Ok(())
    }

    /// No older section names it.
    fn close(&self) -> Result<(), Damage> {
        self.conflict.map_or(Ok(()), Err)
    }
}

fn in_use(section: &Section<'_>) -> Vec<(u32, Entry)> {
    let entries = section.entries.iter().copied();
    entries.filter(|(_, entry)| *entry != Entry::Free).collect()
}

fn pointer(trailer: &Dict<'_>, key: &'static str) -> Result<Option<usize>, Damage> {
    let Some(value) = trailer.get(key) else {
        return Ok(None);
    };
    let number = value.as_int().and_then(|number| usize::try_from(number).ok());
    number.map(Some).ok_or(Damage::Entry(key))
}

/// Capacity reserved for rows before they are read: the count that the file states may be a lie.
const MAX_PREALLOCATED_ROWS: usize = 1024;

fn section<'d>(
    src: &'d [u8],
    offset: usize,
    meter: &Meter,
    budget: &mut Budget<'_>,
) -> Result<Section<'d>, Damage> {
    let start = skip_space(src, offset);
    if src.get(start..).unwrap_or_default().starts_with(b"xref") {
        let section = paid(src, offset, meter, |_| {
            let section = table(src, offset, start, meter, budget)?;
            let end = section.spans.first().map_or(src.len(), |span| span.1);
            Ok((section, end))
        });
        section.map(|(section, _)| section)
    } else {
        xref_stream::read(src, offset, meter, budget)
    }
}

fn table<'d>(
    src: &'d [u8],
    offset: usize,
    start: usize,
    meter: &Meter,
    budget: &mut Budget<'_>,
) -> Result<Section<'d>, Damage> {
    let broken = Damage::CrossReference(offset);
    let mut parser = Parser::new(src, start + 4, meter);
    let mut entries = Vec::new();
    let mut ranges = Vec::new();
    while !parser.keyword(b"trailer") {
        let first = parser.number().ok_or(broken)?;
        let count = parser.number().ok_or(broken)?;
        let end = first.checked_add(count).ok_or(broken)?;
        let size = budget.limits.size;
        if end > u64::from(size) || count > budget.entries as u64 {
            return Err(Damage::TooManyObjects);
        }
        budget.entries -= usize::try_from(count).unwrap_or_default();
        meter.charge(1 + count / 8)?;
        entries.reserve(
            usize::try_from(count)
                .unwrap_or(MAX_PREALLOCATED_ROWS)
                .min(MAX_PREALLOCATED_ROWS),
        );
        for number in first..end {
            let row = parser.row().or_else(|| odd_row(&mut parser));
            let (position, generation, used) = row.ok_or(broken)?;
            let number = u32::try_from(number).map_err(|_| broken)?;
            entries.push((number, entry(used, position, generation).ok_or(broken)?));
        }
        if count > 0 {
            ranges.push((first, end));
        }
    }
    refuse_overlaps(ranges)?;
    let value = parser.value()?;
    let Kind::Dict(trailer) = value.kind else {
        return Err(broken);
    };
    let spans = vec![(offset.min(start), parser.position())];
    Ok(Section {
        kind: SectionKind::Table,
        trailer,
        entries,
        spans,
    })
}

/// A row in another spelling than the twenty bytes of the format.
fn odd_row(parser: &mut Parser<'_, '_>) -> Option<(u64, u64, bool)> {
    let (position, generation) = (parser.number()?, parser.number()?);
    let used = parser.keyword(b"n");
    (used || parser.keyword(b"f")).then_some((position, generation, used))
}

/// Refuses a stream that puts an object elsewhere than its table, whose entries in use are `table`.
fn agree(table: &[(u32, Entry)], stream: &[(u32, Entry)]) -> Result<(), Damage> {
    let mut sorted = table.to_vec();
    sorted.sort_unstable_by_key(|(number, _)| *number);
    for (number, entry) in stream.iter().filter(|(_, entry)| *entry != Entry::Free) {
        let at = sorted.binary_search_by_key(number, |(listed, _)| *listed);
        let place = at.ok().and_then(|at| sorted.get(at));
        if place.is_some_and(|(_, place)| place != entry) {
            return Err(Damage::ListedTwice(*number));
        }
    }
    Ok(())
}

/// Some writers give offset zero to objects that do not exist.
fn entry(used: bool, position: u64, generation: u64) -> Option<Entry> {
    if !used || position == 0 {
        return Some(Entry::Free);
    }
    Some(Entry::At {
        offset: usize::try_from(position).ok()?,
        generation: u16::try_from(generation).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_mean_the_same_in_any_spelling() {
        let meter = Meter::new(100, 100, 10);
        let usual = [
            ("0000000017 00000 n \n", Some((17, 0, true))),
            ("0000000000 65535 f\r\n", Some((0, 65535, false))),
            ("\r\n9999999999 00001 n\rx", Some((9_999_999_999, 1, true))),
        ];
        let odd = [
            ("17 0 n\n", Some((17, 0, true))),
            ("000000001700000 n \n", None),
            ("0000000017 00000 x \n", None),
            ("0000000017 0000% n \n f ", Some((17, 0, false))),
            ("0000000017 00000 nn", None),
            ("0000000017\t00000 n ", Some((17, 0, true))),
            ("00000000-7 00000 n ", None),
            ("0000000017 00000 n", Some((17, 0, true))),
            ("0000000017 00000 n(", Some((17, 0, true))),
        ];
        for (text, meant) in usual.into_iter().chain(odd) {
            let parser = || Parser::new(text.as_bytes(), 0, &meter);
            let (mut quick, mut slow) = (parser(), parser());
            assert_eq!(odd_row(&mut slow), meant, "{text:?}");
            let row = quick.row();
            assert_eq!(row.is_some(), usual.contains(&(text, meant)), "{text:?}");
            if row.is_some() {
                assert_eq!((row, quick.position()), (meant, slow.position()), "{text:?}");
            } else {
                assert_eq!(quick.position(), 0, "{text:?}");
            }
        }
    }
}
