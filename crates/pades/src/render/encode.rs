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
    let (colour, depth, filter) = if !grey(pixels, samples) {
        samples.clear();
        samples.extend(
            pixels
                .iter()
                .flat_map(|[red, green, blue, _]| [*red, *green, *blue]),
        );
        (ColorType::Rgb, BitDepth::Eight, Filter::Up)
    } else if is_lettering(samples) {
        pack(samples, usize::try_from(width).unwrap_or(1));
        (ColorType::Grayscale, BitDepth::Four, Filter::NoFilter)
    } else {
        (ColorType::Grayscale, BitDepth::Eight, Filter::Up)
    };
    let mut out = Vec::with_capacity(samples.len() / 4);
    let mut encoder = Encoder::new(&mut out, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    encoder.set_deflate_compression(DeflateCompression::Level(3));
    encoder.set_filter(filter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(samples)?;
    writer.finish()?;
    Ok(out)
}

/// Whether little of a grey image is neither black nor white: the edges of letters, not a photograph.
fn is_lettering(samples: &[u8]) -> bool {
    let shades: usize = samples
        .chunks(BLOCK)
        .filter(|block| !all_ones(block))
        .map(|block| block.iter().filter(|sample| !matches!(sample, 0 | 0xff)).count())
        .sum();
    shades <= samples.len() / EDGES
}

/// Two pixels a byte, in sixteen shades; each row begins with a byte of its own.
fn pack(samples: &mut Vec<u8>, width: usize) {
    let shade = |sample: u8| (u16::from(sample) * 15 + 127) / 255;
    let mut packed = Vec::with_capacity(samples.len() / 2 + samples.len() / width.max(1));
    for row in samples.chunks(width.max(1)) {
        packed.extend(row.chunks(2).map(|pair| {
            let second = pair.get(1).copied().map_or(0, shade);
            u8::try_from(shade(pair[0]) << 4 | second).unwrap_or(0xff)
        }));
    }
    *samples = packed;
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
