//! Draws the pages of one document, and reports warnings about the image.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use hayro::hayro_interpret::{InterpreterSettings, InterpreterWarning, TransformExt};
use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::page::Page;
use hayro::kurbo::Affine;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::vello_cpu::{Pixmap, RasterizerSettings, RenderContext, Resources, TargetInit};
use hayro::{RenderCache, RenderSettings};

use crate::fonts::Fonts;
use crate::image_format::{ImageFormat, Photographs};
use crate::normalize_xref::Canary;
use crate::outcome::{Failure, PageSize, PageText, Picture, RenderWarning, Rendered};
use crate::{annotations, blank_page, contents, encode, lone_image, text};

/// In a narrower image letters may vanish without a fault of the renderer.
const MIN_LEGIBLE_WIDTH: u16 = 64;

/// The buffers of drawing, made once per worker: to allocate them costs more than to draw a page of text.
pub(super) struct DrawBuffers {
    width: u16,
    height: u16,
    strokes: RenderContext,
    resources: Resources,
    pixels: Pixmap,
    samples: Vec<u8>,
}

impl DrawBuffers {
    /// For images up to this size.
    pub(super) fn new(width: u16, height: u16) -> Self {
        Self {
            width,
            height,
            strokes: RenderContext::new(1, 1),
            resources: Resources::default(),
            pixels: Pixmap::new(1, 1),
            samples: Vec::new(),
        }
    }
}

/// A document whose pages are drawn one after another.
pub(super) struct Drawing<'p> {
    pdf: &'p Pdf,
    canary: Canary,
    cache: RenderCache<'p>,
    settings: InterpreterSettings,
    warnings: Arc<AtomicU8>,
    fonts: Fonts,
}

fn bit(warning: RenderWarning) -> u8 {
    RenderWarning::ALL
        .iter()
        .position(|known| *known == warning)
        .map_or(0, |place| 1 << place)
}

impl<'p> Drawing<'p> {
    /// A document, and the canary that shows whether its objects are still found by the cross-references.
    pub(super) fn new(pdf: &'p Pdf, canary: Canary) -> Self {
        let warnings = Arc::new(AtomicU8::new(0));
        let mut settings = InterpreterSettings::default();
        let seen = warnings.clone();
        settings.warning_sink = Arc::new(move |warning| {
            let warning = match warning {
                InterpreterWarning::UnsupportedFont => RenderWarning::Font,
                InterpreterWarning::ImageDecodeFailure => RenderWarning::Image,
                // The renderer says so of a button that is not pressed, too: `annotations` looks closer.
                InterpreterWarning::UnresolvedAnnotationAppearance => return,
                _ => RenderWarning::Contents,
            };
            seen.fetch_or(bit(warning), Ordering::Relaxed);
        });
        Self {
            pdf,
            canary,
            cache: RenderCache::new(),
            settings,
            warnings,
            fonts: Fonts::default(),
        }
    }

    fn page(&self, number: u32) -> Result<&'p Page<'p>, Failure> {
        self.warnings.store(0, Ordering::Relaxed);
        let place = usize::try_from(number).map_err(|_| Failure::NoSuchPage)?;
        self.pdf.pages().get(place).ok_or(Failure::NoSuchPage)
    }

    /// Draws a page, counted from zero, at a width.
    pub(super) fn image(
        &mut self,
        number: u32,
        width: u32,
        photographs: Photographs,
        buffers: &mut DrawBuffers,
    ) -> Result<Rendered, Failure> {
        let page = self.page(number)?;
        let (width, height, scale) = size(page, width, buffers)?;
        let transform = Affine::scale(scale) * page.initial_transform(true).to_kurbo();
        let scan = match photographs {
            Photographs::Png => None,
            Photographs::Jpeg { max_bytes } => {
                let image = lone_image::read(page, &self.settings, transform, [width, height]);
                image.and_then(|image| encode::photograph(&image, max_bytes))
            }
        };
        if scan.is_none() {
            self.paint(page, transform, [width, height], buffers);
        }
        self.look_for_doubts(page);
        let warnings = self.warnings();
        let (format, file) = if let Some(file) = scan {
            (ImageFormat::Jpeg, file)
        } else {
            let pixels = buffers.pixels.data_as_u8_slice();
            let empty = width >= MIN_LEGIBLE_WIDTH && encode::is_white(pixels);
            if empty && (!warnings.is_empty() || blank_page::ink_expected(page, &self.settings, scale)) {
                return Err(Failure::Blank);
            }
            encode::encode(width, height, pixels, photographs, &mut buffers.samples)?
        };
        let picture = Picture {
            width: width.into(),
            height: height.into(),
            format,
            file,
        };
        Ok(if warnings.is_empty() {
            Rendered::Faithful(picture)
        } else {
            Rendered::WithWarnings { picture, warnings }
        })
    }

