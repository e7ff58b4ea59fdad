//! Whether the renderer understands a colour space. It paints colours of others as shades of grey.

use hayro::hayro_interpret::Function;
use hayro::hayro_syntax::object::{Array, Dict, Name, Object, Stream, String as PdfString};
use hayro::hayro_syntax::page::Resources;

/// Colour spaces nested deeper than this are not read.
const MAX_DEPTH: usize = 6;

/// The components of a colour space that is chosen by its name, if it is understood.
pub(super) fn named(name: &Name<'_>, resources: &Resources<'_>) -> Option<usize> {
    device(name).or_else(|| components(&resources.get_color_space(name)?, 0))
}

/// The components of an image's colour space, if it is understood.
pub(super) fn of_image(space: &Object<'_>, resources: &Resources<'_>) -> Option<usize> {
    match space {
        Object::Name(name) => named(name, resources),
        space => components(space, 0),
    }
}

/// Whether a name is a colour space by itself, so that no resources are asked for it.
pub(super) fn is_device(name: &Name<'_>) -> bool {
    device(name).is_some()
}

fn device(name: &Name<'_>) -> Option<usize> {
    match &**name {
        b"DeviceGray" | b"G" => Some(1),
        b"DeviceRGB" | b"RGB" | b"Pattern" => Some(3),
        b"DeviceCMYK" | b"CMYK" | b"CalCMYK" => Some(4),
        _ => None,
    }
}

fn components(space: &Object<'_>, depth: usize) -> Option<usize> {
    let list = match space {
        Object::Name(name) => return device(name),
        Object::Array(list) if depth < MAX_DEPTH => list,
        _ => return None,
    };
    let mut items = list.flex_iter();
    let kind = items.next::<Name<'_>>()?;
    match &*kind {
        b"ICCBased" => profile(&items.next::<Stream<'_>>()?, depth),
        b"CalGray" => items.next::<Dict<'_>>().map(|_| 1),
        b"CalRGB" | b"Lab" => items.next::<Dict<'_>>().map(|_| 3),
        b"Indexed" | b"I" => {
            let base = components(&items.next::<Object<'_>>()?, depth + 1)?;
            let highest = usize::try_from(items.next::<u32>()?.min(255)).ok()?;
            let table = items.next::<Object<'_>>()?;
            let length = match &table {
                Object::Stream(table) => table.decoded_data().ok()?.len(),
                Object::String(table) => PdfString::as_bytes(table).len(),
                _ => return None,
            };
            (length >= (highest + 1) * base).then_some(1)
        }
        b"Separation" => {
            items.next::<Name<'_>>()?;
            let alternate = components(&items.next::<Object<'_>>()?, depth + 1)?;
            is_tint(&items.next::<Object<'_>>()?, 1, alternate).then_some(1)
        }
        b"DeviceN" => {
            let names = items.next::<Array<'_>>()?.iter::<Name<'_>>().count();
            let alternate = components(&items.next::<Object<'_>>()?, depth + 1)?;
            is_tint(&items.next::<Object<'_>>()?, names, alternate).then_some(names)
        }
        b"Pattern" => match items.next::<Object<'_>>() {
            Some(base) => components(&base, depth + 1),
            None => Some(3),
        },
        _ => device(&kind),
    }
}

fn profile(profile: &Stream<'_>, depth: usize) -> Option<usize> {
    profile.decoded_data().ok()?;
    let dict = profile.dict();
    match dict.get::<usize>(b"N".as_slice())? {
        count @ (1 | 3 | 4) => Some(count),
        _ => components(&dict.get::<Object<'_>>(b"Alternate".as_slice())?, depth + 1),
    }
}

/// Whether a function turns colorants into colours of the alternate space.
fn is_tint(function: &Object<'_>, colorants: usize, alternate: usize) -> bool {
    let Some(function) = Function::new(function) else {
        return false;
    };
    let fits = function.num_inputs() == colorants && function.num_outputs() == alternate;
    // Of all colorants and of none, a program may stop on its way.
    fits && [0.0, 1.0].iter().all(|amount| {
        let (input, mut output) = (vec![*amount; colorants], vec![0.0; alternate]);
        function.eval(&input, &mut output).is_some()
    })
}
