//! Pages as image files. Letters and flat areas are PNG. A page with photographic content is JPEG where the client
//! takes that: a scan is a tenth of its PNG.

mod jpeg;
mod pixels;
mod png;

use crate::image_format::{ImageFormat, Photographs};
use crate::outcome::Failure;

/// On a page that is one photograph or scan, more than this share of the pixels differ from their neighbours.
const MIN_PHOTOGRAPH_SHARE: f64 = 0.33;

/// Whether every pixel is white.
pub(super) fn is_white(pixels: &[u8]) -> bool {
    pixels::is_white(pixels)
}

/// Encodes opaque RGBA pixels. `rows` is a scratch buffer.
pub(super) fn encode(
    width: u16,
    height: u16,
    pixels: &[u8],
    photographs: Photographs,
    rows: &mut Vec<u8>,
) -> Result<(ImageFormat, Vec<u8>), Failure> {
    let pixels = pixels.as_chunks::<4>().0;
    let across = usize::from(width.max(1));
    let png = |rows: &mut Vec<u8>| png::png(width, height, pixels, rows).map_err(|_| Failure::TooLarge);
    let Photographs::Jpeg { max_bytes } = photographs else {
        return Ok((ImageFormat::Png, png(rows)?));
    };
    let jpeg = |rows: &mut Vec<u8>| {
        jpeg::jpeg(width, height, pixels, max_bytes, rows).map_err(|_| Failure::TooLarge)
    };
    if pixels::differing_neighbours(pixels, across) > MIN_PHOTOGRAPH_SHARE {
        return Ok((ImageFormat::Jpeg, jpeg(rows)?));
    }
    let file = png(rows)?;
    // A page of letters is smaller; this one has a photograph beside them.
    if file.len() > 3 * max_bytes {
        return Ok((ImageFormat::Jpeg, jpeg(rows)?));
    }
    Ok((ImageFormat::Png, file))
}
