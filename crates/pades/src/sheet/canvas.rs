//! Writes the operators of a page or a form.

use std::fmt::Write;

use super::charset::is_common;
use super::data::Colour;
use super::font::Font;
use super::scripts::{Cluster, Face, Piece, Subsets, key, pieces, shape};
use crate::structure::Tag;

/// Near black, for names and titles.
pub(super) const INK: Colour = Colour(0x1b, 0x1f, 0x24);
/// For labels and remarks; dark enough to be legible on white.
pub(super) const LABEL_COLOUR: Colour = Colour(0x5a, 0x63, 0x6e);
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
    /// The same in another size; everything keeps its proportion.
    pub(super) fn sized(self, size: f64) -> Self {
        let spread = self.spread * size / self.size;
        Self { size, spread, ..self }
    }

    /// The width of a letter of the embedded fonts with its spacing.
    fn advance(self, letter: char) -> f64 {
        self.font.width(letter) * self.size + self.spread
    }

    fn common_width(self, text: &str) -> f64 {
        text.chars().map(|letter| self.advance(letter)).sum()
    }

    pub(super) fn width(self, text: &str) -> f64 {
        if text.chars().all(is_common) {
            return self.common_width(text);
        }
        let pieces = pieces(text, self.font);
        pieces.iter().map(|(_, piece)| self.piece_width(piece)).sum()
    }

    fn piece_width(self, piece: &Piece) -> f64 {
        match piece {
            Piece::Common(text) => self.common_width(text),
            Piece::Other { face, text, rtl } => self.shaped_width(&shape(face, text, *rtl)),
            Piece::Unknown(text) => self.common_width(&codes(text)),
        }
    }

    fn shaped_width(self, clusters: &[Cluster]) -> f64 {
        let glyphs = clusters.iter().flat_map(|cluster| &cluster.glyphs);
        glyphs.map(|glyph| glyph.advance).sum::<f64>() * self.size / 1000.0
    }
}

/// Letters that no font has, by their codes.
fn codes(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, letter| {
        let _ = write!(out, "[U+{:04X}]", u32::from(letter));
        out
    })
}

/// The operators written so far, and the fonts that they need beyond those of every sheet.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    out: String,
    subsets: Subsets,
    /// The marked parts of the page so far, if the document is tagged.
    tags: Option<Vec<Tag>>,
}

impl Canvas {
    /// For a document that is tagged or not.
    pub(super) fn new(tagged: bool) -> Self {
        Self {
            tags: tagged.then(Vec::new),
            ..Self::default()
        }
    }

    /// Draws a part of the page that is read: in a tagged document it is marked.
    pub(super) fn mark(&mut self, tag: Tag, draw: impl FnOnce(&mut Self)) {
        if let Some(tags) = &mut self.tags {
            let kind = match tag {
                Tag::Paragraph => "P",
                Tag::Figure(_) => "Figure",
            };
            let _ = writeln!(self.out, "/{kind}<</MCID {}>>BDC", tags.len());
            tags.push(tag);
        }
        draw(self);
        self.end_marked();
    }

    /// Draws a part of the page that only decorates it, or repeats on every page.
    pub(super) fn decorate(&mut self, draw: impl FnOnce(&mut Self)) {
        if self.tags.is_some() {
            self.out.push_str("/Artifact BMC\n");
        }
        draw(self);
        self.end_marked();
    }

    fn end_marked(&mut self) {
        if self.tags.is_some() {
            self.out.push_str("EMC\n");
        }
    }

