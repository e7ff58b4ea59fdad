//! A picture as JPEG stores it: brightness, and colours at half the width and height.

#![allow(
    clippy::inline_always,
    reason = "so that it is compiled for the processor that was found"
)]

use fearless_simd::{Level, dispatch};
use pic_scale::{ImageSize, ImageStore, ImageStoreMut, ResamplingFunction, Scaler};

/// What both colours of a grey pixel are.
const NO_COLOUR: u8 = 128;

/// Samples in rows.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Plane {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) samples: Vec<u8>,
}

/// Brightness, and blue and red colour unless the picture is grey.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Planes {
    pub(super) luma: Plane,
    pub(super) chroma: Option<[Plane; 2]>,
}

impl Plane {
    fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            samples: vec![0; width * height],
        }
    }

    fn resized(self, width: usize, height: usize) -> Option<Self> {
        self.with_height(height)?.with_width(width)
    }

    fn with_height(self, height: usize) -> Option<Self> {
        if self.height == height {
            return Some(self);
        }
        let mut out = Self::new(self.width, height);
        let sizes = [&self, &out].map(|plane| ImageSize::new(plane.width, plane.height));
        let plan = scaler().plan_planar_resampling(sizes[0], sizes[1]).ok()?;
        let from = ImageStore::from_slice(&self.samples, self.width, self.height).ok()?;
        let mut to = ImageStoreMut::from_slice(&mut out.samples, self.width, height).ok()?;
        plan.resample(&from, &mut to).ok()?;
        Some(out)
    }

    /// Four rows at once are scaled like the colours of one row, which takes a quarter of the time.
    fn with_width(self, width: usize) -> Option<Self> {
        if self.width == width {
            return Some(self);
        }
        let fours = self.height.div_ceil(4);
        let packed = dispatch!(Level::new(), _ => self.packed(fours));
        let mut narrowed = vec![0; 4 * width * fours];
        let sizes = [self.width, width].map(|width| ImageSize::new(width, fours));
        let plan = scaler().plan_rgba_resampling(sizes[0], sizes[1], false).ok()?;
        let from = ImageStore::from_slice(&packed, self.width, fours).ok()?;
        let mut to = ImageStoreMut::from_slice(&mut narrowed, width, fours).ok()?;
        plan.resample(&from, &mut to).ok()?;
        let mut out = Self::new(width, self.height);
        dispatch!(Level::new(), _ => out.unpack(&narrowed));
        Some(out)
    }

    #[inline(always)]
    fn packed(&self, fours: usize) -> Vec<u8> {
        let mut packed = vec![0; 4 * self.width * fours];
        let groups = self.samples.chunks(4 * self.width);
        for (rows, packed) in groups.zip(packed.chunks_mut(4 * self.width)) {
            let row = |place: usize| rows.get(place * self.width..(place + 1) * self.width);
            let [first, second, third, fourth] = [0, 1, 2, 3].map(|place| row(place).unwrap_or(rows));
            let places = first.iter().zip(second).zip(third).zip(fourth);
            for (packed, (((first, second), third), fourth)) in
                packed.as_chunks_mut().0.iter_mut().zip(places)
            {
                *packed = [*first, *second, *third, *fourth];
            }
        }
        packed
    }

    #[inline(always)]
    fn unpack(&mut self, packed: &[u8]) {
        let groups = self.samples.chunks_mut(4 * self.width);
        for (rows, packed) in groups.zip(packed.chunks(4 * self.width)) {
            let packed = packed.as_chunks::<4>().0;
            for (place, row) in rows.chunks_mut(self.width).enumerate() {
                match place {
                    0 => pick::<4, 0>(packed, row),
                    1 => pick::<4, 1>(packed, row),
                    2 => pick::<4, 2>(packed, row),
                    _ => pick::<4, 3>(packed, row),
                }
            }
        }
    }
}

/// With the filter of the renderer.
fn scaler() -> Scaler {
    Scaler::new(ResamplingFunction::Hermite)
}

impl Planes {
    /// Of pixels that begin with red, green and blue, in rows of this width.
    pub(crate) fn of_colours<const N: usize>(pixels: &[[u8; N]], width: u32) -> Option<Self> {
        let width = usize::try_from(width).ok().filter(|width| *width > 0)?;
        if pixels.len() < width {
            return None;
        }
        let mut planes = dispatch!(Level::new(), _ => Self::separated(pixels, width));
        let grey = |plane: &Plane| plane.samples.iter().all(|sample| *sample == NO_COLOUR);
        planes.chroma = planes.chroma.filter(|planes| !planes.iter().all(grey));
        Some(planes)
    }

