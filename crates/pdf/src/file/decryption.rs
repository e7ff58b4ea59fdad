//! The objects of an encrypted file as if it were not: strings and streams decrypted with the empty password.

use std::cell::OnceCell;

use data_encoding::HEXLOWER;
use rustc_hash::FxHashMap;

use super::encryption::Encryption;
use super::object::{object_at, paid};
use super::section::Entry;
use super::xref::Table;
use crate::damage::Damage;
use crate::meter::Meter;
use crate::syntax::{Dict, Kind, Ref, Value};

/// Decrypts the objects of one file.
#[derive(Debug)]
pub(super) struct Decryption {
    pub(super) encryption: Encryption,
    /// The byte range of the encryption dictionary, if it is an object of its own.
    pub(super) span: Option<(usize, usize)>,
    /// That object: it is not encrypted itself.
    own: Option<Ref>,
    /// Decrypted copies of the objects that have strings, by number.
    plain: FxHashMap<u32, OnceCell<Vec<u8>>>,
}

impl Decryption {
    /// Opens the encryption of a file, if it is encrypted. All sections must say the same about it: otherwise readers
    /// disagree about which objects are encrypted.
    pub(super) fn open(src: &[u8], table: &Table<'_>, meter: &Meter) -> Result<Option<Self>, Damage> {
        let mut stated = table
            .sections
            .iter()
            .map(|section| section.trailer.get("Encrypt"));
        let newest = stated.next().flatten();
        let raw = newest.map(|value| value.raw);
        if stated.any(|value| value.map(|value| value.raw) != raw) {
            return Err(Damage::Encryption);
        }
        let (Some(newest), Some(section)) = (newest, table.sections.first()) else {
            return Ok(None);
        };
        let id = section.trailer.get("ID").and_then(Value::as_array);
        let id = id.and_then(<[_]>::first).and_then(Value::as_string);
        let id = id.ok_or(Damage::Encryption)?;
        let own = newest.as_ref();
        let (dict, span) = match own {
            None => (newest.clone(), None),
            Some(own) => {
                let place = table.entries.get(&own.number);
                let Some(&Entry::At { offset, .. }) = place else {
                    return Err(Damage::Encryption);
                };
                let ((found, dict), end) = object_at(src, offset, meter)?;
                if found != own {
                    return Err(Damage::Misplaced(own.number));
                }
                (dict, Some((offset, end)))
            }
        };
        meter.check_time()?;
        let dict = dict.as_dict().ok_or(Damage::Encryption)?;
        let plain = table.entries.iter().filter_map(|(number, entry)| match entry {
            Entry::At { .. } => Some((*number, OnceCell::new())),
            _ => None,
        });
        Ok(Some(Self {
            encryption: Encryption::open(dict, &id, b"")?,
            span,
            own,
            plain: plain.collect(),
        }))
    }

    /// An object with its strings decrypted.
    pub(super) fn value<'d>(&'d self, id: Ref, value: Value<'d>, meter: &Meter) -> Result<Value<'d>, Damage> {
        let is_section = value
            .as_dict()
            .is_some_and(|dict| dict.name("Type") == Some(b"XRef"));
        if is_section || self.own == Some(id) || !has_strings(&value) {
            return Ok(value);
        }
        let cell = self.plain.get(&id.number).ok_or(Damage::Missing(id.number))?;
        if cell.get().is_none() {
            let plain = respell(&value, |text| self.encryption.decrypt_string(id, text))?;
            meter.charge_bytes(plain.len())?;
            // The cell is empty, so that this cannot fail.
            let _ = cell.set(plain);
        }
        let plain = cell.get().ok_or(Damage::Missing(id.number))?;
        let (mut read, _) = paid(plain, 0, meter, |parser| Ok((parser.value()?, parser.position())))?;
        keep_contents(&mut read, &value);
        Ok(read)
    }

    /// The bytes of a stream as its own filters left them.
    pub(super) fn stream(&self, id: Ref, dict: &Dict<'_>, data: &[u8]) -> Result<Vec<u8>, Damage> {
        self.encryption.decrypt_stream(id, dict, data)
    }
}

/// The contents of a signature are not encrypted: they are outside of what it signs, and are written last.
fn is_contents(dict: &Dict<'_>, key: &[u8]) -> bool {
    key == b"Contents" && dict.has("ByteRange")
}

fn has_strings(value: &Value<'_>) -> bool {
    match &value.kind {
        Kind::Literal(_) | Kind::Hex(_) => true,
        Kind::Array(items) => items.iter().any(has_strings),
        Kind::Dict(dict) => dict
            .entries
            .iter()
            .any(|(key, item)| !is_contents(dict, key) && has_strings(item)),
        _ => false,
    }
}

/// The bytes of a value with other strings in the place of its own.
pub(crate) fn respell(
    value: &Value<'_>,
    mut spell: impl FnMut(&[u8]) -> Result<Vec<u8>, Damage>,
) -> Result<Vec<u8>, Damage> {
    let mut out = Vec::with_capacity(value.raw.len() * 2);
    let mut rest = value.raw;
    respell_in(value, &mut rest, &mut out, &mut spell)?;
    out.extend_from_slice(rest);
    Ok(out)
}

/// Writes the bytes up to the last string in a value; `rest` are the bytes that were not written yet.
fn respell_in<'d>(
    value: &Value<'d>,
    rest: &mut &'d [u8],
    out: &mut Vec<u8>,
    spell: &mut impl FnMut(&[u8]) -> Result<Vec<u8>, Damage>,
) -> Result<(), Damage> {
    match &value.kind {
        Kind::Literal(_) | Kind::Hex(_) => {
            let broken = Damage::Syntax(0);
            let at = value.raw.as_ptr().addr().checked_sub(rest.as_ptr().addr());
            let (before, after) = rest.split_at_checked(at.ok_or(broken)?).ok_or(broken)?;
            out.extend_from_slice(before);
            let text = spell(&value.as_string().unwrap_or_default())?;
            out.extend_from_slice(format!("<{}>", HEXLOWER.encode(&text)).as_bytes());
            *rest = after.get(value.raw.len()..).ok_or(broken)?;
            Ok(())
        }
        Kind::Array(items) => items
            .iter()
            .try_for_each(|item| respell_in(item, rest, out, spell)),
        Kind::Dict(dict) => dict
            .entries
            .iter()
            .filter(|(key, _)| !is_contents(dict, key))
            .try_for_each(|(_, item)| respell_in(item, rest, out, spell)),
        _ => Ok(()),
    }
}

/// Puts the contents of signatures in the place of their copies: verification asks where in the file they are.
fn keep_contents<'d>(copy: &mut Value<'d>, original: &Value<'d>) {
    match (&mut copy.kind, &original.kind) {
        (Kind::Array(copies), Kind::Array(originals)) => {
            for (copy, original) in copies.iter_mut().zip(originals) {
                keep_contents(copy, original);
            }
        }
        (Kind::Dict(copy), Kind::Dict(original)) => {
            for ((_, copy), (key, value)) in copy.entries.iter_mut().zip(&original.entries) {
                if is_contents(original, key) {
                    *copy = value.clone();
                } else {
                    keep_contents(copy, value);
                }
            }
        }
        _ => {}
    }
}
