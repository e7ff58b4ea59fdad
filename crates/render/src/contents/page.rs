//! The contents of one page, and the appearances of its annotations.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::object::{Array, MaybeRef, Object, Stream};
use hayro::hayro_syntax::page::Page;

use crate::contents::operators::{Contents, Reader, Scope};
use crate::fonts::Fonts;
use crate::{annotations, filters, group_probe};

/// Reads the contents of a page, and of the appearances of its annotations.
pub(crate) fn read(page: &Page<'_>, fonts: &mut Fonts, settings: &InterpreterSettings) -> Contents {
    let mut reader = Reader::new(page.xref(), settings, fonts);
    let key = b"Contents".as_slice();
    let raw = page.raw();
    let scope = Scope::page(page.resources());
    if raw.contains_key(key) {
        let decoded = match (raw.get::<Stream<'_>>(key), raw.get::<Array<'_>>(key)) {
            (Some(stream), _) => filters::are_known(&stream),
            (None, Some(parts)) => parts.raw_iter().all(|part| is_decoded(page, part)),
            (None, None) => false,
        };
        reader.found.whole &= decoded;
        match page.page_stream() {
            Some(contents) => reader.operators(contents, &scope),
            None => reader.found.whole = false,
        }
    }
    for appearance in annotations::appearances(page) {
        // The renderer draws it in the state that the page leaves behind; other programs do not.
        reader.found.whole &= !reader.leaks;
        reader.form(&appearance, &scope);
    }
    reader.found.whole &= !reader.blends || group_probe::keep_ink(page, settings);
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
        Some(Object::Stream(part)) => filters::are_known(&part) && part.decoded_data().is_ok(),
        Some(_) => false,
    }
}
