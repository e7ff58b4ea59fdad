//! Whether the filters of a stream are known.

use hayro::hayro_syntax::object::{Array, Name, Stream};

/// Whether every filter of a stream is known: the renderer takes an unknown one for none.
pub(super) fn are_known(stream: &Stream<'_>) -> bool {
    let dict = stream.dict();
    let named = |key: &[u8]| match (dict.get::<Name<'_>>(key), dict.get::<Array<'_>>(key)) {
        (Some(_), _) => Some(1),
        (None, Some(list)) => Some(list.iter::<Name<'_>>().count()),
        (None, None) => None,
    };
    let named = named(b"Filter").or_else(|| named(b"F"));
    stream.filters().len() == named.unwrap_or(0)
}
