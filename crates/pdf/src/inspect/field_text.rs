//! Whether a text field shows its value. One that shows another text is prepared to be switched after signing: readers
//! draw the value again when the field is touched.

use crate::damage::Damage;
use crate::file::Document;
use crate::syntax::{Dict, Parser, Value};

/// Appearances beyond this are not read.
const MAX_APPEARANCE_BYTES: usize = 64 * 1024;

/// Whether the appearance of a text field shows a text that has nothing to do with its value, which may be that of a
/// field above it. Says so only where both can be read.
pub(super) fn differs<'d>(
    doc: &'d Document<'d>,
    field: &Dict<'d>,
    value: &Value<'d>,
) -> Result<bool, Damage> {
    let value = doc.resolve(value)?;
    // Each widget of a field is compared with the same value.
    doc.charge_bytes(value.raw.len())?;
    let Some(value) = value.as_string() else {
        return Ok(false);
    };
    let Ok(Some(looks)) = doc.lookup_dict(field, "AP") else {
        return Ok(false);
    };
    let Some(id) = looks.get("N").and_then(Value::as_ref) else {
        return Ok(false);
    };
    let content = match doc.decoded(id) {
        Ok(content) if content.len() <= MAX_APPEARANCE_BYTES => content,
        Err(damage) if damage.is_excess() => return Err(damage),
        _ => return Ok(false),
    };
    let Some(shown) = shown(&content, doc)? else {
        return Ok(false);
    };
    Ok(are_unlike(&plain(&value), &plain(&shown)))
}

/// The text that a content stream draws, if all of it is in literal strings.
fn shown(content: &[u8], doc: &Document<'_>) -> Result<Option<Vec<u8>>, Damage> {
    doc.charge_bytes(content.len())?;
    let mut text = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'(', b'<', content.get(at..).unwrap_or_default()) {
        at += found;
        if content.get(at) == Some(&b'<') {
            // Names of marks are in dictionaries; a string in hexadecimal digits is in an encoding of its font.
            if content.get(at + 1) != Some(&b'<') {
                return Ok(None);
            }
            at += 2;
            continue;
        }
        let mut parser = Parser::new(content, at, doc.meter());
        let Ok(string) = parser.value() else {
            return Ok(None);
        };
        text.extend(string.as_string().unwrap_or_default());
        at = parser.position().max(at + 1);
    }
    Ok(Some(text))
}

/// The letters and digits of a text, in one case: programs format values and break lines.
fn plain(text: &[u8]) -> Vec<u8> {
    let letters = text.iter().filter(|byte| byte.is_ascii_alphanumeric());
    letters.map(u8::to_ascii_lowercase).collect()
}

/// Whether two texts are made of different letters, and neither is part of the other.
fn are_unlike(value: &[u8], shown: &[u8]) -> bool {
    if value.is_empty() || shown.is_empty() {
        return false;
    }
    let within = |one: &[u8], other: &[u8]| memchr::memmem::find(one, other).is_some();
    // A date in another order has the same digits.
    let sorted = |text: &[u8]| {
        let mut letters = text.to_vec();
        letters.sort_unstable();
        letters
    };
    !within(value, shown) && !within(shown, value) && sorted(value) != sorted(shown)
}
