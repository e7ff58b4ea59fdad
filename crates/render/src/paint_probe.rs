//! Asks the renderer itself whether it draws a pattern, a shading or a soft mask: it is given a small page that uses
//! it, and a device that sees what arrives. What it does not understand never reaches a device.

use std::fmt::Write;

use hayro::hayro_interpret::font::GlyphRun;
use hayro::hayro_interpret::pattern::{Pattern as PdfPattern, ShadingPattern, TilingPattern};
use hayro::hayro_interpret::shading::{ShadingFunction, ShadingType};
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
    InterpreterSettings, Paint, SoftMask, interpret,
};
use hayro::hayro_syntax::content::TypedIter;
use hayro::hayro_syntax::object::Name;
use hayro::hayro_syntax::page::Resources;
use hayro::hayro_syntax::xref::XRef;
use hayro::kurbo::{Affine, BezPath, Rect};

/// A tile narrower than this share of its side is drawn of too few pixels, or not at all.
const MIN_SLANT: f64 = 1e-3;

/// What becomes of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    Undrawn,
    Shading,
    Tiling,
}

/// The renderer, asked about one page.
pub(super) struct Paints<'f, 'a> {
    cache: InterpreterCache<'a>,
    xref: &'a XRef,
    settings: &'f InterpreterSettings,
}

impl<'f, 'a> Paints<'f, 'a> {
    pub(super) fn new(xref: &'a XRef, settings: &'f InterpreterSettings) -> Self {
        Self {
            cache: InterpreterCache::new(),
            xref,
            settings,
        }
    }

    pub(super) fn pattern(&self, name: &Name<'_>, resources: &Resources<'a>) -> Pattern {
        let page = format!("/Pattern cs {} scn 0 0 9 9 re f", spelled(name));
        match self.draw(&page, resources) {
            Some(Drawn {
                paint: Paint::Pattern(pattern),
                ..
            }) => match &*pattern {
                PdfPattern::Shading(shading) if shading_is_seen(shading) => Pattern::Shading,
                PdfPattern::Tiling(tiling) if tiling_is_seen(tiling) => Pattern::Tiling,
                _ => Pattern::Undrawn,
            },
            _ => Pattern::Undrawn,
        }
    }

    pub(super) fn shading_is_drawn(&self, name: &Name<'_>, resources: &Resources<'a>) -> bool {
        let page = format!("{} sh", spelled(name));
        let drawn = self.draw(&page, resources);
        let Some(Drawn {
            paint: Paint::Pattern(pattern),
            ..
        }) = drawn
        else {
            return false;
        };
        matches!(&*pattern, PdfPattern::Shading(shading) if shading_is_seen(shading))
    }

    /// Whether the soft mask of a graphics state is applied.
    pub(super) fn mask_is_drawn(&self, name: &Name<'_>, resources: &Resources<'a>) -> bool {
        let page = format!("{} gs 0 0 9 9 re f", spelled(name));
        let drawn = self.draw(&page, resources);
        drawn.is_some_and(|drawn| drawn.masked)
    }

    fn draw(&self, page: &str, resources: &Resources<'a>) -> Option<Drawn<'a>> {
        let area = Rect::new(0.0, 0.0, 1e6, 1e6);
        let settings = self.settings.clone();
        let mut context = Context::new(Affine::IDENTITY, area, &self.cache, self.xref, settings);
        let mut seen = Seen(None);
        interpret(
            TypedIter::new(page.as_bytes()),
            resources,
            &mut context,
            &mut seen,
        );
        seen.0
    }
}

/// A name as contents spell it, whatever its bytes are.
pub(super) fn spelled(name: &Name<'_>) -> String {
    name.iter().fold("/".to_owned(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "#{byte:02x}");
        text
    })
}

fn tiling_is_seen(tiling: &TilingPattern<'_>) -> bool {
    let [a, b, c, d, _, _] = tiling.matrix.as_coeffs();
    let (across, up) = (a.hypot(b), c.hypot(d));
    (a * d - b * c).abs() > MIN_SLANT * across * up
}

fn shading_is_seen(pattern: &ShadingPattern) -> bool {
    let colours = usize::from(pattern.shading.color_space.num_components());
    let fits = |function: &ShadingFunction, inputs: usize, ends: &[&[f32]]| {
        let alone = match function {
            ShadingFunction::Single(function) => function.num_inputs() == inputs,
            ShadingFunction::Multiple(list) => list.iter().all(|function| function.num_inputs() == inputs),
        };
        let mut output = vec![0.0; function.num_outputs()];
        alone
            && function.num_outputs() == colours
            && ends.iter().all(|end| function.eval(end, &mut output).is_some())
    };
    match &*pattern.shading.shading_type {
        ShadingType::FunctionBased { domain, function, .. } => {
            let [left, right, low, high] = *domain;
            fits(function, 2, &[&[left, low], &[right, high]])
        }
        ShadingType::RadialAxial { domain, function, .. } => fits(function, 1, &[&[domain[0]], &[domain[1]]]),
        ShadingType::TriangleMesh { triangles, function } => {
            !triangles.is_empty() && function.as_ref().is_none_or(|function| fits(function, 1, &[]))
        }
        ShadingType::CoonsPatchMesh { patches, function } => {
            !patches.is_empty() && function.as_ref().is_none_or(|function| fits(function, 1, &[]))
        }
        ShadingType::TensorProductPatchMesh { patches, function } => {
            !patches.is_empty() && function.as_ref().is_none_or(|function| fits(function, 1, &[]))
        }
        ShadingType::Dummy => false,
    }
}

/// What reached the device.
struct Drawn<'a> {
    paint: Paint<'a>,
    masked: bool,
}

struct Seen<'a>(Option<Drawn<'a>>);

impl<'a> Device<'a> for Seen<'a> {
    fn draw_path(&mut self, _: &BezPath, props: DrawProps<'a>, _: &DrawMode) {
        self.0 = Some(Drawn {
            paint: props.paint,
            masked: props.soft_mask.is_some(),
        });
    }
    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn draw_glyph_run(&mut self, _: &GlyphRun<'_, 'a>, _: DrawProps<'a>, _: &DrawMode) {}
    fn draw_image(&mut self, _: Image<'a, '_>, _: ImageDrawProps<'a>) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}
