//! An address as a QR code.

use qrcode::bits::encode_auto;
use qrcode::canvas::{self, MaskPattern};
use qrcode::ec::construct_codewords;
use qrcode::{Color, EcLevel};

use super::canvas::Canvas;
use super::data::{Colour, SheetError};

/// Restores up to a seventh of the code.
const LEVEL: EcLevel = EcLevel::M;

/// A QR code.
pub(super) struct Code {
    side: usize,
    modules: Vec<Color>,
}

impl Code {
    pub(super) fn of(address: &str) -> Result<Self, SheetError> {
        Self::try_of(address).ok_or(SheetError::Address)
    }

    fn try_of(address: &str) -> Option<Self> {
        let bits = encode_auto(address.as_bytes(), LEVEL).ok()?;
        let version = bits.version();
        let side = usize::try_from(version.width()).ok()?;
        // A finer code would not survive printing.
        if side > 97 {
            return None;
        }
        let (data, correction) = construct_codewords(&bits.into_bytes(), version, LEVEL).ok()?;
        let mut canvas = canvas::Canvas::new(version, LEVEL);
        canvas.draw_all_functional_patterns();
        canvas.draw_data(&data, &correction);
        // Cameras read every mask. To weigh all eight takes ten times as long as the rest.
        canvas.apply_mask(MaskPattern::Checkerboard);
        let modules = canvas.into_colors();
        Some(Self { side, modules })
    }

    /// Draws the code into a square with this lower left corner. The white paper around it is its quiet zone.
    pub(super) fn draw(&self, canvas: &mut Canvas, [left, bottom]: [f64; 2], size: f64, ink: Colour) {
        let Ok(modules) = u32::try_from(self.side) else {
            return;
        };
        let rows = self.modules.chunks(self.side).map(|row| {
            let mut at = 0;
            let runs = row.chunk_by(|one, other| one == other).map(move |run| {
                let start = at;
                at += run.len();
                (run.first() == Some(&Color::Dark)).then_some((start, at))
            });
            runs.flatten()
        });
        canvas.squares([left, bottom + size], size / f64::from(modules), rows, ink);
    }
}
