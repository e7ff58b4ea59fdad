//! Whether the contents of a page, and of the forms it draws, can be decoded and parsed to the last byte;
//! whether its images have as many bytes as their size takes, and its fonts glyphs of their own. The renderer
//! skips what it cannot decode, stops where it cannot parse, and reports neither.

use hayro::hayro_syntax::content::TypedIter;
use hayro::hayro_syntax::content::ops::TypedInstruction;
use hayro::hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, Stream};
use hayro::hayro_syntax::page::{Page, Resources};
use rustc_hash::FxHashSet;

use crate::fonts::Fonts;
use crate::samples;

/// An operator that no page uses, appended to the contents: a parser that reads it has read everything before.
const END: &[u8] = b"\nFirmezaEnd\n";

/// Nested forms deeper than this are not read.
const MAX_FORM_DEPTH: usize = 28;

/// How complete the contents of a page are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Contents {
    /// Every part can be decoded and parsed.
    pub(super) whole: bool,
    /// Every image has all its samples.
    pub(super) filled: bool,
    /// Every font has glyphs of its own.
    pub(super) lettered: bool,
}

/// Reads the contents of a page.
pub(super) fn read(page: &Page<'_>, fonts: &mut Fonts) -> Contents {
    let mut reader = Reader {
        fonts,
        found: Contents {
            whole: true,
            filled: true,
            lettered: true,
        },
        seen: FxHashSet::default(),
    };
    let key = b"Contents".as_slice();
    let raw = page.raw();
    if raw.contains_key(key) {
        let decoded = match (raw.get::<Stream<'_>>(key), raw.get::<Array<'_>>(key)) {
            (Some(stream), _) => filters_are_known(&stream),
            (None, Some(parts)) => parts.raw_iter().all(|part| is_decoded(page, part)),
            (None, None) => false,
        };
        reader.found.whole &= decoded;
        match page.page_stream() {
            Some(contents) => reader.operators(contents, page.resources(), 0),
            None => reader.found.whole = false,
        }
    }
    reader.found
}

/// Whether a part of the contents can be decoded; a missing part counts as empty.
fn is_decoded(page: &Page<'_>, part: MaybeRef<Object<'_>>) -> bool {
    let part = match part {
        MaybeRef::Ref(part) => page.xref().get::<Object<'_>>(part.into()),
        MaybeRef::NotRef(part) => Some(part),
    };
    match part {
        None | Some(Object::Null(_)) => true,
        Some(Object::Stream(part)) => filters_are_known(&part) && part.decoded_data().is_ok(),
        Some(_) => false,
    }
}

fn filters_are_known(stream: &Stream<'_>) -> bool {
    let (dict, key) = (stream.dict(), b"Filter".as_slice());
    let named = match (dict.get::<Name<'_>>(key), dict.get::<Array<'_>>(key)) {
        (Some(_), _) => 1,
        (None, Some(list)) => list.iter::<Name<'_>>().count(),
        (None, None) => 0,
    };
    stream.filters().len() == named
}

struct Reader<'f> {
    fonts: &'f mut Fonts,
    found: Contents,
    /// Objects that were read before.
    seen: FxHashSet<ObjectIdentifier>,
}

impl Reader<'_> {
    fn operators(&mut self, contents: &[u8], resources: &Resources<'_>, depth: usize) {
        let marked = [contents, END].concat();
        let mut operations = TypedIter::new(&marked);
        let mut ended = false;
        while let Some(operation) = operations.next() {
            ended = false;
            match operation {
                TypedInstruction::XObject(drawn) => {
                    if let Some(object) = resources.get_x_object(drawn.0) {
                        self.object(&object, resources, depth);
                    }
                }
                TypedInstruction::TextFont(chosen) => {
                    if let Some(font) = resources.get_font(chosen.0) {
                        self.found.lettered &= self.fonts.are_own(&font);
                    }
                }
                TypedInstruction::InlineImage(image) => self.found.filled &= samples::are_enough(image.0),
                TypedInstruction::Fallback(operator) => ended = END.trim_ascii() == &**operator,
                _ => {}
            }
        }
        self.found.whole &= ended;
    }

    /// Reads a form or an image that is drawn by its name.
    fn object(&mut self, object: &Stream<'_>, outer: &Resources<'_>, depth: usize) {
        if depth >= MAX_FORM_DEPTH || !self.seen.insert(object.obj_id()) {
            return;
        }
        let dict = object.dict();
        let kind = dict.get::<Name<'_>>(b"Subtype".as_slice());
        match kind.as_deref() {
            Some(b"Image") => self.found.filled &= samples::are_enough(object),
            Some(b"Form") => match object.decoded_data() {
                Ok(contents) if filters_are_known(object) => {
                    let own = dict.get::<Dict<'_>>(b"Resources".as_slice()).map(Resources::new);
                    self.operators(&contents, own.as_ref().unwrap_or(outer), depth + 1);
                }
                _ => self.found.whole = false,
            },
            _ => {}
        }
    }
}
