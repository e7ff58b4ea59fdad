//! Distinguished names: as text for people, and compared as RFC 5280, section 7.1 has it, which is another matter.

use std::fmt::Write as _;

use der::Tag;
use der::asn1::ObjectIdentifier;

use unicode_normalization::UnicodeNormalization;

use super::oid;
use super::read_der::{Malformed, Value, Values};

const ATTRIBUTE_COUNT: usize = 64;
const MAX_TEXT_CHARS: usize = 512;

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

/// Whether two names are the same: strings may differ in type, case and spacing.
pub(crate) fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one == other {
        return true;
    }
    match (relative_names(one), relative_names(other)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

/// Whether a name is in the subtree that begins at `base`; `None` where one of them cannot be read.
pub(crate) fn is_below(name: &[u8], base: &[u8]) -> Option<bool> {
    Some(relative_names(name)?.starts_with(&relative_names(base)?))
}

/// The contents of every attribute of this type.
pub(crate) fn values(name: &[u8], oid: ObjectIdentifier) -> Result<Vec<&[u8]>, Malformed> {
    const WHAT: &str = "name";
    let mut found = Vec::new();
    for set in Values::of_sequence(name, WHAT)?.up_to(ATTRIBUTE_COUNT, WHAT)? {
        for attribute in set.inner(WHAT)?.up_to(ATTRIBUTE_COUNT, WHAT)? {
            let mut fields = attribute.inner(WHAT)?;
            if fields.next(WHAT)?.oid(WHAT)? == oid {
                found.push(fields.next(WHAT)?.contents);
            }
        }
    }
    Ok(found)
}

/// The attributes of a relative name, sorted.
type RelativeName = Vec<(ObjectIdentifier, Vec<u8>)>;

/// The relative names, each as the sorted list of its attributes in the form in which they are compared.
fn relative_names(name: &[u8]) -> Option<Vec<RelativeName>> {
    const WHAT: &str = "name";
    let sets = Values::of_sequence(name, WHAT)
        .ok()?
        .up_to(ATTRIBUTE_COUNT, WHAT)
        .ok()?;
    let relative_name = |set: &Value<'_>| {
        let attributes = set.inner(WHAT).ok()?.up_to(ATTRIBUTE_COUNT, WHAT).ok()?;
        let attribute = |attribute: &Value<'_>| {
            let mut fields = attribute.inner(WHAT).ok()?;
            let oid = fields.next(WHAT).ok()?.oid(WHAT).ok()?;
            let value = fields.next(WHAT).ok()?;
            fields.end(WHAT).ok()?;
            Some((oid, compared(&value)))
        };
        let mut attributes: Vec<_> = attributes.iter().map(attribute).collect::<Option<_>>()?;
        attributes.sort();
        Some(attributes)
    };
    sets.iter().map(relative_name).collect()
}

/// The form in which a value is compared: of a string its letters in one case with single spaces, of another its DER.
fn compared(value: &Value<'_>) -> Vec<u8> {
    let Some(text) = exact_string(value) else {
        return value.raw.to_vec();
    };
    let folded: String = text.nfkc().flat_map(char::to_lowercase).nfkc().collect();
    let words: Vec<&str> = folded.split_whitespace().collect();
    words.join(" ").into_bytes()
}

/// The characters of a string; `None` if it is none, or not well-formed.
fn exact_string(value: &Value<'_>) -> Option<String> {
    let contents = value.contents;
    match value.tag {
        Tag::Utf8String => String::from_utf8(contents.to_vec()).ok(),
        Tag::PrintableString | Tag::Ia5String if contents.is_ascii() => {
            String::from_utf8(contents.to_vec()).ok()
        }
        Tag::TeletexString => Some(contents.iter().map(|octet| char::from(*octet)).collect()),
        Tag::BmpString if contents.len().is_multiple_of(2) => {
            let units = contents
                .chunks_exact(2)
                .map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
            char::decode_utf16(units).collect::<Result<_, _>>().ok()
        }
        _ => None,
    }
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
    text.chars()
        .filter(|c| is_safe(*c))
        .take(MAX_TEXT_CHARS)
        .collect()
}

/// Neither a control character nor one that changes the direction of writing.
pub(crate) fn is_safe(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
