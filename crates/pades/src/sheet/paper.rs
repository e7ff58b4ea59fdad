//! The size of the sheet, and its margins.

/// The size of the sheet, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PaperSize {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) margin: f64,
}

const A4: [f64; 2] = [595.28, 841.89];

impl PaperSize {
    /// The size of the document's first page if a sheet fits it well, otherwise A4 in the same orientation.
    pub(super) fn like([across, up]: [f64; 2]) -> Self {
        let (short, long) = (across.min(up), across.max(up));
        let usual =
            (400.0..=900.0).contains(&short) && (500.0..=1300.0).contains(&long) && long < short * 1.65;
        let [short, long] = if usual { [short, long] } else { A4 };
        let (width, height) = if across > up { (long, short) } else { (short, long) };
        Self {
            width,
            height,
            margin: (short * 0.095).clamp(40.0, 72.0),
        }
    }

    /// The width between the margins.
    pub(super) fn column(self) -> f64 {
        self.width - 2.0 * self.margin
    }

    pub(super) fn right(self) -> f64 {
        self.width - self.margin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::float_cmp, reason = "sizes are copied, not computed")]
    #[test]
    fn a_sheet_is_on_the_paper_of_its_document() {
        let size = |page| {
            let paper = PaperSize::like(page);
            [paper.width.round(), paper.height.round()]
        };
        assert_eq!(size([612.0, 792.0]), [612.0, 792.0]);
        assert_eq!(size([841.9, 595.3]), [842.0, 595.0]);
        assert_eq!(size([612.0, 1008.0]), [612.0, 1008.0]);
        assert_eq!(size([14_400.0, 10.0]), [842.0, 595.0]);
        assert_eq!(size([20.0, 30.0]), [595.0, 842.0]);
    }
}
