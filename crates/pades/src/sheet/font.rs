//! The two fonts of the sheet: the widths and outlines of their letters.

use std::fmt::Write;
use std::sync::LazyLock;

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, MetadataProvider};

/// A font.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Font {
    Regular,
    Bold,
}

impl Font {
    pub(super) const ALL: [Self; 2] = [Self::Regular, Self::Bold];

    /// Its name in the resources.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Regular => "FR",
            Self::Bold => "FB",
        }
    }

    pub(super) fn file(self) -> &'static [u8] {
        match self {
            Self::Regular => notosans::REGULAR_TTF,
            Self::Bold => notosans::BOLD_TTF,
        }
    }

    pub(super) fn parsed(self) -> Option<FontRef<'static>> {
        FontRef::new(self.file()).ok()
    }

    /// The width of a letter at size one.
    pub(super) fn width(self, letter: char) -> f64 {
        let widths = match self {
            Self::Regular => &*REGULAR,
            Self::Bold => &*BOLD,
        };
        let known = usize::try_from(u32::from(letter)).ok();
        let known = known.and_then(|code| widths.get(code).copied());
        known.unwrap_or_else(|| self.widths([letter]).first().copied().unwrap_or(MISSING_WIDTH))
    }

    fn widths(self, letters: impl IntoIterator<Item = char>) -> Vec<f64> {
        let Some(font) = self.parsed() else {
            return Vec::new();
        };
        let metrics = font.glyph_metrics(Size::new(1.0), LocationRef::default());
        let map = font.charmap();
        let width = |letter| metrics.advance_width(map.map(letter)?).map(f64::from);
        let letters = letters.into_iter();
        letters
            .map(|letter| width(letter).unwrap_or(MISSING_WIDTH))
            .collect()
    }

    /// A letter as path operators, a thousand units high. A letter that the font lacks is an empty box.
    pub(super) fn shape(self, letter: char) -> String {
        let mut pen = Pen::default();
        let drawn = self.parsed().and_then(|font| {
            let glyph = font.charmap().map(letter)?;
            let settings = DrawSettings::unhinted(Size::new(1000.0), LocationRef::default());
            font.outline_glyphs().get(glyph)?.draw(settings, &mut pen).ok()
        });
        match drawn {
            Some(_) => pen.out + "f",
            None => "60 0 480 700 re 100 40 400 620 re f*".into(),
        }
    }
}

/// The widths of letters up to the last one of every sheet, by their code.
static REGULAR: LazyLock<Vec<f64>> = LazyLock::new(|| Font::Regular.widths('\0'..='−'));
static BOLD: LazyLock<Vec<f64>> = LazyLock::new(|| Font::Bold.widths('\0'..='−'));

/// The width of a letter that the font lacks.
const MISSING_WIDTH: f64 = 0.6;

/// Draws the outline of a glyph as operators.
#[derive(Default)]
struct Pen {
    out: String,
    at: [f32; 2],
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let _ = write!(self.out, "{x:.0} {y:.0} m ");
        self.at = [x, y];
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let _ = write!(self.out, "{x:.0} {y:.0} l ");
        self.at = [x, y];
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let [from_x, from_y] = self.at;
        let third = |end: f32, control: f32| end + (control - end) * 2.0 / 3.0;
        self.curve_to(
            third(from_x, cx),
            third(from_y, cy),
            third(x, cx),
            third(y, cy),
            x,
            y,
        );
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let _ = write!(self.out, "{ax:.0} {ay:.0} {bx:.0} {by:.0} {x:.0} {y:.0} c ");
        self.at = [x, y];
    }

    fn close(&mut self) {
        self.out.push_str("h ");
    }
}
