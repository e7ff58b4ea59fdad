//! Blank covers: rectangles of one colour that a page draws over text that it has shown before. Only documents that
//! have a drawing of one colour are looked at.

use std::collections::BTreeMap;

use super::{Hidden, Refused};
use crate::damage::Damage;
use crate::file::Document;
use crate::meter::Meter;
use crate::syntax::{Dict, Kind, Parser, Ref, Value, is_delimiter, is_space, skip_space};

/// Bytes of a form that may be a rectangle and nothing else.
const MAX_FORM_BYTES: i64 = 256;
/// Pixels of an image that may be of one colour, and its bytes in the file.
const MAX_PIXELS: i64 = 64;
const MAX_IMAGE_BYTES: i64 = 1024;
/// The part of its page that such drawings must have together to count as a cover.
const MIN_COVERED: f64 = 0.5;
/// Bytes and values of page contents that are looked at.
const MAX_CONTENT_BYTES: usize = 8 << 20;
const MAX_VALUES: u64 = 1_000_000;
/// Nesting of operands.
const MAX_DEPTH: u16 = 16;
/// Levels of the page tree that resources are inherited over.
const MAX_LEVELS: usize = 32;
/// Saved graphics states. The renderer announces a page with more.
const MAX_SAVED_STATES: usize = 60_000;

/// The area of a drawing in its own space, if it is of one colour and hides what is under it.
pub(super) fn blank_area<'d>(doc: &'d Document<'d>, id: Ref, drawing: &Dict<'d>) -> Option<f64> {
    let number = |key: &str| doc.lookup(drawing, key).ok()??.as_int();
    match doc.lookup(drawing, "Subtype").ok()??.as_name()? {
        b"Image" => {
            let hides = !["SMask", "Mask", "ImageMask"].iter().any(|key| drawing.has(key));
            let is_blank = match number("Width")?.checked_mul(number("Height")?)? {
                1 => true,
                pixels @ 2..=MAX_PIXELS if number("Length")? <= MAX_IMAGE_BYTES => {
                    // Samples of fewer bits share their bytes.
                    let is_packed = number("BitsPerComponent")? < 8;
                    let pixels = usize::try_from(pixels).ok().filter(|_| !is_packed);
                    are_alike(&doc.decoded(id).ok()?, pixels)
                }
                _ => false,
            };
            (hides && is_blank).then_some(1.0)
        }
        // What only fills takes nothing from the resources, if there are any.
        b"Form" if number("Length")? <= MAX_FORM_BYTES => {
            let content = doc.decoded(id).ok()?;
            let numbers = |key: &'static str| -> Option<Vec<f64>> {
                let list = doc.lookup_array(drawing, key).ok()??;
                list.iter().map(Value::as_number).collect()
            };
            let [left, bottom, right, top] = *numbers("BBox")?.as_slice() else {
                return None;
            };
            let scale = match numbers("Matrix").unwrap_or_default()[..] {
                [a, b, c, d, _, _] => (a * d - b * c).abs(),
                _ => 1.0,
            };
            fills(&content).then_some(scale * ((right - left) * (top - bottom)).abs())
        }
        _ => None,
    }
}

/// Whether so many pixels, or else all bytes, are the same.
fn are_alike(samples: &[u8], pixels: Option<usize>) -> bool {
    let size = pixels.map_or(1, |pixels| samples.len() / pixels).max(1);
    let count = pixels.unwrap_or(samples.len());
    let mut all = samples.chunks_exact(size).take(count);
    all.next().is_some_and(|first| all.all(|pixel| pixel == first))
}

/// Refuses a document of which a page draws these over half of itself, after text that is seen. `pages` are those of the
/// document, with their sizes; of a long one the first are looked at.
pub(super) fn check(
    doc: &Document<'_>,
    blanks: &BTreeMap<Ref, f64>,
    pages: impl IntoIterator<Item = (Ref, [f64; 2])>,
) -> Result<(), Refused> {
    if blanks.is_empty() {
        return Ok(());
    }
    let meter = Meter::new(MAX_VALUES, MAX_VALUES, MAX_DEPTH);
    let mut left = MAX_CONTENT_BYTES;
    for (page, size) in pages {
        let named = names(doc, blanks, page)?;
        if named.is_empty() {
            continue;
        }
        let content = contents(doc, page)?;
        if is_covered(&content, &named, size, &meter) {
            return Err(Refused::HiddenContent(Hidden::Cover));
        }
        left = left.saturating_sub(content.len());
        if left == 0 || meter.charge(1).is_err() {
            break;
        }
    }
    Ok(())
}

