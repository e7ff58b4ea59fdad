//! Images as PNG. A page without colour becomes a grey image of a third of the bytes. A grey page of little
//! but letters needs sixteen shades for their edges, and takes a third of that again on the way to a phone.

use png::{BitDepth, ColorType, DeflateCompression, Encoder, EncodingError, Filter, chunk};

use super::pixels::{BLOCK_PIXELS, all_ones, differing_neighbours, grey, shades};
use crate::deflate::zlib;

/// A page of letters has at most one pixel in this many that is neither black nor white.
const MAX_EDGE_SHARE: usize = 6;
/// On a page of letters and flat areas, at most this share of the pixels differ from their neighbours.
const MAX_FLAT_SHARE: f64 = 0.25;

/// The contents of a page without colour.
#[derive(Debug, PartialEq, Eq)]
enum GreyPage {
    /// Little but letters.
    Letters,
    /// Shades of any kind.
    Shades,
}

/// Encodes opaque RGBA pixels. `rows` is a scratch buffer.
pub(super) fn png(
    width: u16,
    height: u16,
    pixels: &[[u8; 4]],
    rows: &mut Vec<u8>,
) -> Result<Vec<u8>, EncodingError> {
    let across = usize::from(width.max(1));
    let grey = letters(pixels, across, rows);
    // Flat areas repeat their neighbours exactly; photographs only come near them.
    let photograph =
        grey != Some(GreyPage::Letters) && differing_neighbours(pixels.chunks(across)) > MAX_FLAT_SHARE;
    let lead: &[u8] = if photograph { &[] } else { &[0] };
    let (colour, depth, beside) = match grey {
        Some(GreyPage::Letters) => (ColorType::Grayscale, BitDepth::Four, 1),
        Some(GreyPage::Shades) => {
            shades(pixels, across, lead, rows);
            (ColorType::Grayscale, BitDepth::Eight, 1)
        }
        None => {
            colours(pixels, across, lead, rows);
            (ColorType::Rgb, BitDepth::Eight, 3)
        }
    };
    let mut out = Vec::with_capacity(rows.len() / 4);
    let mut encoder = Encoder::new(&mut out, width.into(), height.into());
    encoder.set_color(colour);
    encoder.set_depth(depth);
    encoder.set_deflate_compression(DeflateCompression::FdeflateUltraFast);
    encoder.set_filter(Filter::Paeth);
    let mut writer = encoder.write_header()?;
    if photograph {
        writer.write_image_data(rows)?;
    } else {
        let count = pixels.len().div_ceil(across).max(1);
        writer.write_chunk(chunk::IDAT, &zlib(rows, rows.len() / count, beside))?;
    }
    writer.finish()?;
    Ok(out)
}

/// Fills `rows` with two pixels per byte, in sixteen shades, unless a pixel has a colour.
fn letters(pixels: &[[u8; 4]], across: usize, rows: &mut Vec<u8>) -> Option<GreyPage> {
    rows.clear();
    // Neither black nor white: edges of letters, or shades.
    let mut between = 0;
    for row in pixels.chunks(across) {
        rows.push(0);
        for block in row.chunks(BLOCK_PIXELS) {
            let bytes = block.len().div_ceil(2);
            if all_ones(block.as_flattened()) {
                rows.extend_from_slice(&[0xff; BLOCK_PIXELS / 2][..bytes]);
                continue;
            }
            let (samples, colour) = grey(block);
            if colour {
                return None;
            }
            let shades = samples.iter().map(|sample| u8::from(!matches!(sample, 0 | 0xff)));
            between += usize::from(shades.sum::<u8>());
            rows.extend_from_slice(&pairs(&samples)[..bytes]);
        }
    }
    Some(if between <= pixels.len() / MAX_EDGE_SHARE {
        GreyPage::Letters
    } else {
        GreyPage::Shades
    })
}

