//! Whether an image is drawn whole. The renderer leaves out an image without a size or in a form that it does not know. Of an
//! image with too few bytes it draws those that there are.

use hayro::hayro_syntax::Filter;
use hayro::hayro_syntax::object::{Array, Dict, Name, Object, Stream};
use hayro::hayro_syntax::page::Resources;

use crate::{colour_spaces, filters};

/// Whether the renderer draws an image and its mask. Where no colours are allowed, it draws only stencils.
pub(super) fn are_drawn(image: &Stream<'_>, resources: &Resources<'_>, uncoloured: bool) -> bool {
    let dict = image.dict();
    let mask = is_stencil(dict);
    if uncoloured && !mask {
        return false;
    }
    let masks = [b"SMask".as_slice(), b"Mask"];
    let masked = masks.iter().find_map(|key| dict.get::<Stream<'_>>(*key));
    is_known(image, resources, mask)
        && are_enough(image)
        && masked.is_none_or(|mask| is_known(&mask, resources, true) && are_enough(&mask))
}

fn is_stencil(image: &Dict<'_>) -> bool {
    let flag = image.get::<bool>(b"ImageMask".as_slice());
    flag.or_else(|| image.get(b"IM".as_slice())).unwrap_or(false)
}

fn number(image: &Dict<'_>, long: &str, short: &str) -> Option<u32> {
    let value = image.get::<u32>(long.as_bytes());
    value.or_else(|| image.get(short.as_bytes()))
}

/// Whether size, samples and colours have a form that the renderer knows.
fn is_known(image: &Stream<'_>, resources: &Resources<'_>, mask: bool) -> bool {
    let dict = image.dict();
    let sized = [("Width", "W"), ("Height", "H")]
        .iter()
        .all(|(long, short)| number(dict, long, short).is_some_and(|side| side > 0));
    let bits = number(dict, "BitsPerComponent", "BPC").is_none_or(|bits| (1..=16).contains(&bits));
    let space = dict.get::<Object<'_>>(b"ColorSpace".as_slice());
    let components = match space.or_else(|| dict.get(b"CS".as_slice())) {
        Some(space) if !mask => colour_spaces::of_image(&space, resources),
        _ => Some(1),
    };
    let decode = dict.get::<Array<'_>>(b"Decode".as_slice());
    let decoded = decode.or_else(|| dict.get(b"D".as_slice()));
    let ranges = decoded.map(|decode| decode.iter::<f32>().count() / 2);
    sized
        && bits
        && filters::are_known(image)
        && components.is_some_and(|components| ranges.is_none_or(|ranges| ranges >= components))
}

/// Whether there are at least as many bytes as the image surely needs.
///
/// Formats with a size of their own, such as JPEG, are left to their decoder.
fn are_enough(image: &Stream<'_>) -> bool {
    let plain = |filter: &Filter| {
        matches!(
            filter,
            Filter::AsciiHexDecode
                | Filter::Ascii85Decode
                | Filter::LzwDecode
                | Filter::FlateDecode
                | Filter::RunLengthDecode
        )
    };
    if !image.filters().iter().all(plain) {
        return true;
    }
    let dict = image.dict();
    let number = |long, short| number(dict, long, short).map(u64::from);
    let (Some(width), Some(height)) = (number("Width", "W"), number("Height", "H")) else {
        return true;
    };
    let bits = if is_stencil(dict) {
        1
    } else {
        number("BitsPerComponent", "BPC").unwrap_or(8) * components(dict)
    };
    let needed = width.saturating_mul(bits).div_ceil(8).saturating_mul(height);
    // The renderer itself reports an image that cannot be decoded at all.
    image
        .decoded_data()
        .map_or(true, |data| data.len() as u64 >= needed)
}

/// The components of a colour; one where the colour space is not a simple one.
fn components(image: &Dict<'_>) -> u64 {
    let space = image.get::<Object<'_>>(b"ColorSpace".as_slice());
    let (name, list) = match space.or_else(|| image.get(b"CS".as_slice())) {
        Some(Object::Name(name)) => (Some(name), None),
        Some(Object::Array(list)) => (
            list.iter::<Object<'_>>().next().and_then(Object::into_name),
            Some(list),
        ),
        _ => (None, None),
    };
    let second = list.and_then(|list| list.iter::<Object<'_>>().nth(1));
    match (name.as_deref(), second) {
        (Some(b"DeviceRGB" | b"RGB" | b"CalRGB" | b"Lab"), _) => 3,
        (Some(b"DeviceCMYK" | b"CMYK"), _) => 4,
        (Some(b"ICCBased"), Some(Object::Stream(profile))) => {
            profile.dict().get::<u32>(b"N".as_slice()).map_or(1, u64::from)
        }
        (Some(b"DeviceN"), Some(Object::Array(names))) => names.iter::<Name<'_>>().count() as u64,
        _ => 1,
    }
}
