//! The text of a page, line by line, in the order in which it is drawn.

use hayro::hayro_interpret::font::{Glyph, GlyphRun};
use hayro::hayro_interpret::hayro_cmap::BfString;
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
    InterpreterSettings, SoftMask, TransformExt, interpret_page,
};
use hayro::hayro_syntax::object::{Dict, String as PdfString};
use hayro::hayro_syntax::page::Page;
use hayro::kurbo::{Affine, BezPath, Point, Rect};

use crate::outcome::PageText;

/// Text beyond this is cut off, and the page is reported as incomplete.
const MAX_TEXT_BYTES: usize = 4 << 20;

/// Depth of marked content whose replacement text is used.
const MAX_MARKED_DEPTH: usize = 64;

/// Reads a page.
pub(super) fn read(page: &Page<'_>, settings: &InterpreterSettings) -> PageText {
    let mut lines = Lines::default();
    interpret(page, settings, &mut lines);
    PageText {
        text: lines.text,
        complete: !lines.unread,
    }
}

/// Interprets a page on a device, in points from its upper left corner.
pub(super) fn interpret<'p>(page: &Page<'p>, settings: &InterpreterSettings, device: &mut impl Device<'p>) {
    let (width, height) = page.render_dimensions();
    let area = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
    let place = page.initial_transform(true).to_kurbo();
    let cache = InterpreterCache::new();
    let mut context = Context::new(place, area, &cache, page.xref(), settings.clone());
    interpret_page(page, &mut context, device);
}

#[derive(Default)]
struct Lines {
    text: String,
    unread: bool,
    /// Where the last glyph ended.
    end: Option<Point>,
    /// Where the last run of filled glyphs began.
    filled_at: Option<Affine>,
    /// Open marked content, with its replacement text if it has one.
    marked: Vec<Option<String>>,
}

impl Lines {
    fn letter(&mut self, glyph: &Glyph<'_>, place: Affine) {
        // Replacement text is taken once, at the first glyph of its content.
        let told = self
            .marked
            .iter_mut()
            .find_map(Option::as_mut)
            .map(std::mem::take);
        let letter = match told {
            Some(told) if told.is_empty() => return,
            Some(told) => Some(BfString::String(told)),
            None => glyph.as_unicode(),
        };
        let Some(letter) = letter else {
            self.unread = true;
            return;
        };
        if self.text.len() >= MAX_TEXT_BYTES {
            self.unread = true;
            return;
        }
        let at = place * Point::ZERO;
        // A glyph is a thousand units high.
        let size = place.determinant().abs().sqrt() * 1000.0;
        if let Some(end) = self.end {
            if (at.y - end.y).abs() > size * 0.5 {
                self.text.push('\n');
            } else if (at.x - end.x).abs() > size * 0.15 && !self.text.ends_with(char::is_whitespace) {
                self.text.push(' ');
            }
        }
        match letter {
            BfString::Char(letter) => self.text.push(letter),
            BfString::String(letters) => self.text.push_str(&letters),
        }
        let advance = match glyph {
            Glyph::Outline(glyph) => glyph.advance_width(),
            Glyph::Type3(glyph) => glyph.advance_width(),
        };
        self.end = Some(place * Point::new(f64::from(advance.unwrap_or(500.0)), 0.0));
    }
}

impl Device<'_> for Lines {
    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'_>, _: &DrawMode) {}
    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'_>>, _: BlendMode) {}
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, '_>, props: DrawProps<'_>, mode: &DrawMode) {
        let start = run
            .glyphs()
            .first()
            .map(|glyph| props.transform * glyph.transform());
        // Letters that are filled and then stroked are drawn twice and read once.
        if matches!(mode, DrawMode::Stroke(_)) && start == self.filled_at {
            return;
        }
        self.filled_at = start.filter(|_| matches!(mode, DrawMode::Fill(_)));
        for glyph in run.glyphs() {
            self.letter(glyph, props.transform * glyph.transform());
        }
    }
    fn begin_marked_content(&mut self, _: &[u8], properties: Option<&Dict<'_>>) {
        let told =
            properties.and_then(|properties| properties.get::<PdfString<'_>>(b"ActualText".as_slice()));
        let told = told.filter(|_| self.marked.len() < MAX_MARKED_DEPTH);
        self.marked.push(told.map(|told| words(told.as_bytes())));
    }
    fn end_marked_content(&mut self) {
        self.marked.pop();
    }
    fn draw_image(&mut self, _: Image<'_, '_>, _: ImageDrawProps<'_>) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}

/// A text string: UTF-16 or UTF-8 by its byte order mark, otherwise one byte per letter.
fn words(bytes: &[u8]) -> String {
    match bytes {
        [0xfe, 0xff, rest @ ..] => {
            let units = rest
                .as_chunks::<2>()
                .0
                .iter()
                .map(|pair| u16::from_be_bytes(*pair));
            char::decode_utf16(units)
                .map(|letter| letter.unwrap_or('\u{fffd}'))
                .collect()
        }
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        latin => latin.iter().map(|byte| char::from(*byte)).collect(),
    }
}
