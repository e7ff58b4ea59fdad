//! Whether a page that came out empty was meant to be empty.

use hayro::hayro_interpret::color::AlphaColor;
use hayro::hayro_interpret::font::{Glyph, GlyphRun};
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterSettings, Paint,
    SoftMask,
};
use hayro::hayro_syntax::page::Page;
use hayro::kurbo::{BezPath, Rect, Shape};

use crate::text::interpret;

/// Whether a page draws anything visible.
///
/// A page of white shapes and spaces is rightly empty. A page is not if it has letters or shapes of another
/// colour, or images, or operators that the renderer never reached.
pub(super) fn ink_expected(page: &Page<'_>, settings: &InterpreterSettings) -> bool {
    let (width, height) = page.render_dimensions();
    let mut probe = InkProbe {
        page: Rect::new(0.0, 0.0, f64::from(width), f64::from(height)),
        drawn: false,
        seen: false,
    };
    interpret(page, settings, &mut probe);
    probe.seen || (!probe.drawn && paints(page))
}

/// Whether the page's own contents have operators for letters, shadings or objects.
fn paints(page: &Page<'_>) -> bool {
    let mut operations = page.operations();
    while let Some(operation) = operations.next() {
        let operator: &[u8] = operation.operator;
        if matches!(operator, b"Tj" | b"TJ" | b"'" | b"\"" | b"Do" | b"sh" | b"BI") {
            return true;
        }
    }
    false
}

struct InkProbe {
    page: Rect,
    drawn: bool,
    seen: bool,
}

impl InkProbe {
    fn mark(&mut self, area: Rect, paint: &Paint<'_>, mode: &DrawMode) {
        self.drawn = true;
        let white = |colour: AlphaColor| {
            let [red, green, blue, alpha] = colour.to_rgba8();
            alpha == 0 || [red, green, blue] == [255; 3]
        };
        let pale = matches!(paint, Paint::Color(colour) if white(colour.to_rgba()));
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
        self.drawn = true;
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
    fn draw_image(&mut self, _: Image<'a, '_>, _: ImageDrawProps<'a>) {
        self.drawn = true;
        self.seen = true;
    }
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}
