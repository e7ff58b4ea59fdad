//! Writes the operators of a page or a form.

use std::fmt::Write;

use super::charset::is_common;
use super::data::Colour;
use super::font::Font;

/// Near black, for names and titles.
pub(super) const INK: Colour = Colour(0x1b, 0x1f, 0x24);
/// For labels and remarks; dark enough to be legible on white.
pub(super) const QUIET: Colour = Colour(0x5a, 0x63, 0x6e);
/// For hairlines.
pub(super) const LINE: Colour = Colour(0xcf, 0xd5, 0xdb);

/// Font, size, colour and spacing of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    pub(super) font: Font,
    pub(super) size: f64,
    pub(super) colour: Colour,
    /// Space added after every letter.
    pub(super) spread: f64,
}

pub(super) const fn style(font: Font, size: f64, colour: Colour) -> Style {
    Style {
        font,
        size,
        colour,
        spread: 0.0,
    }
}

impl Style {
    pub(super) fn sized(self, size: f64) -> Self {
        Self { size, ..self }
    }

    /// The width of a letter with its spacing.
    pub(super) fn advance(self, letter: char) -> f64 {
        self.font.width(letter) * self.size + self.spread
    }

    pub(super) fn width(self, text: &str) -> f64 {
        text.chars().map(|letter| self.advance(letter)).sum()
    }
}

/// The operators written so far.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    out: String,
}

impl Canvas {
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.out.into_bytes()
    }

    /// Writes numbers, and the operator that takes them.
    fn operate(&mut self, numbers: &[f64], operator: &str) {
        for value in numbers {
            number(&mut self.out, *value);
            self.out.push(' ');
        }
        self.out.push_str(operator);
    }

    /// Sets the colour of the next shapes.
    fn fill(&mut self, Colour(red, green, blue): Colour) {
        self.operate(&[red, green, blue].map(|part| f64::from(part) / 255.0), "rg\n");
    }

    /// Adds a rectangle: left, bottom, width, height.
    fn rectangle(&mut self, area: [f64; 4]) {
        self.operate(&area, "re\n");
    }

    /// Paints the dark runs of rows of squares, from the top down, given as their starts and ends; `step` is the
    /// side of a square.
    pub(super) fn squares(
        &mut self,
        [left, top]: [f64; 2],
        step: f64,
        rows: impl Iterator<Item = impl Iterator<Item = (usize, usize)>>,
        colour: Colour,
    ) {
        self.fill(colour);
        // Whole numbers are short. Rows overlap slightly, so that no white shows between them.
        self.out.push_str("q ");
        self.operate(&[step / 50.0, 0.0, 0.0, -step / 50.0, left, top], "cm\n");
        for (place, row) in rows.enumerate() {
            for (start, end) in row {
                for value in [start * 50, place * 50, (end - start) * 50] {
                    whole(&mut self.out, value as u64);
                    self.out.push(' ');
                }
                self.out.push_str("51 re\n");
            }
        }
        self.out.push_str("f Q\n");
    }

    /// A filled rectangle.
    pub(super) fn bar(&mut self, area: [f64; 4], colour: Colour) {
        self.fill(colour);
        self.rectangle(area);
        self.out.push_str("f\n");
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
                self.begin(style, [x, y]);
                if style.spread > 0.0 {
                    self.operate(&[style.spread], "Tc ");
                }
                self.show(run);
                self.out
                    .push_str(if style.spread > 0.0 { "0 Tc ET\n" } else { "ET\n" });
            } else {
                self.shapes([x, y], style, run);
            }
            x += style.width(run);
        }
    }

    /// Begins a text at a position.
    fn begin(&mut self, style: Style, place: [f64; 2]) {
        self.out.push_str("BT /");
        self.out.push_str(style.font.key());
        self.out.push(' ');
        self.operate(&[style.size], "Tf ");
        self.operate(&place, "Td ");
    }

    /// Shows letters of the embedded fonts.
    fn show(&mut self, letters: &str) {
        self.out.push('<');
        units(&mut self.out, letters);
        self.out.push_str("> Tj ");
    }

    /// Draws letters that the embedded fonts lack as shapes, with their text as replacement.
    fn shapes(&mut self, [mut x, y]: [f64; 2], style: Style, run: &str) {
        self.out.push_str("/Span<</ActualText<FEFF");
        units(&mut self.out, run);
        self.out.push_str(">>>BDC\n");
        // Programs that copy text need letters, even invisible ones: spaces as wide as the shapes.
        let spaces = " ".repeat(run.chars().count());
        let stretch = 100.0 * style.width(run) / style.width(&spaces).max(0.01);
        self.begin(style, [x, y]);
        self.operate(&[stretch.round()], "Tz 3 Tr ");
        self.show(&spaces);
        self.out.push_str("100 Tz 0 Tr ET\n");
        for letter in run.chars() {
            let scale = style.size / 1000.0;
            let shape = style.font.shape(letter);
            let _ = writeln!(self.out, "q {scale:.5} 0 0 {scale:.5} {x:.2} {y:.2} cm {shape} Q");
            x += style.advance(letter);
        }
        self.out.push_str("EMC\n");
    }

    /// A text that ends at `x`.
    pub(super) fn text_to(&mut self, [x, y]: [f64; 2], style: Style, text: &str) {
        self.text([x - style.width(text), y], style, text);
    }
}

/// Writes letters as the hexadecimal digits of their codes.
fn units(out: &mut String, letters: &str) {
    for unit in letters.encode_utf16() {
        for shift in [12, 8, 4, 0] {
            let digit = char::from_digit(u32::from(unit >> shift & 15), 16);
            out.extend(digit);
        }
    }
}

/// Writes a number to the thousandth of a point, which is invisible, without trailing zeros.
fn number(out: &mut String, value: f64) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "places on paper are small"
    )]
    let thousandths = (value.abs() * 1000.0).round() as u64;
    if value < 0.0 && thousandths > 0 {
        out.push('-');
    }
    whole(out, thousandths / 1000);
    let mut rest = thousandths % 1000;
    if rest > 0 {
        out.push('.');
        let mut weight = 100;
        while rest > 0 {
            whole(out, rest / weight);
            rest %= weight;
            weight /= 10;
        }
    }
}

fn whole(out: &mut String, value: u64) {
    if value >= 10 {
        whole(out, value / 10);
    }
    out.push(char::from(b'0' + (value % 10) as u8));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let written = |value| {
            let mut out = String::new();
            number(&mut out, value);
            out
        };
        for (value, expected) in [
            (0.0, "0"),
            (-0.0001, "0"),
            (-12.5, "-12.5"),
            (841.8904, "841.89"),
            (0.0306, "0.031"),
            (100.0, "100"),
            (7.102, "7.102"),
        ] {
            assert_eq!(written(value), expected);
        }
    }
}