    /// Of shades of grey, in rows of this width.
    pub(crate) fn of_shades(samples: Vec<u8>, width: u32) -> Option<Self> {
        let width = usize::try_from(width).ok().filter(|width| *width > 0)?;
        let height = samples.len() / width;
        let luma = Plane {
            width,
            height,
            samples,
        };
        (height > 0).then_some(Self { luma, chroma: None })
    }

    /// The same picture at another size.
    pub(crate) fn resized(self, width: usize, height: usize) -> Option<Self> {
        let half = |plane: Plane| plane.resized(width.div_ceil(2), height.div_ceil(2));
        let chroma = match self.chroma {
            Some([blue, red]) => Some([half(blue)?, half(red)?]),
            None => None,
        };
        let luma = self.luma.resized(width, height)?;
        Some(Self { luma, chroma })
    }

    /// Rows of brightness.
    pub(in crate::encode) fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.luma.samples.chunks(self.luma.width)
    }

    #[inline(always)]
    fn separated<const N: usize>(pixels: &[[u8; N]], width: usize) -> Self {
        let height = pixels.len() / width;
        let mut luma = Plane::new(width, height);
        let [mut blue, mut red] = [0; 2].map(|_| Plane::new(width.div_ceil(2), height.div_ceil(2)));
        let half = blue.width;
        let mut parts = [0; 6].map(|_| vec![0; width + 1]);
        let mut means = [0; 3].map(|_| vec![0; half]);
        let lines = pixels.chunks(2 * width).zip(luma.samples.chunks_mut(2 * width));
        let colours = blue.samples.chunks_mut(half).zip(red.samples.chunks_mut(half));
        for ((pixels, luma), (blue, red)) in lines.zip(colours) {
            let (upper, lower) = pixels.split_at(width);
            let lower = lower.get(..width).unwrap_or(upper);
            let (above, below) = parts.split_at_mut(3);
            separate(upper, above);
            separate(lower, below);
            let (first, second) = luma.split_at_mut(width);
            brightness(above, first);
            brightness(below, second);
            for ((above, below), means) in above.iter().zip(below).zip(&mut means) {
                halve(above, below, means);
            }
            colours_of(&means, blue, red);
        }
        Self {
            luma,
            chroma: Some([blue, red]),
        }
    }
}

/// Splits pixels into red, green and blue. A row that ends in half a pair goes on as it ended.
#[inline(always)]
fn separate<const N: usize>(pixels: &[[u8; N]], parts: &mut [Vec<u8>]) {
    let [red, green, blue] = parts else { return };
    pick::<N, 0>(pixels, red);
    pick::<N, 1>(pixels, green);
    pick::<N, 2>(pixels, blue);
    for row in [red, green, blue] {
        row[pixels.len()] = row[pixels.len() - 1];
    }
}

#[inline(always)]
fn pick<const N: usize, const PART: usize>(pixels: &[[u8; N]], row: &mut [u8]) {
    for (pixel, sample) in pixels.iter().zip(row.iter_mut()) {
        *sample = pixel[PART];
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the factors add up to one")]
#[inline(always)]
fn brightness(parts: &[Vec<u8>], luma: &mut [u8]) {
    let [red, green, blue] = parts else { return };
    for (((red, green), blue), luma) in red.iter().zip(green).zip(blue).zip(luma) {
        let [red, green, blue] = [*red, *green, *blue].map(u32::from);
        *luma = ((19_595 * red + 38_470 * green + 7_471 * blue + 0x8000) >> 16) as u8;
    }
}

/// The means of four neighbours in two rows.
#[allow(clippy::cast_possible_truncation, reason = "a mean of bytes")]
#[inline(always)]
fn halve(above: &[u8], below: &[u8], means: &mut [u8]) {
    let pairs = above.as_chunks::<2>().0.iter().zip(below.as_chunks::<2>().0);
    for ((above, below), mean) in pairs.zip(means) {
        let sum = u16::from(above[0]) + u16::from(above[1]) + u16::from(below[0]) + u16::from(below[1]);
        *mean = ((sum + 2) >> 2) as u8;
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between 0 and 255 after the shift"
)]
#[inline(always)]
fn colours_of([reds, greens, blues]: &[Vec<u8>; 3], blue: &mut [u8], red: &mut [u8]) {
    let middle = (i32::from(NO_COLOUR) << 16) + 0x7fff;
    let places = blue.iter_mut().zip(red);
    for (((r, g), b), (blue, red)) in reds.iter().zip(greens).zip(blues).zip(places) {
        let [r, g, b] = [*r, *g, *b].map(i32::from);
        *blue = ((32_768 * b - 11_059 * r - 21_709 * g + middle) >> 16) as u8;
        *red = ((32_768 * r - 27_439 * g - 5_329 * b + middle) >> 16) as u8;
    }
}