    /// Draws a page on the canvas.
    fn paint(
        &self,
        page: &'p Page<'p>,
        transform: Affine,
        [width, height]: [u16; 2],
        buffers: &mut DrawBuffers,
    ) {
        buffers.strokes.reset_and_resize(width, height);
        buffers.pixels.resize(width, height);
        hayro::render_into(
            page,
            &self.cache,
            &self.settings,
            &RenderSettings::default(),
            &mut buffers.strokes,
            transform,
        );
        buffers.strokes.flush();
        let settings = RasterizerSettings {
            target_init: TargetInit::Clear(WHITE),
            ..RasterizerSettings::default()
        };
        buffers
            .strokes
            .render_with(&mut buffers.pixels, &mut buffers.resources, settings);
    }

    /// Looks for what the renderer leaves out without a warning.
    fn look_for_doubts(&mut self, page: &'p Page<'p>) {
        let contents = contents::read(page, &mut self.fonts, &self.settings);
        for (fine, warning) in [
            (contents.whole && !self.was_searched(), RenderWarning::Contents),
            (contents.filled, RenderWarning::Image),
            (contents.lettered, RenderWarning::Font),
            (contents.supplied, RenderWarning::MissingFont),
            (annotations::are_drawn(page), RenderWarning::Annotation),
        ] {
            if !fine {
                self.warnings.fetch_or(bit(warning), Ordering::Relaxed);
            }
        }
    }

    /// Reads a page, counted from zero.
    pub(super) fn text(&mut self, number: u32) -> Result<PageText, Failure> {
        let page = self.page(number)?;
        let mut read = text::read(page, &self.settings);
        let contents = contents::read(page, &mut self.fonts, &self.settings);
        read.complete &= self.warnings().is_empty()
            && contents.whole
            && contents.lettered
            && contents.supplied
            && annotations::are_drawn(page)
            && !self.was_searched();
        Ok(read)
    }

    /// The sizes of all pages, in order.
    pub(super) fn sizes(&self) -> Vec<PageSize> {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped; what is not a number becomes zero"
        )]
        let points = |side: f32| side.round().clamp(0.0, 100_000.0) as u32;
        let size = |page: &Page<'_>| {
            let (width, height) = page.render_dimensions();
            PageSize {
                width: points(width),
                height: points(height),
            }
        };
        self.pdf.pages().iter().map(size).collect()
    }

    /// Whether the renderer has searched the file for objects, because one was not at its listed offset.
    fn was_searched(&self) -> bool {
        !self.canary.is_there(self.pdf)
    }

    fn warnings(&self) -> Vec<RenderWarning> {
        let flags = self.warnings.load(Ordering::Relaxed);
        let all = RenderWarning::ALL.into_iter();
        all.filter(|warning| flags & bit(*warning) != 0).collect()
    }
}

/// Width and height in pixels, and the pixels per point.
fn size(page: &Page<'_>, width: u32, buffers: &DrawBuffers) -> Result<(u16, u16, f64), Failure> {
    let (across, down) = page.render_dimensions();
    let (across, down) = (f64::from(across), f64::from(down));
    if !(across >= 1.0 && down >= 1.0 && across.is_finite() && down.is_finite()) {
        return Err(Failure::NoSuchPage);
    }
    let width = u16::try_from(width).unwrap_or(u16::MAX).clamp(1, buffers.width);
    let scale = (f64::from(width) / across).min(f64::from(buffers.height) / down);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between one and the largest size"
    )]
    let pixels = |points: f64| (points * scale).round().clamp(1.0, f64::from(u16::MAX)) as u16;
    Ok((pixels(across), pixels(down), scale))
}
