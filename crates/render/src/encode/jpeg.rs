//! Photographs as JPEG, as good as a number of bytes allows.

use jpeg_encoder::{ColorType, Encoder, EncodingError, SamplingFactor};

use super::pixels::shades;

/// Qualities, best first, and the bytes that a scan takes at each, in percent of those at the first.
const QUALITIES: [(u8, usize); 6] = [(80, 100), (70, 80), (60, 67), (50, 58), (40, 51), (30, 44)];
/// What is too large at this quality as well is noise, and is sent as it is.
const MIN_QUALITY: u8 = 30;

/// Encodes opaque RGBA pixels at the best quality that takes at most so many bytes. `rows` is a scratch buffer.
pub(super) fn jpeg(
    width: u16,
    height: u16,
    pixels: &[[u8; 4]],
    max_bytes: usize,
    rows: &mut Vec<u8>,
) -> Result<Vec<u8>, EncodingError> {
    let (samples, colour) = if shades(pixels, usize::from(width.max(1)), &[], rows) {
        (rows.as_slice(), ColorType::Luma)
    } else {
        (pixels.as_flattened(), ColorType::Rgba)
    };
    let mut out = Vec::with_capacity(max_bytes);
    let mut best_bytes = 0;
    for (quality, percent) in QUALITIES {
        if best_bytes * percent / 100 > max_bytes && quality > MIN_QUALITY {
            continue;
        }
        out.clear();
        let mut encoder = Encoder::new(&mut out, quality);
        // Letters are sharp in brightness; colours at half the width and height keep stamps and ink.
        encoder.set_sampling_factor(SamplingFactor::F_2_2);
        encoder.encode(samples, width, height, colour)?;
        if out.len() <= max_bytes {
            break;
        }
        best_bytes = best_bytes.max(out.len());
    }
    Ok(out)
}