fn pairs(block: &[u8; BLOCK_PIXELS]) -> [u8; BLOCK_PIXELS / 2] {
    // The nearest of sixteen shades, in 16-bit arithmetic.
    let shade = |sample: u8| ((u16::from(sample) * 15 + 135) >> 8) as u8;
    let mut packed = [0; BLOCK_PIXELS / 2];
    for (two, out) in block.as_chunks::<2>().0.iter().zip(&mut packed) {
        *out = shade(two[0]) << 4 | shade(two[1]);
    }
    packed
}

/// Fills `rows` with three samples per pixel; each row begins with `lead`.
fn colours(pixels: &[[u8; 4]], across: usize, lead: &[u8], rows: &mut Vec<u8>) {
    rows.clear();
    for row in pixels.chunks(across) {
        rows.extend_from_slice(lead);
        for block in row.chunks(BLOCK_PIXELS) {
            let bytes = block.len() * 3;
            if all_ones(block.as_flattened()) {
                rows.extend_from_slice(&[0xff; BLOCK_PIXELS * 3][..bytes]);
                continue;
            }
            let mut samples = [0; BLOCK_PIXELS * 3];
            for ([red, green, blue, _], out) in block.iter().zip(samples.as_chunks_mut::<3>().0) {
                *out = [*red, *green, *blue];
            }
            rows.extend_from_slice(&samples[..bytes]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: u16 = 97;

    /// The colour type of an image, the pixels before encoding, and the pixels that a decoder returns.
    fn drawn(draw: impl Fn(u16, u16) -> [u8; 3]) -> (ColorType, Vec<[u8; 3]>, Vec<[u8; 3]>) {
        let places = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)));
        let sent: Vec<[u8; 3]> = places.map(|(x, y)| draw(x, y)).collect();
        let pixels: Vec<[u8; 4]> = sent.iter().map(|[r, g, b]| [*r, *g, *b, 255]).collect();
        let file = png(SIDE, SIDE, &pixels, &mut Vec::new()).unwrap();
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut seen = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut seen).unwrap();
        let colour = reader.info().color_type;
        let seen = match colour {
            ColorType::Grayscale => seen.iter().map(|shade| [*shade; 3]).collect(),
            _ => seen.as_chunks::<3>().0.to_vec(),
        };
        (colour, sent, seen)
    }

    fn noise(x: u16, y: u16) -> u8 {
        (u32::from(x).wrapping_mul(2_654_435_761) ^ u32::from(y).wrapping_mul(40_503)).to_le_bytes()[2]
    }

    #[test]
    fn every_kind_of_page_is_seen_as_it_was_drawn() {
        let flat = |x, y| {
            if x < 40 && y % 9 < 4 {
                [200, 30, 30]
            } else {
                [255; 3]
            }
        };
        let photograph = |x, y| [noise(x, y), noise(y, x), 7];
        let scan = |x, y| [noise(x, y); 3];
        let plain = |x, y: u16| if x < 90 { [y.to_le_bytes()[0]; 3] } else { [255; 3] };
        let (colour, sent, seen) = drawn(flat);
        assert_eq!((colour, seen), (ColorType::Rgb, sent));
        let (colour, sent, seen) = drawn(photograph);
        assert_eq!((colour, seen), (ColorType::Rgb, sent));
        for shades in [drawn(scan), drawn(plain)] {
            let (colour, sent, seen) = shades;
            assert_eq!((colour, seen), (ColorType::Grayscale, sent));
        }
    }

    #[test]
    fn letters_keep_the_nearest_of_sixteen_shades() {
        let (colour, sent, seen) = drawn(|x, y| match (x % 20, y % 10) {
            (3, 1..7) => [0; 3],
            (4, 1..7) => [noise(x, y); 3],
            _ => [255; 3],
        });
        assert_eq!(colour, ColorType::Grayscale);
        for (sent, seen) in sent.iter().zip(&seen) {
            assert!(sent[0].abs_diff(seen[0]) <= 8, "{sent:?} became {seen:?}");
        }
    }
}
