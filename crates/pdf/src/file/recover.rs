//! The objects of a file whose cross-references are broken, found by their headers.

use rustc_hash::FxHashMap;

use super::object::{object_at, paid, stream_at};
use super::section::{Entry, Section, SectionKind};
use super::xref::Table;
use crate::damage::Damage;
use crate::limits::Limits;
use crate::meter::Meter;
use crate::syntax::{Dict, Kind, Ref, Value, is_space};

/// Lists every object by the last of its headers. The data of streams is passed over: an attached file has headers of
/// its own.
pub(super) fn read<'d>(src: &'d [u8], limits: &Limits, meter: &Meter) -> Result<Table<'d>, Damage> {
    let mut entries: FxHashMap<u32, Entry> = FxHashMap::default();
    let mut trailer = None;
    let mut catalog = None;
    let mut trailers = memchr::memmem::find_iter(src, b"trailer").peekable();
    let mut from = 0;
    while let Some(at) = src
        .get(from..)
        .and_then(|rest| memchr::memmem::find(rest, b"obj"))
        .map(|at| from + at)
    {
        while let Some(keyword) = trailers.next_if(|keyword| *keyword < at) {
            if keyword >= from {
                trailer = trailer_at(src, keyword, meter)?.or(trailer);
            }
        }
        from = at + 3;
        let (start, id) = match header(src, at) {
            Some(found) if found.1.number < limits.size => found,
            _ => continue,
        };
        let entry = Entry::At {
            offset: start,
            generation: id.generation,
        };
        entries.insert(id.number, entry);
        if entries.len() > limits.objects {
            return Err(Damage::TooManyObjects);
        }
        let ((_, value), end) = match object_at(src, start, meter) {
            Ok(read) => read,
            Err(damage) if damage.is_excess() => return Err(damage),
            // Missed only if it is needed.
            Err(_) => continue,
        };
        from = end;
        if src.get(..end).is_some_and(|head| head.ends_with(b"stream")) {
            from = stream_at(src, start, meter, &|_| None, true).map_or(end, |(_, _, end)| end);
        }
        let kind = value.as_dict().and_then(|dict| dict.name("Type"));
        match kind {
            Some(b"Catalog") => catalog = src.get(start..).map(|raw| (id, raw)),
            Some(b"XRef") => trailer = with_root(value).or(trailer),
            _ => {}
        }
    }
    for keyword in trailers.filter(|keyword| *keyword >= from) {
        trailer = trailer_at(src, keyword, meter)?.or(trailer);
    }
    let trailer = trailer.or_else(|| catalog.map(|(id, raw)| naming(id, raw)));
    Ok(Table {
        sections: vec![Section {
            kind: SectionKind::Table,
            trailer: trailer.ok_or(Damage::Entry("Root"))?,
            entries: Vec::new(),
            spans: Vec::new(),
        }],
        entries,
    })
}

/// Whether the object at `offset` is a stream of objects.
pub(super) fn is_object_stream(src: &[u8], offset: usize, meter: &Meter) -> Result<bool, Damage> {
    match object_at(src, offset, meter) {
        Ok(((_, value), _)) => Ok(value.as_dict().and_then(|dict| dict.name("Type")) == Some(b"ObjStm")),
        Err(damage) if damage.is_excess() => Err(damage),
        Err(_) => Ok(false),
    }
}

/// The trailer after a keyword, if it names a catalog.
fn trailer_at<'d>(src: &'d [u8], keyword: usize, meter: &Meter) -> Result<Option<Dict<'d>>, Damage> {
    let read = paid(src, keyword + 7, meter, |parser| {
        Ok((parser.value()?, parser.position()))
    });
    match read {
        Ok((value, _)) => Ok(with_root(value)),
        Err(damage) if damage.is_excess() => Err(damage),
        Err(_) => Ok(None),
    }
}

/// The header whose keyword is at `at`, and where it begins.
fn header(src: &[u8], at: usize) -> Option<(usize, Ref)> {
    let (generation, before) = number_before(src, at)?;
    let (number, start) = number_before(src, before)?;
    let id = Ref {
        number: u32::try_from(number).ok()?,
        generation: u16::try_from(generation).ok()?,
    };
    Some((start, id))
}

/// The number before `end`, with white space between, and where it begins.
fn number_before(src: &[u8], end: usize) -> Option<(u64, usize)> {
    let head = src.get(..end)?;
    let blank = head.iter().rev().take_while(|byte| is_space(**byte)).count();
    let head = head.get(..end - blank)?;
    let digits = head
        .iter()
        .rev()
        .take(11)
        .take_while(|byte| byte.is_ascii_digit());
    let start = head.len() - digits.count();
    let text = std::str::from_utf8(head.get(start..)?).ok()?;
    (blank > 0).then_some((text.parse().ok()?, start))
}

/// A trailer that names a catalog.
fn with_root(value: Value<'_>) -> Option<Dict<'_>> {
    match value.kind {
        Kind::Dict(dict) if !dict.ambiguous && dict.get("Root").and_then(Value::as_ref).is_some() => {
            Some(dict)
        }
        _ => None,
    }
}

/// A trailer for a file that has none.
fn naming(catalog: Ref, raw: &[u8]) -> Dict<'_> {
    let root = Value {
        raw,
        kind: Kind::Ref(catalog),
    };
    Dict {
        entries: vec![(b"Root".into(), root)],
        ambiguous: false,
    }
}
