//! The two fonts of the sheet: the widths of their letters.

use std::sync::LazyLock;

use skrifa::instance::{LocationRef, Size};
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
}

/// The widths of letters up to the last one of every sheet, by their code.
static REGULAR: LazyLock<Vec<f64>> = LazyLock::new(|| Font::Regular.widths('\0'..='−'));
static BOLD: LazyLock<Vec<f64>> = LazyLock::new(|| Font::Bold.widths('\0'..='−'));

/// The width of a letter that the font lacks.
const MISSING_WIDTH: f64 = 0.6;
