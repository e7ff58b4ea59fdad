//! Whether a page that came out empty was meant to be empty.

use hayro::hayro_interpret::color::AlphaColor;
use hayro::hayro_interpret::font::{Glyph, GlyphRun};
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageData, ImageDrawProps, InterpreterSettings,
    Paint, SoftMask,
};
use hayro::hayro_syntax::page::Page;
use hayro::kurbo::{BezPath, Rect, Shape};

use crate::text::interpret;

/// Means of shade, of 255, below which paper counts as white: a picture of it, drawn smaller, is.
const MIN_VISIBLE_SHADE: u64 = 2;

/// Whether a page draws anything visible, at so many pixels to a point.
///
/// A page of white shapes, white images and spaces is rightly empty, as the back of a scanned sheet. A page is not
/// if it has letters, shapes or images of another colour.
pub(super) fn ink_expected(page: &Page<'_>, settings: &InterpreterSettings, scale: f64) -> bool {
    let (width, height) = page.render_dimensions();
    let mut probe = InkProbe {
        page: Rect::new(0.0, 0.0, f64::from(width), f64::from(height)),
        scale,
        seen: false,
    };
    interpret(page, settings, &mut probe);
    probe.seen
}

struct InkProbe {
    page: Rect,
    scale: f64,
    seen: bool,
}

/// Whether a colour leaves paper white.
pub(super) fn is_white(colour: AlphaColor) -> bool {
    let [red, green, blue, alpha] = colour.to_rgba8();
    alpha == 0 || [red, green, blue] == [255; 3]
}

impl InkProbe {
    fn mark(&mut self, area: Rect, paint: &Paint<'_>, mode: &DrawMode) {
        let pale = matches!(paint, Paint::Color(colour) if is_white(colour.to_rgba()));
        let hidden = matches!(mode, DrawMode::Invisible);
        // A stroke has no area of its own.
        let inside = area.inflate(0.5, 0.5).intersect(self.page).area() > 0.0;
        self.seen |= inside && !pale && !hidden;
    }
}

impl<'a> Device<'a> for InkProbe {
    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        self.mark(
            props.transform.transform_rect_bbox(path.bounding_box()),
            &props.paint,
            mode,
        );
    }
    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        for glyph in run.glyphs() {
            let place = props.transform * glyph.transform();
            let at = glyph.transform();
            match &**glyph {
                Glyph::Outline(glyph) => {
                    let shape = glyph.outline();
                    if !shape.is_empty() {
                        self.mark(
                            place.transform_rect_bbox(shape.bounding_box()),
                            &props.paint,
                            mode,
                        );
                    }
                }
                Glyph::Type3(glyph) => {
                    glyph.interpret(self, props.transform, at, &props.paint);
                }
            }
        }
    }
    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        let (width, height) = (f64::from(image.width()), f64::from(image.height()));
        let area = props
            .transform
            .transform_rect_bbox(Rect::new(0.0, 0.0, width, height));
        if area.intersect(self.page).area() <= 0.0 {
            return;
        }
        // An image that cannot be decoded may have ink.
        let mut inked = true;
        let [across, up, right, down, _, _] = props.transform.as_coeffs();
        let samples = |step: f64| 1.0 / (step * self.scale).clamp(1e-3, 1.0);
        let (column, row) = (samples(across.hypot(up)), samples(right.hypot(down)));
        match image {
            Image::Raster(raster) => raster.with_rgba(
                |image, alpha| {
                    let opacity = alpha.as_ref().map(|alpha| alpha.data.as_slice());
                    inked = match &image {
                        ImageData::Rgb(rgb) => {
                            has_ink(rgb.data.as_chunks::<3>().0, opacity, rgb.width, (column, row))
                        }
                        ImageData::Luma(luma) => {
                            has_ink(luma.data.as_chunks::<1>().0, opacity, luma.width, (column, row))
                        }
                    };
                },
                None,
            ),
            Image::Stencil(stencil) => stencil.with_stencil(
                |shape, paint| {
                    let pale = matches!(paint, Paint::Color(colour) if is_white(colour.to_rgba()));
                    inked = !pale && shape.data.iter().any(|shade| *shade > 0);
                },
                None,
            ),
        }
        self.seen |= inked;
    }
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}

/// Whether an image is darker than white in any place that becomes one pixel. Some specks of dust do not count.
fn has_ink<const N: usize>(
    pixels: &[[u8; N]],
    opacity: Option<&[u8]>,
    width: u32,
    (column, row): (f64, f64),
) -> bool {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between one and a thousand"
    )]
    let (column, row) = (column.floor() as usize, row.floor() as usize);
    let width = usize::try_from(width).unwrap_or(usize::MAX).max(1);
    // A mask of another size is drawn by itself; then the image counts as if it were opaque.
    let opacity = opacity.filter(|opacity| opacity.len() == pixels.len());
    let darkness = |place: usize, pixel: &[u8; N]| {
        let shade = pixel.iter().map(|part| u64::from(255 - part)).max().unwrap_or(0);
        shade * opacity.map_or(255, |opacity| u64::from(opacity[place])) / 255
    };
    let area = (column * row) as u64;
    pixels.chunks(width * row).enumerate().any(|(band, rows)| {
        let mut cells = vec![0; width.div_ceil(column)];
        for (place, pixel) in rows.iter().enumerate() {
            cells[place % width / column] += darkness(band * width * row + place, pixel);
        }
        cells.iter().any(|cell| *cell >= MIN_VISIBLE_SHADE * area)
    })
}
