//! Images as PNG. A page without colour becomes a grey image, a third of the bytes; where that holds little but
//! letters, sixteen shades are enough for their edges, and a phone waits for a third of that again.

use png::{BitDepth, ColorType, DeflateCompression, Encoder, EncodingError, Filter};

/// Pixels looked at together: of most of them, on most pages, all are white.
const BLOCK: usize = 64;
/// A page of letters has at most one pixel in so many that is neither black nor white.
const EDGES: usize = 6;

/// Encodes opaque pixels of red, green, blue and alpha. `samples` is room to work in.
pub(super) fn png(
    width: u32,
    height: u32,
    pixels: &[u8],
    samples: &mut Vec<u8>,
) -> Result<Vec<u8>, EncodingError> {
    let pixels = pixels.as_chunks::<4>().0;
    // Photographs hardly get smaller by looking harder; letters do.
    let (colour, depth, filter, level) = match grey(pixels, samples) {
        None => {
            colours(pixels, samples);
            (ColorType::Rgb, BitDepth::Eight, Filter::Up, 1)
        }
        Some(shades) if shades <= samples.len() / EDGES => {
            pack(samples, usize::try_from(width).unwrap_or(1).max(1));
            (ColorType::Grayscale, BitDepth::Four, Filter::NoFilter, 2)
        }
        Some(_) => (ColorType::Grayscale, BitDepth::Eight, Filter::Up, 1),
    };
    let mut out = Vec::with_capacity(samples.len() / 4);
    let mut encoder = Encoder::new(&mut out, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    encoder.set_deflate_compression(DeflateCompression::Level(level));
    encoder.set_filter(filter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(samples)?;
    writer.finish()?;
    Ok(out)
}

/// Two pixels a byte, in sixteen shades; each row begins with a byte of its own. What is written lies before what is
/// still to be read.
fn pack(samples: &mut Vec<u8>, width: usize) {
    let stride = width.div_ceil(2);
    let rows = samples.len() / width;
    for row in 0..rows {
        for start in (0..width).step_by(BLOCK) {
            let count = BLOCK.min(width - start);
            let mut block = [0xff; BLOCK];
            block[..count].copy_from_slice(&samples[row * width + start..][..count]);
            let packed = pairs(&block);
            let bytes = count.div_ceil(2);
            samples[row * stride + start / 2..][..bytes].copy_from_slice(&packed[..bytes]);
        }
    }
    samples.truncate(rows * stride);
}

fn pairs(block: &[u8; BLOCK]) -> [u8; BLOCK / 2] {
    // The nearest of sixteen, in numbers that fit sixteen bits.
    let shade = |sample: u8| ((u16::from(sample) * 15 + 135) >> 8) as u8;
    let mut packed = [0; BLOCK / 2];
    for (two, out) in block.as_chunks::<2>().0.iter().zip(&mut packed) {
        *out = shade(two[0]) << 4 | shade(two[1]);
    }
    packed
}

/// Whether every pixel is white.
pub(super) fn is_white(pixels: &[u8]) -> bool {
    // Whole blocks are compared at once, which is faster than stopping at the first byte.
    pixels.chunks(4 * BLOCK).all(all_ones)
}

fn all_ones(bytes: &[u8]) -> bool {
    bytes.iter().fold(0xff, |all, value| all & value) == 0xff
}

/// Fills in one sample per pixel, unless a pixel has a colour; how many are neither black nor white: the edges of
/// letters, or a photograph.
fn grey(pixels: &[[u8; 4]], samples: &mut Vec<u8>) -> Option<usize> {
    samples.clear();
    samples.resize(pixels.len(), 0xff);
    let mut shades = 0;
    for (block, out) in pixels.chunks(BLOCK).zip(samples.chunks_mut(BLOCK)) {
        if all_ones(block.as_flattened()) {
            continue;
        }
        let mut colour = 0;
        for (pixel, sample) in block.iter().zip(&mut *out) {
            let pixel = u32::from_le_bytes(*pixel);
            colour |= (pixel ^ (pixel >> 8)) & 0xffff;
            *sample = (pixel & 0xff) as u8;
        }
        if colour != 0 {
            return None;
        }
        shades += out.iter().filter(|sample| !matches!(sample, 0 | 0xff)).count();
    }
    Some(shades)
}

/// Fills in three samples per pixel.
fn colours(pixels: &[[u8; 4]], samples: &mut Vec<u8>) {
    samples.clear();
    samples.resize(pixels.len() * 3, 0);
    for ([red, green, blue, _], out) in pixels.iter().zip(samples.as_chunks_mut::<3>().0) {
        *out = [*red, *green, *blue];
    }
}