fn is_covered(
    content: &[u8],
    named: &BTreeMap<Vec<u8>, f64>,
    [width, height]: [f64; 2],
    meter: &Meter,
) -> bool {
    let mut ink = Ink::default();
    operators(content, meter, |operator, operands| {
        let number = |at: usize| operands.get(at).and_then(Value::as_number).unwrap_or(0.0);
        match operator {
            b"q" if ink.saved.len() < MAX_SAVED_STATES => ink.saved.push((ink.scale, ink.is_invisible)),
            b"q" => ink.unsaved += 1,
            b"Q" if ink.unsaved > 0 => ink.unsaved -= 1,
            // Most readers ignore one that nothing was saved for.
            b"Q" => {
                let here = (ink.scale, ink.is_invisible);
                (ink.scale, ink.is_invisible) = ink.saved.pop().unwrap_or(here);
            }
            b"cm" => ink.scale *= (number(0) * number(3) - number(1) * number(2)).abs(),
            b"Tr" => ink.is_invisible = operands.first().and_then(Value::as_int) == Some(3),
            b"Tj" | b"TJ" | b"'" | b"\"" => ink.has_text |= !ink.is_invisible,
            b"Do" if ink.has_text => {
                let name = operands.first().and_then(Value::as_name);
                let area = name.and_then(|name| named.get(name));
                ink.covered += area.map_or(0.0, |area| area * ink.scale);
            }
            _ => {}
        }
    });
    ink.covered >= MIN_COVERED * width * height
}

/// What a page has drawn so far.
struct Ink {
    /// How many times larger areas are on the page.
    scale: f64,
    /// Whether text is only there to be searched.
    is_invisible: bool,
    saved: Vec<(f64, bool)>,
    /// States beyond those that are saved.
    unsaved: usize,
    has_text: bool,
    /// The area of all that was drawn over text.
    covered: f64,
}

impl Default for Ink {
    fn default() -> Self {
        Self {
            scale: 1.0,
            saved: Vec::new(),
            unsaved: 0,
            is_invisible: false,
            has_text: false,
            covered: 0.0,
        }
    }
}

/// The names that a page has for these drawings.
fn names(
    doc: &Document<'_>,
    blanks: &BTreeMap<Ref, f64>,
    page: Ref,
) -> Result<BTreeMap<Vec<u8>, f64>, Damage> {
    let mut named = BTreeMap::new();
    let mut node = Some(page);
    for _ in 0..MAX_LEVELS {
        let Some(Kind::Dict(dict)) = node
            .map(|id| doc.get(id))
            .transpose()?
            .flatten()
            .map(|value| value.kind)
        else {
            break;
        };
        if let Some(own) = doc.lookup_dict(&dict, "Resources")? {
            let drawn = doc.lookup_dict(&own, "XObject")?.unwrap_or_default();
            for (name, value) in &drawn.entries {
                let area = value.as_ref().and_then(|id| blanks.get(&id));
                named.extend(area.map(|area| (name.to_vec(), *area)));
            }
            break;
        }
        node = dict.get("Parent").and_then(Value::as_ref);
    }
    Ok(named)
}

/// What a page draws. Contents in other filters than the usual one are not looked at.
fn contents(doc: &Document<'_>, page: Ref) -> Result<Vec<u8>, Damage> {
    let mut out = Vec::new();
    let Some(Kind::Dict(dict)) = doc.get(page)?.map(|value| value.kind) else {
        return Ok(out);
    };
    let streams = match dict.get("Contents") {
        Some(one) => match doc.resolve(one)?.kind {
            Kind::Array(items) => items,
            _ => vec![one.clone()],
        },
        None => Vec::new(),
    };
    for id in streams.iter().filter_map(Value::as_ref) {
        match doc.decoded(id) {
            Ok(content) => out.extend_from_slice(&content),
            Err(damage) if damage.is_excess() => return Err(damage),
            Err(_) => {}
        }
        out.push(b'\n');
    }
    Ok(out)
}

/// Whether a drawing only fills rectangles.
fn fills(content: &[u8]) -> bool {
    let meter = Meter::new(MAX_VALUES, MAX_VALUES, MAX_DEPTH);
    let mut is_filled = false;
    let mut is_plain = true;
    operators(content, &meter, |operator, _| match operator {
        b"f" | b"F" | b"f*" => is_filled = true,
        b"q" | b"Q" | b"g" | b"rg" | b"k" | b"re" => {}
        _ => is_plain = false,
    });
    is_filled && is_plain
}

/// Hands each operator over with its operands, as far as the content can be read within the budget.
fn operators<'c>(content: &'c [u8], meter: &Meter, mut act: impl FnMut(&'c [u8], &[Value<'c>])) {
    let mut operands: Vec<Value<'c>> = Vec::new();
    let mut at = skip_space(content, 0);
    while let Some(first) = content.get(at) {
        if first.is_ascii_alphabetic() || b"'\"*".contains(first) {
            let rest = content.get(at..).unwrap_or_default();
            let end = rest
                .iter()
                .position(|byte| is_space(*byte) || is_delimiter(*byte));
            let word = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            act(word, &operands);
            operands.clear();
            at += word.len();
            if word == b"ID" {
                at += memchr::memmem::find(rest, b"EI").unwrap_or(rest.len());
            }
        } else {
            let mut parser = Parser::new(content, at, meter);
            let Ok(value) = parser.value() else {
                return;
            };
            operands.push(value);
            at = parser.position();
        }
        at = skip_space(content, at);
    }
}
