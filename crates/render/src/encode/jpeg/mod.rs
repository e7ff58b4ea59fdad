//! Photographs as JPEG, as good as a number of bytes allows.

#![allow(
    clippy::inline_always,
    reason = "so that it is compiled for the processor that was found"
)]

mod dct;
mod huffman;
mod planes;

use fearless_simd::{Level, Simd, SimdBase, dispatch, f32x8};

use dct::{Block, Factors, ZIGZAG, quantized};
use huffman::{CHROMA_AC, CHROMA_DC, JpegBits, JpegCodes, LUMA_AC, LUMA_DC};
use planes::Plane;
pub(crate) use planes::Planes;

/// Qualities, best first, and the bytes that a scan takes at each, in percent of those at the first.
const QUALITIES: [(u8, usize); 6] = [(80, 100), (70, 80), (60, 67), (50, 58), (40, 51), (30, 44)];
/// What is too large at this quality as well is noise, and is sent as it is.
const MIN_QUALITY: u8 = 30;

/// Divisors of brightness and of colours at quality 50, row by row (ITU-T T.81, annex K.1).
const LUMA_DIVISORS: [u16; 64] = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17,
    22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78,
    87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
];
const CHROMA_DIVISORS: [u16; 64] = [
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
];

/// Encodes a picture at the best quality that takes at most so many bytes.
pub(super) fn jpeg(picture: &Planes, max_bytes: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(picture.luma.samples.len() / 4);
    let mut best_bytes = 0;
    for (quality, percent) in QUALITIES {
        if best_bytes * percent / 100 > max_bytes && quality > MIN_QUALITY {
            continue;
        }
        out.clear();
        dispatch!(Level::new(), simd => encode(simd, picture, quality, &mut out));
        if out.len() <= max_bytes {
            break;
        }
        best_bytes = best_bytes.max(out.len());
    }
    out
}

/// Divisors at a quality, by the formula of the Independent JPEG Group.
fn divisors(table: &[u16; 64], quality: u8) -> [u8; 64] {
    let quality = u16::from(quality);
    let scale = if quality < 50 {
        5000 / quality.max(1)
    } else {
        200 - 2 * quality
    };
    table.map(|divisor| {
        u8::try_from((divisor * scale + 50) / 100)
            .unwrap_or(u8::MAX)
            .max(1)
    })
}

/// A plane with its tables, and the first value of the block before.
struct Component<'p> {
    plane: &'p Plane,
    factors: Factors,
    dc: JpegCodes,
    ac: JpegCodes,
    before: i16,
}

impl Component<'_> {
    #[inline(always)]
    fn block<S: Simd>(&mut self, simd: S, across: usize, down: usize, bits: &mut JpegBits<'_>) {
        let values = quantized(
            simd,
            samples(simd, self.plane, 8 * across, 8 * down),
            &self.factors,
        );
        bits.block(&values, values[0] - self.before, &self.dc, &self.ac);
        self.before = values[0];
    }
}

/// The samples of a block, around zero. Beyond its edges a plane goes on as it ended.
#[inline(always)]
fn samples<S: Simd>(simd: S, plane: &Plane, left: usize, top: usize) -> Block<S> {
    let mut block = [f32x8::splat(simd, 0.0); 8];
    let inside = left + 8 <= plane.width && top + 8 <= plane.height;
    for (down, row) in (top..).zip(&mut block) {
        let start = down.min(plane.height - 1) * plane.width;
        let mut samples = [0.0; 8];
        match plane.samples.get(start + left..start + left + 8) {
            Some(bytes) if inside => {
                for (sample, byte) in samples.iter_mut().zip(bytes) {
                    *sample = f32::from(*byte);
                }
            }
            _ => {
                for (sample, across) in samples.iter_mut().zip(left..) {
                    *sample = f32::from(plane.samples[start + across.min(plane.width - 1)]);
                }
            }
        }
        *row = f32x8::from_slice(simd, &samples) - 128.0;
    }
    block
}

#[inline(always)]
fn encode<S: Simd>(simd: S, picture: &Planes, quality: u8, out: &mut Vec<u8>) {
    let tables = [&LUMA_DIVISORS, &CHROMA_DIVISORS].map(|table| divisors(table, quality));
    headers(picture, &tables, out);
    let component = |plane, divisors, dc, ac| Component {
        plane,
        factors: Factors::new(divisors),
        dc: JpegCodes::new(dc),
        ac: JpegCodes::new(ac),
        before: 0,
    };
    let mut luma = component(&picture.luma, &tables[0], &LUMA_DC, &LUMA_AC);
    let Plane { width, height, .. } = picture.luma;
    let mut bits = JpegBits::after(out);
    match &picture.chroma {
        None => {
            for down in 0..height.div_ceil(8) {
                for across in 0..width.div_ceil(8) {
                    luma.block(simd, across, down, &mut bits);
                }
            }
        }
        Some(planes) => {
            let mut chroma = planes
                .each_ref()
                .map(|plane| component(plane, &tables[1], &CHROMA_DC, &CHROMA_AC));
            for down in 0..height.div_ceil(16) {
                for across in 0..width.div_ceil(16) {
                    for (right, below) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                        luma.block(simd, 2 * across + right, 2 * down + below, &mut bits);
                    }
                    for component in &mut chroma {
                        component.block(simd, across, down, &mut bits);
                    }
                }
            }
        }
    }
    bits.finish();
    out.extend_from_slice(&[0xff, 0xd9]);
}

