//! Whether an image has as many bytes as its size takes. The renderer draws those there are and leaves out the rest.

use hayro::hayro_syntax::Filter;
use hayro::hayro_syntax::object::{Dict, Name, Object, Stream};

/// Whether there are at least as many bytes as the image surely needs.
///
/// Formats with a size of their own, such as JPEG, are left to their decoder.
pub(super) fn are_enough(image: &Stream<'_>) -> bool {
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
    let number = |long: &str, short: &str| {
        let value = dict.get::<u32>(long.as_bytes());
        value.or_else(|| dict.get(short.as_bytes())).map(u64::from)
    };
    let (Some(width), Some(height)) = (number("Width", "W"), number("Height", "H")) else {
        return true;
    };
    let mask = dict.get::<bool>(b"ImageMask".as_slice());
    let bits = match mask.or_else(|| dict.get(b"IM".as_slice())) {
        Some(true) => 1,
        _ => number("BitsPerComponent", "BPC").unwrap_or(8) * components(dict),
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
