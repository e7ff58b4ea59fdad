//! Objects at their offsets.

use crate::damage::Damage;
use crate::meter::Meter;
use crate::syntax::{Dict, Kind, Parser, Ref, Value, is_space, skip_space};

/// How far from the end of the file `startxref` may be.
pub(super) const MAX_STARTXREF_DISTANCE: usize = 2048;

/// A stream: its dictionary and its bytes as stored.
#[derive(Debug, Clone)]
pub struct Stream<'d> {
    pub dict: Dict<'d>,
    pub data: &'d [u8],
}

pub(super) fn member_index(dict: &Dict<'_>, data: &[u8], meter: &Meter) -> Result<Vec<(u32, usize)>, Damage> {
    let whole = |key: &'static str| {
        dict.int(key)
            .and_then(|n| usize::try_from(n).ok())
            .ok_or(Damage::Entry(key))
    };
    let (count, first) = (whole("N")?, whole("First")?);
    meter.charge(count as u64)?;
    let mut parser = Parser::new(data.get(..first).ok_or(Damage::Entry("First"))?, 0, meter);
    let mut index = Vec::with_capacity(count.min(first / 4 + 1));
    for _ in 0..count {
        let pair = parser.number().zip(parser.number()).ok_or(Damage::Entry("N"))?;
        let number = u32::try_from(pair.0).map_err(|_| Damage::Entry("N"))?;
        let at = usize::try_from(pair.1).ok().and_then(|at| at.checked_add(first));
        index.push((number, at.ok_or(Damage::Entry("First"))?));
    }
    Ok(index)
}

pub(super) fn startxref(src: &[u8], meter: &Meter) -> Result<usize, Damage> {
    let from = src.len().saturating_sub(MAX_STARTXREF_DISTANCE);
    let tail = src.get(from..).unwrap_or_default();
    let at = memchr::memmem::rfind(tail, b"startxref").ok_or(Damage::NoEnd)?;
    let mut parser = Parser::new(tail, at + 9, meter);
    let offset = parser.number().ok_or(Damage::NoEnd)?;
    usize::try_from(offset)
        .ok()
        .filter(|offset| *offset < src.len())
        .ok_or(Damage::NoEnd)
}

/// Reads from `offset` on and charges the bytes that the parser passed: a failed attempt may have gone to the end of
/// the file.
pub(super) fn paid<'d, 'm, T>(
    src: &'d [u8],
    offset: usize,
    meter: &'m Meter,
    read: impl FnOnce(&mut Parser<'d, 'm>) -> Result<(T, usize), Damage>,
) -> Result<(T, usize), Damage> {
    // An empty budget fails here, before the parser skips to the first value.
    meter.charge(1)?;
    let found = read(&mut Parser::new(src, offset, meter));
    let end = found.as_ref().map_or(src.len(), |(_, end)| *end);
    meter.charge_bytes(end.saturating_sub(offset))?;
    found
}

/// Reads `N G obj value` and returns where it ends, after `endobj` or the keyword `stream`.
pub(super) fn object_at<'d>(
    src: &'d [u8],
    offset: usize,
    meter: &Meter,
) -> Result<((Ref, Value<'d>), usize), Damage> {
    paid(src, offset, meter, |parser| {
        let id = parser.header().ok_or(Damage::Syntax(offset))?;
        let value = parser.value()?;
        let after = skip_space(src, parser.position());
        let rest = src.get(after..).unwrap_or_default();
        let streams = rest.starts_with(b"stream") && matches!(value.kind, Kind::Dict(_));
        if streams || rest.starts_with(b"endobj") {
            Ok(((id, value), after + 6))
        } else {
            Err(Damage::Syntax(after))
        }
    })
}

/// Reads a stream object and returns where it ends. In a file that is recovered, a stream whose length is wrong ends at
/// its keyword.
pub(super) fn stream_at<'d>(
    src: &'d [u8],
    offset: usize,
    meter: &Meter,
    length: &dyn Fn(Ref) -> Option<i64>,
    is_recovered: bool,
) -> Result<(Ref, Stream<'d>, usize), Damage> {
    let ((id, value), end) = object_at(src, offset, meter)?;
    let Kind::Dict(dict) = value.kind else {
        return Err(Damage::Missing(id.number));
    };
    if !src.get(..end).is_some_and(|head| head.ends_with(b"stream")) {
        return Err(Damage::Missing(id.number));
    }
    let start = match src.get(end..).unwrap_or_default() {
        [b'\r', b'\n', ..] => end + 2,
        [b'\r' | b'\n', ..] => end + 1,
        _ => end,
    };
    let stated = match dict.get("Length").map(|value| &value.kind) {
        Some(Kind::Int(length)) => Some(*length),
        Some(Kind::Ref(id)) => length(*id),
        _ => None,
    };
    let stated = stated
        .and_then(|n| usize::try_from(n).ok())
        .and_then(|stated| start.checked_add(stated))
        .and_then(|stop| Some((stop, gap_before_end(src, stop)?)));
    let found = match stated {
        None if is_recovered => {
            let stop = keyword_after(src, start, meter)?;
            stop.map(|stop| (stop, 0))
        }
        stated => stated,
    };
    let (stop, gap) = found.ok_or(Damage::StreamEnd(id.number))?;
    let data = src.get(start..stop).ok_or(Damage::StreamEnd(id.number))?;
    let end = stop + gap + 9;
    let after = skip_space(src, end);
    meter.charge_bytes(after - end)?;
    let closed = src.get(after..).is_some_and(|rest| rest.starts_with(b"endobj"));
    Ok((id, Stream { dict, data }, if closed { after + 6 } else { end }))
}

/// The white space between the data of a stream that ends at `stop` and its keyword.
fn gap_before_end(src: &[u8], stop: usize) -> Option<usize> {
    let tail = src.get(stop..)?;
    let gap = tail.iter().take(4).take_while(|b| is_space(**b)).count();
    tail.get(gap..)?.starts_with(END_STREAM).then_some(gap)
}

const END_STREAM: &[u8] = b"endstream";

/// Where the next keyword that ends a stream begins.
fn keyword_after(src: &[u8], start: usize, meter: &Meter) -> Result<Option<usize>, Damage> {
    let found = memchr::memmem::find(src.get(start..).unwrap_or_default(), END_STREAM);
    meter.charge_bytes(found.unwrap_or(src.len() - start))?;
    Ok(found.map(|at| start + at))
}
