//! Distinguished names as text, for people. Names are compared by their bytes, never by this text.

use std::fmt::Write as _;

use der::Tag;
use der::asn1::ObjectIdentifier;

use super::oid;
use super::read::{Malformed, Value, Values};

const ATTRIBUTE_COUNT: usize = 64;
const TEXT_LIMIT: usize = 512;

const LABELS: [(ObjectIdentifier, &str); 9] = [
    (oid::COMMON_NAME, "CN"),
    (oid::SURNAME, "SN"),
    (oid::SERIAL_NUMBER, "serialNumber"),
    (oid::COUNTRY, "C"),
    (oid::ORGANIZATION, "O"),
    (oid::ORGANIZATIONAL_UNIT, "OU"),
    (oid::NAME, "name"),
    (oid::GIVEN_NAME, "GN"),
    (oid::ORGANIZATION_IDENTIFIER, "organizationIdentifier"),
];

/// The whole name, in the order of RFC 4514: the last attribute first.
pub(super) fn text(name: &[u8]) -> String {
    let mut text = String::new();
    for (oid, value) in attributes(name).unwrap_or_default().iter().rev() {
        let separator = if text.is_empty() { "" } else { ", " };
        let value = value.replace(['\\', ','], " ");
        let label = LABELS
            .iter()
            .find(|(known, _)| known == oid)
            .map(|(_, label)| *label);
        // Writing to a String cannot fail.
        let _ = match label {
            Some(label) => write!(text, "{separator}{label}={value}"),
            None => write!(text, "{separator}{oid}={value}"),
        };
    }
    text
}

/// The first attribute of this type.
pub(super) fn attribute(name: &[u8], oid: ObjectIdentifier) -> Option<String> {
    attributes(name)
        .ok()?
        .into_iter()
        .find(|(candidate, _)| *candidate == oid)
        .map(|(_, value)| value)
}

fn attributes(name: &[u8]) -> Result<Vec<(ObjectIdentifier, String)>, Malformed> {
    const WHAT: &str = "name";
    let mut found = Vec::new();
    for set in Values::of_sequence(name, WHAT)?.up_to(ATTRIBUTE_COUNT, WHAT)? {
        for attribute in set.inner(WHAT)?.up_to(ATTRIBUTE_COUNT, WHAT)? {
            let mut fields = attribute.inner(WHAT)?;
            let oid = fields.next(WHAT)?.oid(WHAT)?;
            found.push((oid, string(&fields.next(WHAT)?)));
            fields.end(WHAT)?;
        }
    }
    Ok(found)
}

/// A string of any type, cut, and without unsafe characters.
fn string(value: &Value<'_>) -> String {
    let wide = |pair: &[u8]| u16::from_be_bytes([pair[0], pair[1]]);
    let text: String = match value.tag {
        Tag::BmpString => char::decode_utf16(value.contents.chunks_exact(2).map(wide))
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect(),
        // In practice Latin-1.
        Tag::TeletexString => value.contents.iter().map(|octet| char::from(*octet)).collect(),
        _ => String::from_utf8_lossy(value.contents).into_owned(),
    };
    text.chars().filter(|c| is_safe(*c)).take(TEXT_LIMIT).collect()
}

/// Neither a control character nor one that changes the direction of writing.
pub(crate) fn is_safe(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
