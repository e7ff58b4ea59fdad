//! Pages as image files. Letters and flat areas are PNG. A page with photographic content is JPEG where the client
//! takes that: a scan is a tenth of its PNG.

mod jpeg;
mod pixels;
mod png;

pub(super) use jpeg::Planes;
use pixels::differing_neighbours;

use crate::image_format::{ImageFormat, Photographs};
use crate::outcome::Failure;

/// On a page that is one photograph or scan, more than this share of the pixels differ from their neighbours.
const MIN_PHOTOGRAPH_SHARE: f64 = 0.33;

/// Whether every pixel is white.
pub(super) fn is_white(pixels: &[u8]) -> bool {
    pixels::is_white(pixels)
}

/// Encodes a picture as JPEG, unless it is more like a page of letters and flat areas.
pub(super) fn photograph(picture: &Planes, max_bytes: usize) -> Option<Vec<u8>> {
    (differing_neighbours(picture.rows()) > MIN_PHOTOGRAPH_SHARE).then(|| jpeg::jpeg(picture, max_bytes))
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
    let jpeg = || {
        let picture = Planes::of_colours(pixels, width.into()).ok_or(Failure::TooLarge)?;
        Ok((ImageFormat::Jpeg, jpeg::jpeg(&picture, max_bytes)))
    };
    if differing_neighbours(pixels.chunks(across)) > MIN_PHOTOGRAPH_SHARE {
        return jpeg();
    }
    let file = png(rows)?;
    // A page of letters is smaller; this one has a photograph beside them.
    if file.len() > 3 * max_bytes {
        return jpeg();
    }
    Ok((ImageFormat::Png, file))
}
