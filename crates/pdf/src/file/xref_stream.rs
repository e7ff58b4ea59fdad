//! Cross-reference streams.

use super::inflate;
use super::object::stream_at;
use super::section::{Budget, Entry, Section, SectionKind, refuse_overlaps};
use crate::damage::Damage;
use crate::meter::Meter;
use crate::syntax::{Dict, Kind};

/// Reads the cross-reference stream at `offset`.
pub(super) fn read<'d>(
    src: &'d [u8],
    offset: usize,
    meter: &Meter,
    budget: &mut Budget<'_>,
) -> Result<Section<'d>, Damage> {
    let broken = Damage::CrossReference(offset);
    let (id, stream, end) = stream_at(src, offset, meter, &|_| None, false)?;
    if stream.dict.name("Type") != Some(b"XRef") {
        return Err(broken);
    }
    meter.check_time()?;
    let cap = budget.limits.xref_stream.min(budget.inflated);
    let data = decode(&stream.dict, stream.data, cap, id.number, false)?;
    budget.inflated = budget.inflated.saturating_sub(data.len());
    let entries = entries(&stream.dict, &data, broken, meter, budget)?;
    let spans = vec![(offset, end)];
    Ok(Section {
        kind: SectionKind::Stream,
        trailer: stream.dict,
        entries,
        spans,
    })
}

/// Decodes a structural stream: not compressed, or Flate exactly once.
pub(super) fn decode(
    dict: &Dict<'_>,
    data: &[u8],
    cap: usize,
    number: u32,
    is_recovered: bool,
) -> Result<Vec<u8>, Damage> {
    let single = |key: &str| match dict.get(key).map(|value| &value.kind) {
        Some(Kind::Array(items)) => match items.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(one.kind.clone())),
            _ => Err(Damage::Filter(number)),
        },
        other => Ok(other.cloned()),
    };
    if dict.ambiguous || dict.has("F") {
        return Err(Damage::Filter(number));
    }
    match single("Filter")? {
        // This filter only says how a stream is encrypted.
        Some(Kind::Name(name)) if name.as_ref() == b"Crypt" => plain(data, cap),
        None => plain(data, cap),
        Some(Kind::Name(name)) if matches!(name.as_ref(), b"FlateDecode" | b"Fl") => {
            let params = match single("DecodeParms")? {
                Some(Kind::Dict(params)) => Some(params),
                None | Some(Kind::Null) => None,
                Some(_) => return Err(Damage::Filter(number)),
            };
            inflate::unpredict(inflate::inflate(data, cap)?, params.as_ref(), is_recovered)
        }
        Some(_) => Err(Damage::Filter(number)),
    }
}

fn plain(data: &[u8], cap: usize) -> Result<Vec<u8>, Damage> {
    if data.len() > cap {
        return Err(Damage::Inflated);
    }
    Ok(data.to_vec())
}

fn entries(
    dict: &Dict<'_>,
    data: &[u8],
    broken: Damage,
    meter: &Meter,
    budget: &mut Budget<'_>,
) -> Result<Vec<(u32, Entry)>, Damage> {
    let number = |key| dict.int(key).and_then(|n| u64::try_from(n).ok());
    let widths: Vec<usize> = ints(dict, "W").ok_or(broken)?;
    let &[kind, second, third] = widths.as_slice() else {
        return Err(broken);
    };
    let size = number("Size").ok_or(broken)?;
    let index: Vec<u64> = match dict.get("Index") {
        None => vec![0, size],
        Some(_) => ints(dict, "Index").ok_or(broken)?,
    };
    if kind > 8 || second > 8 || third > 8 || second == 0 || !index.len().is_multiple_of(2) {
        return Err(broken);
    }
    let width = kind + second + third;
    let mut rows = data.chunks_exact(width);
    let mut ranges = Vec::new();
    let mut out = Vec::with_capacity((data.len() / width).min(budget.entries));
    for range in index.chunks_exact(2) {
        let &[first, count] = range else {
            return Err(broken);
        };
        let end = first.checked_add(count).ok_or(broken)?;
        if end > u64::from(budget.limits.size) || count > budget.entries as u64 {
            return Err(Damage::TooManyObjects);
        }
        budget.entries -= usize::try_from(count).unwrap_or_default();
        meter.charge(count / 8)?;
        for number in first..end {
            let row = rows.next().ok_or(broken)?;
            let (a, rest) = row.split_at(kind);
            let (b, c) = rest.split_at(second);
            let number = u32::try_from(number).map_err(|_| broken)?;
            out.push((number, entry(a, b, c).ok_or(broken)?));
        }
        if count > 0 {
            ranges.push((first, end));
        }
    }
    refuse_overlaps(ranges)?;
    Ok(out)
}

fn ints<T: TryFrom<i64>>(dict: &Dict<'_>, key: &str) -> Option<Vec<T>> {
    dict.get(key)?
        .as_array()?
        .iter()
        .map(|value| T::try_from(value.as_int()?).ok())
        .collect()
}

fn big_endian(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}

fn entry(kind: &[u8], second: &[u8], third: &[u8]) -> Option<Entry> {
    let kind = if kind.is_empty() { 1 } else { big_endian(kind) };
    let (second, third) = (big_endian(second), big_endian(third));
    match kind {
        0 => Some(Entry::Free),
        1 if second == 0 => Some(Entry::Free),
        1 => Some(Entry::At {
            offset: usize::try_from(second).ok()?,
            generation: u16::try_from(third).ok()?,
        }),
        2 => Some(Entry::In {
            stream: u32::try_from(second).ok()?,
            index: u32::try_from(third).ok()?,
        }),
        _ => None,
    }
}
