//! Images as PNG, fast: a page without colour becomes a grey image, a third of the bytes.

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};

/// Pixels looked at together: of most of them, on most pages, all are white.
const BLOCK: usize = 64;

/// Encodes opaque pixels of red, green, blue and alpha. `samples` is room to work in.
pub(super) fn png(
    width: u32,
    height: u32,
    pixels: &[u8],
    samples: &mut Vec<u8>,
) -> Result<Vec<u8>, EncodingError> {
    let pixels = pixels.as_chunks::<4>().0;
    let colour = if grey(pixels, samples) {
        ColorType::Grayscale
    } else {
        samples.clear();
        samples.extend(
            pixels
                .iter()
                .flat_map(|[red, green, blue, _]| [*red, *green, *blue]),
        );
        ColorType::Rgb
    };
    let mut out = Vec::with_capacity(samples.len() / 4);
    let mut encoder = Encoder::new(&mut out, width, height);
    encoder.set_color(colour);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fastest);
    encoder.set_filter(Filter::Up);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(samples)?;
    writer.finish()?;
    Ok(out)
}

/// Whether every pixel is white.
pub(super) fn is_white(pixels: &[u8]) -> bool {
    // Whole blocks are compared at once, which is faster than stopping at the first byte.
    pixels.chunks(4 * BLOCK).all(all_ones)
}

fn all_ones(bytes: &[u8]) -> bool {
    bytes.iter().fold(0xff, |all, value| all & value) == 0xff
}

/// Fills in one sample per pixel, unless a pixel has a colour.
fn grey(pixels: &[[u8; 4]], samples: &mut Vec<u8>) -> bool {
    samples.clear();
    samples.resize(pixels.len(), 0xff);
    for (block, out) in pixels.chunks(BLOCK).zip(samples.chunks_mut(BLOCK)) {
        if all_ones(block.as_flattened()) {
            continue;
        }
        let mut colour = 0;
        for (pixel, sample) in block.iter().zip(out) {
            let pixel = u32::from_le_bytes(*pixel);
            colour |= (pixel ^ (pixel >> 8)) & 0xffff;
            *sample = (pixel & 0xff) as u8;
        }
        if colour != 0 {
            return false;
        }
    }
    true
}
