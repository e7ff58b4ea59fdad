//! QR codes, drawn as SVG paths.

use qrcode::{Color, QrCode};
use std::fmt::Write;

/// Modules of white around the code, which readers ask for.
const QUIET_ZONE_MODULES: usize = 4;

/// The picture, drawn with one path; nothing when the text is too long for one.
#[derive(Debug, Clone)]
pub(crate) struct Qr {
    /// Modules on a side, with the white around.
    pub(crate) side: usize,
    /// The black.
    pub(crate) path: String,
}

impl Qr {
    pub(crate) fn of(text: &str) -> Option<Self> {
        let code = QrCode::new(text.as_bytes()).ok()?;
        let width = code.width();
        let mut path = String::new();
        for (row, line) in code.to_colors().chunks(width).enumerate() {
            let mut column = 0;
            while column < width {
                let dark = |color: &&Color| **color == Color::Dark;
                let run = line[column..].iter().take_while(dark).count();
                if run > 0 {
                    let (x, y) = (column + QUIET_ZONE_MODULES, row + QUIET_ZONE_MODULES);
                    let _ = write!(path, "M{x} {y}h{run}v1h-{run}z");
                }
                column += run + 1;
            }
        }
        Some(Self {
            side: width + 2 * QUIET_ZONE_MODULES,
            path,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_begins_with_its_first_corner() {
        let qr = Qr::of("otpauth://totp/Acme:a@b.co?secret=ABC").unwrap();
        assert!(qr.path.starts_with("M4 4h7v1h-7z"), "{}", qr.path);
        assert!(qr.side > 30);
        assert!(Qr::of(&"x".repeat(5000)).is_none());
    }
}
