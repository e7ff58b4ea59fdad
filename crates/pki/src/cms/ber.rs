//! Makes indefinite lengths definite.
//!
//! Signatures in PDFs must be DER, but a widespread library wraps them in BER of indefinite length. Only such
//! wrappers are rewritten. Values of definite length are copied byte for byte, so that certificates and
//! signed attributes stay as they were signed.

use std::borrow::Cow;

use super::read_der::Malformed;
use super::write_der;

const MAX_DEPTH: usize = 16;
const CONSTRUCTED_OCTET_STRING: u8 = 0x24;
const INDEFINITE: u8 = 0x80;

/// The first value of `input` in definite lengths, and the bytes after it.
pub(super) fn definite(input: &[u8]) -> Result<(Cow<'_, [u8]>, &[u8]), Malformed> {
    if input.get(1) == Some(&INDEFINITE) {
        let mut out = Vec::with_capacity(input.len());
        let rest = rewrite(input, &mut out, 0)?;
        return Ok((Cow::Owned(out), rest));
    }
    let end = definite_end(input)?;
    let (value, rest) = input.split_at(end);
    Ok((Cow::Borrowed(value), rest))
}

fn rewrite<'a>(input: &'a [u8], out: &mut Vec<u8>, depth: usize) -> Result<&'a [u8], Malformed> {
    const WHAT: &str = "indefinite length";
    let [tag, length, ..] = *input else {
        return Err(Malformed(WHAT));
    };
    if length != INDEFINITE {
        let (value, rest) = input.split_at(definite_end(input)?);
        out.extend_from_slice(value);
        return Ok(rest);
    }
    if depth == MAX_DEPTH || tag & 0x20 == 0 || tag & 0x1f == 0x1f {
        return Err(Malformed(WHAT));
    }
    let mut rest = &input[2..];
    if tag == CONSTRUCTED_OCTET_STRING {
        let mut octets = Vec::new();
        while !rest.starts_with(&[0, 0]) {
            let (segment, after) = rest.split_at(definite_end(rest)?);
            let start = segment.len() - contents_length(segment)?;
            if segment.first() != Some(&write_der::OCTET_STRING) {
                return Err(Malformed(WHAT));
            }
            octets.extend_from_slice(&segment[start..]);
            rest = after;
        }
        write_der::value(out, write_der::OCTET_STRING, &octets);
        return Ok(&rest[2..]);
    }
    let mut contents = Vec::new();
    while !rest.starts_with(&[0, 0]) {
        rest = rewrite(rest, &mut contents, depth + 1)?;
    }
    write_der::value(out, tag, &contents);
    Ok(&rest[2..])
}

/// Where the first value of `input`, of definite length, ends.
fn definite_end(input: &[u8]) -> Result<usize, Malformed> {
    const WHAT: &str = "length";
    let (header, length) = header(input).ok_or(Malformed(WHAT))?;
    let end = header.checked_add(length).ok_or(Malformed(WHAT))?;
    if end <= input.len() {
        Ok(end)
    } else {
        Err(Malformed(WHAT))
    }
}

fn contents_length(value: &[u8]) -> Result<usize, Malformed> {
    header(value).map(|(_, length)| length).ok_or(Malformed("length"))
}

/// The lengths of the header and of the contents.
fn header(input: &[u8]) -> Option<(usize, usize)> {
    let first = *input.get(1)?;
    if first < 0x80 {
        return Some((2, first.into()));
    }
    let count = usize::from(first & 0x7f);
    if !(1..=4).contains(&count) {
        return None;
    }
    let octets = input.get(2..2 + count)?;
    let length = octets
        .iter()
        .fold(0usize, |length, octet| length << 8 | usize::from(*octet));
    Some((2 + count, length))
}
