//! Changes to dictionaries and arrays that leave the bytes of all other entries as they are.

use crate::damage::Damage;
use crate::meter::Meter;
use crate::syntax::{Dict, Kind, Parser, Value, is_delimiter, is_space};

/// Object copies were read within the limits of inspection; this bounds a corrupt state.
const MAX_VALUES: u64 = 1_000_000;

/// Parses the body of an object copy.
pub(super) fn read(body: &[u8]) -> Result<Value<'_>, Damage> {
    let meter = Meter::new(MAX_VALUES, MAX_VALUES, 100);
    Parser::new(body, 0, &meter).value()
}

/// Parses the body of a dictionary.
pub fn dict_of(body: &[u8]) -> Result<Dict<'_>, Damage> {
    match read(body)?.kind {
        Kind::Dict(dict) => Ok(dict),
        _ => Err(Damage::Syntax(0)),
    }
}

/// Parses the body of an array.
pub fn array_of(body: &[u8]) -> Result<Vec<Value<'_>>, Damage> {
    match read(body)?.kind {
        Kind::Array(items) => Ok(items),
        _ => Err(Damage::Syntax(0)),
    }
}

/// The value under a key of a dictionary, as written.
pub fn entry<'b>(body: &'b [u8], key: &str) -> Result<Option<Value<'b>>, Damage> {
    Ok(dict_of(body)?.get(key).cloned())
}

/// A dictionary with some entries replaced, added, or, where the new value is empty, removed.
pub fn edit(body: &[u8], changes: &[(&str, &[u8])]) -> Result<Vec<u8>, Damage> {
    let dict = dict_of(body)?;
    let mut out =
        Vec::with_capacity(body.len() + changes.iter().map(|(_, value)| value.len() + 16).sum::<usize>());
    out.extend_from_slice(b"<<");
    for (key, value) in &dict.entries {
        if !changes
            .iter()
            .any(|(changed, _)| changed.as_bytes() == key.as_ref())
        {
            put(&mut out, key, value.raw);
        }
    }
    for (key, value) in changes.iter().filter(|(_, value)| !value.is_empty()) {
        put(&mut out, key.as_bytes(), value);
    }
    out.extend_from_slice(b">>");
    Ok(out)
}

/// Writes an entry of a dictionary.
fn put(out: &mut Vec<u8>, key: &[u8], value: &[u8]) {
    out.push(b'/');
    for &byte in key {
        if is_space(byte) || is_delimiter(byte) || byte == b'#' || !(0x21..0x7f).contains(&byte) {
            out.extend_from_slice(format!("#{byte:02X}").as_bytes());
        } else {
            out.push(byte);
        }
    }
    if !matches!(value.first(), Some(b'/' | b'<' | b'[' | b'(')) {
        out.push(b' ');
    }
    out.extend_from_slice(value);
}

/// An array with one more item; `None` is an empty array.
pub fn append_item(body: Option<&[u8]>, item: &str) -> Result<Vec<u8>, Damage> {
    let Some(body) = body else {
        return Ok(format!("[{item}]").into_bytes());
    };
    let value = read(body)?;
    let (Kind::Array(_), Some(inner)) = (&value.kind, value.raw.strip_suffix(b"]")) else {
        return Err(Damage::Syntax(0));
    };
    Ok([inner, b" ", item.as_bytes(), b"]"].concat())
}

/// A text string: plain ASCII where possible, otherwise UTF-16.
pub fn text(text: &str) -> String {
    use std::fmt::Write;
    if text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        let escaped = text.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
        return format!("({escaped})");
    }
    let mut out = String::from("<FEFF");
    for unit in text.encode_utf16() {
        let _ = write!(out, "{unit:04X}");
    }
    out.push('>');
    out
}

/// The bytes of the string that spells a field's name in the file.
pub fn encoded(name: &str) -> Vec<u8> {
    if name.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        return name.into();
    }
    [0xfe, 0xff]
        .into_iter()
        .chain(name.encode_utf16().flat_map(u16::to_be_bytes))
        .collect()
}
