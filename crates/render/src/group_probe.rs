//! Whether the groups of a page leave what was painted before them to be seen. The renderer blends what is in a group
//! with nothing but the rest of the group. In a group that is not isolated, other programs blend it with the page as well:
//! over a text, a highlighter in such a group hides the text here, and there it does not.

use hayro::hayro_interpret::font::{Glyph, GlyphRun};
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterSettings, Paint,
    SoftMask,
};
use hayro::hayro_syntax::page::Page;
use hayro::kurbo::{Affine, BezPath, Rect, Shape};

use crate::blank_page::is_white;
use crate::text::interpret;

/// What is painted beyond this is not looked at: the page is a doubt.
const MAX_INK: usize = 4_000;

/// Square points that two areas must have in common.
const MIN_OVERLAP: f64 = 1.0;

/// The part of a page from which on a rectangle around all that is painted over it is a background: its colour may
/// change.
const MIN_BACKGROUND: f64 = 0.05;

/// The lightest shade that counts as black.
const MAX_BLACK: u8 = 24;

/// Whether no group hides what was painted before it.
pub(super) fn keep_ink(page: &Page<'_>, settings: &InterpreterSettings) -> bool {
    let (width, height) = page.render_dimensions();
    let area = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
    let mut probe = GroupProbe {
        min_background: area.area() * MIN_BACKGROUND,
        clips: vec![area],
        ink: Vec::new(),
        groups: Vec::new(),
        keeps_ink: true,
    };
    interpret(page, settings, &mut probe);
    probe.keeps_ink
}

struct GroupProbe {
    /// Square points.
    min_background: f64,
    /// Where something can be seen: the page, and what each clip leaves of it.
    clips: Vec<Rect>,
    ink: Vec<Ink>,
    groups: Vec<Group>,
    keeps_ink: bool,
}

/// What was painted, in order.
struct Ink {
    area: Rect,
    is_background: bool,
}

/// An open group.
struct Group {
    /// How much was painted before it.
    before: usize,
    blend_mode: BlendMode,
}

/// What is painted in one step.
struct Painting<'p, 'a> {
    area: Rect,
    /// None of an image.
    paint: Option<&'p Paint<'a>>,
    blend_mode: BlendMode,
    is_background: bool,
}

impl GroupProbe {
    fn paint(&mut self, painting: &Painting<'_, '_>) {
        let area = self
            .clips
            .last()
            .map_or(painting.area, |clip| clip.intersect(painting.area));
        let colour = match painting.paint {
            Some(Paint::Color(colour)) => Some(colour.to_rgba()),
            _ => None,
        };
        let [shade, alpha] = colour.map_or([MAX_BLACK + 1, 255], |colour| {
            let [red, green, blue, alpha] = colour.to_rgba8();
            [red.max(green).max(blue), alpha]
        });
        let is_white = colour.is_some_and(is_white);
        if area.area() <= 0.0 || alpha == 0 {
            return;
        }
        // Blended with a group: what is painted, or the groups in that group that it belongs to.
        let inner = self.groups.iter().skip(1).map(|group| group.blend_mode);
        let modes = inner.chain([painting.blend_mode]);
        let hiding = self.groups.iter().zip(modes).filter(|(_, mode)| match mode {
            BlendMode::Normal => false,
            // Black on black, and white on white, for everybody.
            BlendMode::Multiply | BlendMode::Darken => shade > MAX_BLACK,
            BlendMode::Screen | BlendMode::Lighten => !is_white,
            _ => true,
        });
        let before = hiding.map(|(group, _)| group.before).max().unwrap_or(0);
        let mut hidden = self.ink.iter().take(before);
        self.keeps_ink &= !hidden.any(|ink| ink.is_hidden_by(area));
        if self.ink.len() >= MAX_INK {
            self.keeps_ink = false;
        } else if !is_white {
            let is_background = painting.is_background && painting.area.area() >= self.min_background;
            self.ink.push(Ink { area, is_background });
        }
    }
}

impl Ink {
    fn is_hidden_by(&self, area: Rect) -> bool {
        let is_around = self.is_background && self.area.contains_rect(area);
        !is_around && self.area.intersect(area).area() > MIN_OVERLAP
    }
}

impl<'a> Device<'a> for GroupProbe {
    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        let area = props.transform.transform_rect_bbox(path.bounding_box());
        if !matches!(mode, DrawMode::Invisible) {
            self.paint(&Painting {
                // A line has no area of its own.
                area: area.inflate(0.5, 0.5),
                paint: Some(&props.paint),
                blend_mode: props.blend_mode,
                is_background: false,
            });
        }
    }

    fn draw_rect(&mut self, rect: &Rect, props: DrawProps<'a>, mode: &DrawMode) {
        if !matches!(mode, DrawMode::Invisible) {
            self.paint(&Painting {
                area: props.transform.transform_rect_bbox(*rect).inflate(0.5, 0.5),
                paint: Some(&props.paint),
                blend_mode: props.blend_mode,
                is_background: matches!(mode, DrawMode::Fill(_)) && is_upright(props.transform),
            });
        }
    }

    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        if matches!(mode, DrawMode::Invisible) {
            return;
        }
        let mut area: Option<Rect> = None;
        for glyph in run.glyphs() {
            let at = glyph.transform();
            match &**glyph {
                Glyph::Outline(glyph) => {
                    let shape = glyph.outline();
                    if !shape.is_empty() {
                        let letter = (props.transform * at).transform_rect_bbox(shape.bounding_box());
                        area = Some(area.map_or(letter, |area| area.union(letter)));
                    }
                }
                Glyph::Type3(glyph) => glyph.interpret(self, props.transform, at, &props.paint),
            }
        }
        if let Some(area) = area {
            self.paint(&Painting {
                area,
                paint: Some(&props.paint),
                blend_mode: props.blend_mode,
                is_background: false,
            });
        }
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        let (width, height) = (f64::from(image.width()), f64::from(image.height()));
        let area = Rect::new(0.0, 0.0, width, height);
        self.paint(&Painting {
            area: props.transform.transform_rect_bbox(area),
            paint: None,
            blend_mode: props.blend_mode,
            is_background: false,
        });
    }

    fn push_clip_path(&mut self, clip: &ClipPath) {
        let area = clip.path.bounding_box();
        let left = self.clips.last().map_or(area, |clip| clip.intersect(area));
        self.clips.push(left);
    }

    fn pop_clip(&mut self) {
        self.clips.pop();
    }

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, blend_mode: BlendMode) {
        self.groups.push(Group {
            before: self.ink.len(),
            blend_mode,
        });
    }

    fn pop_transparency_group(&mut self) {
        self.groups.pop();
    }
}

/// Whether a rectangle stays one.
fn is_upright(transform: Affine) -> bool {
    let [a, b, c, d, _, _] = transform.as_coeffs();
    b == 0.0 && c == 0.0 || a == 0.0 && d == 0.0
}
