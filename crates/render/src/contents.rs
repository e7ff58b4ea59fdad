//! Whether the drawing of a page can be read from its first to its last byte, and that of the forms it draws; whether
//! its images have as many bytes as they are large, and its fonts letters of their own. The renderer passes over what it
//! cannot decode and stops where it cannot go on, without a word.

use hayro::hayro_syntax::content::TypedIter;
use hayro::hayro_syntax::content::ops::TypedInstruction;
use hayro::hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, Stream};
use hayro::hayro_syntax::page::{Page, Resources};
use rustc_hash::FxHashSet;

use crate::fonts::Fonts;
use crate::samples;

/// An operator that no page uses: whoever meets it has come to the end.
const END: &[u8] = b"\nFirmezaEnd\n";

/// Forms within one another that are looked into.
const MAX_FORM_DEPTH: usize = 28;

/// What there is of a page's contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Contents {
    /// Every part can be decoded and read.
    pub(super) whole: bool,
    /// Every image has all its samples.
    pub(super) filled: bool,
    /// Every font has letters of its own.
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

/// Whether a part of the contents can be decoded; one that is not there counts for nothing.
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
    /// What was drawn before need not be read again.
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

    /// Looks into something that is drawn by its name.
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
