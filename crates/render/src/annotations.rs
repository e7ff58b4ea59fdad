//! Whether the renderer draws every annotation that has something to show. It draws appearances. Where a
//! reader would make one itself, out of a text or a value, it draws nothing and reports nothing.

use hayro::hayro_syntax::content::TypedIter;
use hayro::hayro_syntax::content::ops::TypedInstruction;
use hayro::hayro_syntax::object::{Array, Dict, Name, Object, Rect, Stream};
use hayro::hayro_syntax::page::Page;
use rustc_hash::FxHashSet;

use crate::operations;

/// Flags of an annotation that is not shown on screen: hidden, and no view.
const HIDDEN_OR_NO_VIEW: u32 = 1 << 1 | 1 << 5;

/// Levels of fields that are searched for inherited values.
const MAX_FIELD_DEPTH: usize = 32;

/// Annotations beyond this are not looked at.
const MAX_ANNOTATIONS: usize = 10_000;

/// Forms that one appearance without an area may draw, to be looked at.
const MAX_NESTED_FORMS: usize = 32;

/// Whether the renderer draws every annotation of a page.
pub(super) fn are_drawn(page: &Page<'_>) -> bool {
    let Some(list) = page.raw().get::<Array<'_>>(b"Annots".as_slice()) else {
        return true;
    };
    let mut items = list.flex_iter();
    // The renderer stops at the first annotation that does not exist.
    let mut stopped = false;
    for (place, _) in list.raw_iter().enumerate() {
        match items.next::<Dict<'_>>() {
            None => stopped = true,
            Some(annotation) if is_hidden(&annotation) => {}
            Some(annotation) => {
                let has_area = has_area(&annotation);
                let fine = match appearance(&annotation) {
                    // Readers disagree about an appearance without an area: some draw it.
                    Appearance::Stream(look) if !has_area || is_flat(&look) => !paints(look),
                    Appearance::Stream(_) => !stopped && place < MAX_ANNOTATIONS,
                    Appearance::Nothing => true,
                    Appearance::Missing => !has_area || !shows_something(&annotation),
                };
                if !fine {
                    return false;
                }
            }
        }
    }
    true
}

/// The appearances that the renderer draws.
pub(super) fn appearances<'a>(page: &Page<'a>) -> Vec<Stream<'a>> {
    let list = page.raw().get::<Array<'_>>(b"Annots".as_slice());
    let annotations = list.iter().flat_map(Array::iter::<Dict<'_>>);
    let is_seen = |annotation: &Dict<'_>| !is_hidden(annotation) && has_area(annotation);
    let drawn = annotations.take(MAX_ANNOTATIONS).filter(is_seen);
    let streams = drawn.filter_map(|annotation| match appearance(&annotation) {
        Appearance::Stream(stream) => Some(stream),
        Appearance::Nothing | Appearance::Missing => None,
    });
    streams.collect()
}

enum Appearance<'a> {
    Stream(Stream<'a>),
    /// The state of a button that has no looks, as of one that is not pressed.
    Nothing,
    Missing,
}

/// What the renderer draws of an annotation.
fn appearance<'a>(annotation: &Dict<'a>) -> Appearance<'a> {
    let looks = annotation.get::<Dict<'_>>(b"AP".as_slice());
    match looks.and_then(|looks| looks.get::<Object<'_>>(b"N".as_slice())) {
        Some(Object::Stream(stream)) => Appearance::Stream(stream),
        Some(Object::Dict(states)) => {
            let state = annotation.get::<Name<'_>>(b"AS".as_slice());
            let named = state.as_ref().and_then(|state| states.get::<Object<'_>>(state));
            match (named, state) {
                (Some(Object::Stream(stream)), _) => Appearance::Stream(stream),
                (None, Some(_)) => Appearance::Nothing,
                _ => Appearance::Missing,
            }
        }
        _ => Appearance::Missing,
    }
}

