//! Writes the operators of a page or a form.

use std::fmt::Write;

use super::data::Colour;
use super::face::Face;
use super::letters::is_common;

/// Near black, for what is to be read first.
pub(super) const INK: Colour = Colour(0x1b, 0x1f, 0x24);
/// For labels and remarks; dark enough to be read on white.
pub(super) const QUIET: Colour = Colour(0x5a, 0x63, 0x6e);
/// For hairlines.
pub(super) const LINE: Colour = Colour(0xcf, 0xd5, 0xdb);

/// How letters are set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    pub(super) face: Face,
    pub(super) size: f64,
    pub(super) colour: Colour,
    /// Room added after every letter.
    pub(super) spread: f64,
}

pub(super) const fn style(face: Face, size: f64, colour: Colour) -> Style {
    Style {
        face,
        size,
        colour,
        spread: 0.0,
    }
}

impl Style {
    pub(super) fn sized(self, size: f64) -> Self {
        Self { size, ..self }
    }

    pub(super) fn width(self, text: &str) -> f64 {
        let letters = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        self.face.width(text, self.size) + f64::from(letters) * self.spread
    }
}

/// A drawing under way.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    out: String,
}

impl Canvas {
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.out.into_bytes()
    }

    /// Chooses the colour of what is painted next.
    pub(super) fn fill(&mut self, Colour(red, green, blue): Colour) {
        let part = |value: u8| f64::from(value) / 255.0;
        let _ = writeln!(
            self.out,
            "{:.3} {:.3} {:.3} rg",
            part(red),
            part(green),
            part(blue)
        );
    }

    /// Adds a rectangle: left, bottom, width, height.
    pub(super) fn rectangle(&mut self, [left, bottom, width, height]: [f64; 4]) {
        let _ = writeln!(self.out, "{left:.2} {bottom:.2} {width:.2} {height:.2} re");
    }

    /// Paints the rectangles added.
    pub(super) fn paint(&mut self) {
        self.out.push_str("f\n");
    }

    /// A filled rectangle.
    pub(super) fn bar(&mut self, area: [f64; 4], colour: Colour) {
        self.fill(colour);
        self.rectangle(area);
        self.paint();
    }

    /// The outline of a rectangle, drawn inside of it.
    pub(super) fn frame(&mut self, [left, bottom, width, height]: [f64; 4], line: f64, colour: Colour) {
        self.fill(colour);
        self.rectangle([left, bottom, width, height]);
        self.rectangle([
            left + line,
            bottom + line,
            width - 2.0 * line,
            height - 2.0 * line,
        ]);
        self.out.push_str("f*\n");
    }

    /// A text on a line, from its left end. The text has been cleaned.
    pub(super) fn text(&mut self, [mut x, y]: [f64; 2], style: Style, text: &str) {
        self.fill(style.colour);
        for run in runs(text) {
            if run.chars().all(is_common) {
                let _ = write!(self.out, "BT /{} {:.2} Tf ", style.face.key(), style.size);
                if style.spread > 0.0 {
                    let _ = write!(self.out, "{:.2} Tc ", style.spread);
                }
                let _ = write!(self.out, "{x:.2} {y:.2} Td <");
                for unit in run.encode_utf16() {
                    let _ = write!(self.out, "{unit:04X}");
                }
                self.out.push_str("> Tj");
                if style.spread > 0.0 {
                    self.out.push_str(" 0 Tc");
                }
                self.out.push_str(" ET\n");
            } else {
                self.shapes([x, y], style, run);
            }
            x += style.width(run);
        }
    }

    /// Letters that the embedded fonts lack, drawn as shapes that say what they stand for.
    fn shapes(&mut self, [mut x, y]: [f64; 2], style: Style, run: &str) {
        self.out.push_str("/Span<</ActualText<FEFF");
        for unit in run.encode_utf16() {
            let _ = write!(self.out, "{unit:04X}");
        }
        self.out.push_str(">>>BDC\n");
        // Programs that copy text look for letters, even unseen ones: spaces, as wide as the shapes.
        let spaces = " ".repeat(run.chars().count());
        let stretch = 100.0 * style.width(run) / style.width(&spaces).max(0.01);
        let _ = writeln!(
            self.out,
            "BT 3 Tr {stretch:.0} Tz /{} {:.2} Tf {x:.2} {y:.2} Td <{}> Tj 100 Tz 0 Tr ET",
            style.face.key(),
            style.size,
            spaces.replace(' ', "0020"),
        );
        for letter in run.chars() {
            let scale = style.size / 1000.0;
            let shape = style.face.shape(letter);
            let _ = writeln!(self.out, "q {scale:.5} 0 0 {scale:.5} {x:.2} {y:.2} cm {shape} Q");
            x += style.width(letter.encode_utf8(&mut [0; 4]));
        }
        self.out.push_str("EMC\n");
    }

    /// A text that ends at `x`.
    pub(super) fn text_to(&mut self, [x, y]: [f64; 2], style: Style, text: &str) {
        self.text([x - style.width(text), y], style, text);
    }
}

/// Parts of a text that are drawn in the same way.
fn runs(text: &str) -> Vec<&str> {
    let mut runs = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, letter) in text.char_indices() {
        let common = is_common(letter);
        if before.is_some_and(|before| before != common) {
            runs.extend(text.get(start..at));
            start = at;
        }
        before = Some(common);
    }
    runs.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    runs
}