    /// Takes the marked parts of a page that is finished.
    pub(super) fn take_tags(&mut self) -> Vec<Tag> {
        self.tags.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Takes the operators written so far: a page or a form is finished, or set aside.
    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    /// Goes on with a page that was set aside.
    pub(super) fn resume(&mut self, page: String) {
        self.out = page;
    }

    /// The fonts of everything that was drawn.
    pub(super) fn into_subsets(self) -> Subsets {
        self.subsets
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
    fn fill(&mut self, colour: Colour) {
        self.operate(&parts(colour), "rg\n");
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

    /// Lines through points of an area from the left and the top, in the middle of a rectangle, as large as it allows.
    pub(super) fn strokes(
        &mut self,
        [left, bottom, width, height]: [f64; 4],
        [across, down]: [u16; 2],
        strokes: &[Vec<[u16; 2]>],
        colour: Colour,
    ) {
        let (across, down) = (f64::from(across.max(1)), f64::from(down.max(1)));
        let scale = (width / across).min(height / down);
        let x = left + (width - across * scale) / 2.0;
        let top = bottom + f64::midpoint(height, down * scale);
        self.out.push_str("q ");
        self.operate(&parts(colour), "RG ");
        // The points stay whole numbers, which are short.
        self.operate(&[scale, 0.0, 0.0, -scale, x, top], "cm 1 J 1 j ");
        self.operate(&[STROKE_POINTS / scale], "w\n");
        for stroke in strokes {
            let ends = stroke
                .first()
                .into_iter()
                .chain(stroke.get(1..).unwrap_or_default());
            for (place, [right, under]) in ends.enumerate() {
                let operator = if place == 0 { "m " } else { "l\n" };
                self.operate(&[f64::from(*right), f64::from(*under)], operator);
            }
            if let [[right, under]] = stroke.as_slice() {
                // A line of no length has round ends: a dot.
                self.operate(&[f64::from(*right), f64::from(*under)], "l\n");
            }
            self.out.push_str("S\n");
        }
        self.out.push_str("Q\n");
    }

    /// A text in slanted letters on a line, from its left end. The text has been cleaned.
    pub(super) fn slanted(&mut self, [x, y]: [f64; 2], style: Style, text: &str) {
        self.out.push_str("q ");
        self.operate(&[1.0, 0.0, SLANT, 1.0, x, y], "cm\n");
        self.text([0.0, 0.0], style, text);
        self.out.push_str("Q\n");
    }

    /// A text on a line, from its left end. The text has been cleaned.
    pub(super) fn text(&mut self, [mut x, y]: [f64; 2], style: Style, text: &str) {
        self.fill(style.colour);
        if text.chars().all(is_common) {
            self.common([x, y], style, text);
            return;
        }
        let mut placed: Vec<_> = pieces(text, style.font)
            .into_iter()
            .map(|(order, piece)| {
                let left = x;
                x += style.piece_width(&piece);
                (order, left, piece)
            })
            .collect();
        // Programs that copy text or read it aloud take it in the order in which it is drawn.
        placed.sort_unstable_by_key(|(order, ..)| *order);
        for (_, left, piece) in placed {
            match piece {
                Piece::Common(text) => self.common([left, y], style, &text),
                Piece::Other { face, text, rtl } => self.other([left, y], style, face, &text, rtl),
                Piece::Unknown(text) => {
                    self.begin_span(&text);
                    self.common([left, y], style, &codes(&text));
                    self.out.push_str("EMC\n");
                }
            }
        }
    }

    /// Draws letters of the fonts of every sheet.
    fn common(&mut self, place: [f64; 2], style: Style, text: &str) {
        self.begin(style.font.key(), style.size, place);
        if style.spread > 0.0 {
            self.operate(&[style.spread], "Tc ");
        }
        self.out.push('<');
        units(&mut self.out, text.encode_utf16());
        self.out.push_str("> Tj ");
        self.out
            .push_str(if style.spread > 0.0 { "0 Tc ET\n" } else { "ET\n" });
    }

    /// Draws letters of another font.
    fn other(&mut self, place: [f64; 2], style: Style, face: &'static Face, text: &str, rtl: bool) {
        let font = self.subsets.place(face);
        self.begin(&key(font), style.size, place);
        let thick = face.is_thin(style.font);
        if thick {
            self.operate(&parts(style.colour), "RG ");
            self.operate(&[style.size * THICKENING], "w 2 Tr ");
        }
        // Adjustments of the pen, in thousandths; positive ones move it left.
        let mut pending = 0.0;
        let mut rise = 0.0;
        for cluster in shape(face, text, rtl) {
            let meaning = text.get(cluster.text.clone()).unwrap_or_default();
            let alone = cluster.glyphs.len() == 1;
            let placed: Vec<_> = cluster
                .glyphs
                .iter()
                .filter_map(|shaped| {
                    let meaning = alone.then_some(meaning);
                    Some((shaped, self.subsets.add(font, shaped.glyph, meaning)?))
                })
                .collect();
            // A glyph that stands for one text here and another elsewhere, or that needs others, says what it means.
            let spanned = !placed.iter().all(|(_, placed)| placed.has_text);
            if spanned {
                self.begin_span(meaning);
            }
            for (shaped, placed) in placed {
                if (shaped.up - rise).abs() > 0.5 {
                    rise = shaped.up;
                    self.operate(&[rise * style.size / 1000.0], "Ts ");
                }
                pending -= shaped.right;
                self.out.push('[');
                if pending.abs() > 0.5 {
                    number(&mut self.out, pending);
                    pending = 0.0;
                }
                self.out.push('<');
                units(&mut self.out, [placed.code].into_iter());
                self.out.push_str(">]TJ ");
                pending += placed.width - (shaped.advance - shaped.right);
            }
            if spanned {
                self.out.push_str("EMC ");
            }
        }
        if rise.abs() > 0.0 {
            self.out.push_str("0 Ts ");
        }
        self.out.push_str(if thick { "0 Tr ET\n" } else { "ET\n" });
    }

    /// Begins a text at a position.
    fn begin(&mut self, font: &str, size: f64, place: [f64; 2]) {
        self.out.push_str("BT /");
        self.out.push_str(font);
        self.out.push(' ');
        self.operate(&[size], "Tf ");
        self.operate(&place, "Td ");
    }

    /// Begins a part that stands for a text.
    fn begin_span(&mut self, text: &str) {
        self.out.push_str("/Span<</ActualText<FEFF");
        units(&mut self.out, text.encode_utf16());
        self.out.push_str(">>>BDC\n");
    }

    /// A text that ends at `x`.
    pub(super) fn text_to(&mut self, [x, y]: [f64; 2], style: Style, text: &str) {
        self.text([x - style.width(text), y], style, text);
    }
}

/// How thick drawn lines are.
const STROKE_POINTS: f64 = 0.9;
/// How far slanted letters lean to the right for each point of their height.
const SLANT: f64 = 0.24;
/// How thick the strokes around bold letters are, for a size of one.
const THICKENING: f64 = 0.035;

/// Red, green and blue as PDF has them.
fn parts(Colour(red, green, blue): Colour) -> [f64; 3] {
    [red, green, blue].map(|part| f64::from(part) / 255.0)
}

/// Writes codes in hexadecimal digits.
fn units(out: &mut String, units: impl Iterator<Item = u16>) {
    for unit in units {
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