fn is_hidden(annotation: &Dict<'_>) -> bool {
    let flags = annotation.get::<u32>(b"F".as_slice()).unwrap_or(0);
    flags & HIDDEN_OR_NO_VIEW != 0
}

fn has_area(annotation: &Dict<'_>) -> bool {
    let area = annotation.get::<Rect>(b"Rect".as_slice());
    area.is_some_and(|area| area.width() > 0.0 && area.height() > 0.0)
}

/// Whether the box of an appearance has no area.
fn is_flat(look: &Stream<'_>) -> bool {
    let area = look.dict().get::<Rect>(b"BBox".as_slice());
    area.is_some_and(|area| area.width() <= 0.0 || area.height() <= 0.0)
}

/// Whether an appearance, or a form that it draws, has an operator that paints. Signatures that are not to be seen have
/// appearances without one.
fn paints(look: Stream<'_>) -> bool {
    let mut pending = vec![look];
    let mut seen = FxHashSet::default();
    while let Some(form) = pending.pop() {
        if !seen.insert(form.obj_id()) {
            continue;
        }
        let Ok(contents) = form.decoded_data() else {
            return true;
        };
        let resources = form.dict().get::<Dict<'_>>(b"Resources".as_slice());
        let objects = resources.and_then(|resources| resources.get::<Dict<'_>>(b"XObject".as_slice()));
        let objects = objects.unwrap_or_default();
        let mut operations = TypedIter::new(&contents);
        while let Some(operation) = operations.next() {
            match operation {
                TypedInstruction::XObject(drawn) => match objects.get::<Stream<'_>>(drawn.0) {
                    Some(object) if is_form(&object) && pending.len() < MAX_NESTED_FORMS => {
                        pending.push(object);
                    }
                    _ => return true,
                },
                other if operations::paints(&other) => return true,
                _ => {}
            }
        }
    }
    false
}

fn is_form(object: &Stream<'_>) -> bool {
    let kind = object.dict().get::<Name<'_>>(b"Subtype".as_slice());
    kind.as_deref() == Some(b"Form".as_slice())
}

/// Whether readers show anything of an annotation without an appearance.
fn shows_something(annotation: &Dict<'_>) -> bool {
    let kind = annotation.get::<Name<'_>>(b"Subtype".as_slice());
    match kind.as_deref() {
        Some(b"Link" | b"Popup") => false,
        Some(b"Widget") => is_filled(annotation) || is_decorated(annotation),
        _ => true,
    }
}

/// A field and the fields above it.
fn lineage<'a>(field: &Dict<'a>) -> impl Iterator<Item = Dict<'a>> {
    let above = |field: &Dict<'a>| field.get::<Dict<'a>>(b"Parent".as_slice());
    std::iter::successors(Some(field.clone()), above).take(MAX_FIELD_DEPTH)
}

/// Whether a field has a value that is shown.
fn is_filled(field: &Dict<'_>) -> bool {
    let holder = lineage(field).find(|field| field.contains_key(b"V".as_slice()));
    match holder.and_then(|field| field.get::<Object<'_>>(b"V".as_slice())) {
        None | Some(Object::Null(_)) => false,
        Some(Object::String(text)) => !text.as_bytes().is_empty(),
        Some(Object::Name(state)) => *state != *b"Off",
        Some(_) => true,
    }
}

/// Whether a field has a border, a background or a caption. Readers do not show them of an empty signature field.
fn is_decorated(field: &Dict<'_>) -> bool {
    let kind = lineage(field).find_map(|field| field.get::<Name<'_>>(b"FT".as_slice()));
    let Some(looks) = field.get::<Dict<'_>>(b"MK".as_slice()) else {
        return false;
    };
    let coloured = |key: &[u8]| {
        let colour = looks.get::<Array<'_>>(key);
        colour.is_some_and(|colour| colour.raw_iter().next().is_some())
    };
    let decorated = looks.contains_key(b"CA".as_slice()) || coloured(b"BG") || coloured(b"BC");
    decorated && kind.as_deref() != Some(b"Sig".as_slice())
}