/// Everything before the bits of the blocks.
fn headers(picture: &Planes, divisors: &[[u8; 64]; 2], out: &mut Vec<u8>) {
    let sides = [picture.luma.height, picture.luma.width];
    let sides = sides.map(|side| u16::try_from(side).unwrap_or(u16::MAX).to_be_bytes());
    let (frame, scan, tables): (&[u8], &[u8], _) = match picture.chroma {
        None => (&[1, 1, 0x11, 0], &[1, 1, 0], 1),
        Some(_) => (
            &[3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1],
            &[3, 1, 0, 2, 0x11, 3, 0x11],
            2,
        ),
    };
    out.extend_from_slice(&[0xff, 0xd8]);
    segment(out, 0xe0, &[b"JFIF\0\x01\x02\0\0\x01\0\x01\0\0"]);
    for (number, divisors) in (0..tables).zip(divisors) {
        segment(out, 0xdb, &[&[number], &ZIGZAG.map(|place| divisors[place])]);
    }
    segment(out, 0xc0, &[&[8], sides.as_flattened(), frame]);
    let codes = [(0, LUMA_DC), (0x10, LUMA_AC), (1, CHROMA_DC), (0x11, CHROMA_AC)];
    for (number, (lengths, symbols)) in codes.into_iter().take(2 * usize::from(tables)) {
        segment(out, 0xc4, &[&[number], &lengths, symbols]);
    }
    segment(out, 0xda, &[scan, &[0, 63, 0]]);
}

fn segment(out: &mut Vec<u8>, marker: u8, parts: &[&[u8]]) {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let length = u16::try_from(length + 2).unwrap_or(u16::MAX);
    out.extend_from_slice(&[0xff, marker]);
    out.extend_from_slice(&length.to_be_bytes());
    for part in parts {
        out.extend_from_slice(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zune_jpeg::JpegDecoder;
    use zune_jpeg::zune_core::bytestream::ZCursor;
    use zune_jpeg::zune_core::colorspace::ColorSpace;
    use zune_jpeg::zune_core::options::DecoderOptions;

    /// The greatest difference between a picture and what a decoder reads of it, and the components of its JPEG.
    fn difference(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 3]) -> (u8, u8) {
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let sent: Vec<[u8; 3]> = places.map(|(x, y)| pixel(x, y)).collect();
        let file = jpeg(&Planes::of_colours(&sent, width).unwrap(), usize::MAX);
        let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGB);
        let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&file), options);
        let seen = decoder.decode().unwrap();
        assert_eq!(decoder.dimensions(), Some((width as usize, height as usize)));
        let pairs = sent.as_flattened().iter().zip(&seen);
        let greatest = pairs.map(|(sent, seen)| sent.abs_diff(*seen)).max().unwrap();
        (greatest, decoder.info().unwrap().components)
    }

    fn slope(x: u32, y: u32, step: u32) -> u8 {
        u8::try_from((40 + step * x + 2 * y).min(220)).unwrap()
    }

    #[test]
    fn a_decoder_reads_pictures_of_every_size() {
        for (width, height) in [(1, 1), (8, 8), (16, 16), (17, 9), (31, 33), (7, 50), (64, 15)] {
            let (greatest, components) = difference(width, height, |x, y| [slope(x, y, 1); 3]);
            assert!(greatest <= 6 && components == 1, "{width} x {height}: {greatest}");
            let colour = |x, y| [slope(x, y, 1), 120, slope(y, x, 2)];
            let (greatest, components) = difference(width, height, colour);
            assert!(
                greatest <= 16 && components == 3,
                "{width} x {height}: {greatest}"
            );
        }
    }

    #[test]
    fn ink_on_paper_keeps_its_edges() {
        let (greatest, _) = difference(40, 40, |x, _| if x < 19 { [0; 3] } else { [255; 3] });
        assert!(greatest < 40, "{greatest}");
    }

    #[test]
    fn fewer_bytes_are_worse_qualities() {
        let noise = |at: u32| at.wrapping_mul(2_654_435_761).to_be_bytes()[0];
        let pixels: Vec<[u8; 3]> = (0..200 * 200).map(|at| [noise(at), noise(at + 7), 9]).collect();
        let picture = Planes::of_colours(&pixels, 200).unwrap();
        let best = jpeg(&picture, usize::MAX).len();
        let fitting = jpeg(&picture, best * 6 / 10).len();
        assert!(
            fitting <= best * 6 / 10 && fitting > best * 4 / 10,
            "{fitting} of {best}"
        );
        assert!(jpeg(&picture, 1).len() < fitting);
    }
}
