//! An address as a code for cameras.

use qrcode::{Color, EcLevel, QrCode};

use super::canvas::Canvas;
use super::data::{Colour, SheetError};

/// A code, ready to be drawn.
pub(super) struct Code {
    side: usize,
    modules: Vec<Color>,
}

impl Code {
    pub(super) fn of(address: &str) -> Result<Self, SheetError> {
        let code =
            QrCode::with_error_correction_level(address, EcLevel::M).map_err(|_| SheetError::Address)?;
        // A finer code would not survive printing.
        if code.width() > 97 {
            return Err(SheetError::Address);
        }
        Ok(Self {
            side: code.width(),
            modules: code.into_colors(),
        })
    }

    /// Draws the code into a square, its lower left corner given. The paper around it is its quiet zone.
    pub(super) fn draw(&self, canvas: &mut Canvas, [left, bottom]: [f64; 2], size: f64, ink: Colour) {
        let Ok(modules) = u32::try_from(self.side) else {
            return;
        };
        let step = size / f64::from(modules);
        let mut top = bottom + size;
        canvas.fill(ink);
        for row in self.modules.chunks(self.side) {
            top -= step;
            let mut x = left;
            for run in row.chunk_by(|one, other| one == other) {
                let width = step * f64::from(u32::try_from(run.len()).unwrap_or(0));
                if run.first() == Some(&Color::Dark) {
                    // Rows overlap by a hair, so that no white shows between them.
                    canvas.rectangle([x, top - step * 0.02, width, step * 1.02]);
                }
                x += width;
            }
        }
        canvas.paint();
    }
}
