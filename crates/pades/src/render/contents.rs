//! Whether the drawing of a page can be read from its first to its last byte. The renderer passes over what it
//! cannot decode and stops where it cannot go on, without a word.

use hayro::hayro_syntax::content::TypedIter;
use hayro::hayro_syntax::content::ops::TypedInstruction;
use hayro::hayro_syntax::object::{Array, Name, Stream};
use hayro::hayro_syntax::page::Page;

/// An operator that no page uses: whoever meets it has come to the end.
const END: &[u8] = b"\nFirmezaEnd\n";

/// Whether every part of a page's contents can be decoded and read.
pub(super) fn are_whole(page: &Page<'_>) -> bool {
    let key = b"Contents".as_slice();
    let raw = page.raw();
    if !raw.contains_key(key) {
        return true;
    }
    let decoded = match (raw.get::<Stream<'_>>(key), raw.get::<Array<'_>>(key)) {
        (Some(stream), _) => filters_are_known(&stream),
        (None, Some(parts)) => parts
            .iter::<Stream<'_>>()
            .all(|part| filters_are_known(&part) && part.decoded_data().is_ok()),
        (None, None) => false,
    };
    decoded && page.page_stream().is_some_and(are_read_to_the_end)
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

fn are_read_to_the_end(contents: &[u8]) -> bool {
    let marked = [contents, END].concat();
    let mut operations = TypedIter::new(&marked);
    let mut ended = false;
    while let Some(operation) = operations.next() {
        ended = matches!(operation, TypedInstruction::Fallback(operator) if END.trim_ascii() == &**operator);
    }
    ended
}
