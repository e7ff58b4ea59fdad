//! Breaks text into lines of a width. No text is cut: one that does not fit is set smaller, then takes more lines.

use std::ops::Range;

use unicode_bidi::{BidiClass, bidi_class};
use unicode_linebreak::linebreaks;
use unicode_segmentation::UnicodeSegmentation;

use super::canvas::Style;
use super::charset::is_common;
use super::scripts::starts_rtl;

/// Points that rounding may add to a width.
const ROUNDING_TOLERANCE: f64 = 0.001;

/// The lines of a text, on no more than `lines` if a size down to `smallest` allows it.
pub(super) fn fit(style: Style, smallest: f64, width: f64, lines: usize, text: &str) -> (Style, Vec<String>) {
    let words = words(style, width, text);
    let narrowest = (smallest / style.size).min(1.0);
    let mut scale = 1.0;
    // A text half as large fits into half of the width: the words are measured once.
    while scale > narrowest && break_lines(&words, width / scale).0.len() > lines {
        scale = (scale - 0.02_f64).max(narrowest);
    }
    let lengths = balanced(&words, width / scale);
    (style.sized(style.size * scale), join(text, &words, &lengths))
}

/// The lines of a text, each as full as it can be.
pub(super) fn fill(style: Style, width: f64, text: &str) -> Vec<String> {
    let words = words(style, width, text);
    let lengths = break_lines(&words, width).0;
    join(text, &words, &lengths)
}

/// A part of a text that stays on one line.
struct Word {
    bytes: Range<usize>,
    width: f64,
    /// The width of the space after it.
    gap: f64,
}

/// The words of a text; one wider than a line is several.
fn words(style: Style, width: f64, text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut start = 0;
    for (end, _) in linebreaks(text) {
        let whole = text.get(start..end).unwrap_or_default();
        let word = whole.trim_end();
        let gap = style.width(whole.get(word.len()..).unwrap_or_default());
        let measured = Word {
            bytes: start..start + word.len(),
            width: style.width(word),
            gap,
        };
        if measured.width > width + ROUNDING_TOLERANCE {
            words.append(&mut parts_of(style, width, text, measured));
        } else {
            words.push(measured);
        }
        start = end;
    }
    words
}

/// The parts of a word that is wider than a line.
fn parts_of(style: Style, width: f64, text: &str, word: Word) -> Vec<Word> {
    let mut parts = Vec::new();
    let mut part = word.bytes.start..word.bytes.start;
    let mut filled = 0.0;
    let letters = text.get(word.bytes).unwrap_or_default();
    for letter in letters.graphemes(true) {
        let advance = style.width(letter);
        if filled + advance > width && !part.is_empty() {
            parts.push(measured_part(style, text, part.clone()));
            part.start = part.end;
            filled = 0.0;
        }
        part.end += letter.len();
        filled += advance;
    }
    let mut last = measured_part(style, text, part);
    last.gap = word.gap;
    parts.push(last);
    parts
}

fn measured_part(style: Style, text: &str, bytes: Range<usize>) -> Word {
    let width = style.width(text.get(bytes.clone()).unwrap_or_default());
    Word {
        bytes,
        width,
        gap: 0.0,
    }
}

/// How many words are on each line, so that the lines are about equally long.
fn balanced(words: &[Word], width: f64) -> Vec<usize> {
    let mut lengths = break_lines(words, width).0;
    let (mut narrow, mut wide) = (width / 2.0, width);
    for _ in 0..6 {
        if lengths.len() < 2 {
            break;
        }
        let middle = f64::midpoint(narrow, wide);
        let (broken, widest) = break_lines(words, middle);
        if widest <= middle && broken.len() == lengths.len() {
            (wide, lengths) = (middle, broken);
        } else {
            narrow = middle;
        }
    }
    lengths
}

/// How many words are on each line, and the width of the widest line.
fn break_lines(words: &[Word], width: f64) -> (Vec<usize>, f64) {
    let (mut lengths, mut filled, mut gap, mut widest) = (Vec::new(), 0.0, 0.0, 0.0_f64);
    for word in words {
        match lengths.last_mut() {
            Some(length) if filled + gap + word.width <= width + ROUNDING_TOLERANCE => {
                *length += 1;
                filled += gap + word.width;
            }
            _ => {
                lengths.push(1);
                filled = word.width;
            }
        }
        gap = word.gap;
        widest = widest.max(filled);
    }
    (lengths, widest)
}

/// The lines, each with the direction of the whole text.
fn join(text: &str, words: &[Word], lengths: &[usize]) -> Vec<String> {
    let mut rest = words;
    let mark = direction_mark(text);
    let mut lines = Vec::with_capacity(lengths.len());
    for length in lengths {
        let Some((line, after)) = rest.split_at_checked(*length) else {
            break;
        };
        rest = after;
        if let (Some(first), Some(last)) = (line.first(), line.last()) {
            let line = text.get(first.bytes.start..last.bytes.end).unwrap_or_default();
            lines.push(mark.into_iter().chain(line.chars()).collect());
        }
    }
    lines
}

/// The mark that gives a line the direction of its text, if the text has letters from right to left.
fn direction_mark(text: &str) -> Option<char> {
    let turned = |letter| {
        !is_common(letter) && matches!(bidi_class(letter), BidiClass::R | BidiClass::AL | BidiClass::AN)
    };
    let mark = if starts_rtl(text) { '\u{200f}' } else { '\u{200e}' };
    text.chars().any(turned).then_some(mark)
}

#[cfg(test)]
mod tests {
    use super::super::canvas::{INK, style};
    use super::super::font::Font;
    use super::*;

    #[test]
    fn text_is_set_smaller_before_it_takes_more_lines() {
        let set = style(Font::Regular, 10.0, INK);
        let width = set.width("Juan Sebastián");
        let fitted = |smallest, width| fit(set, smallest, width, 1, "Juan Sebastián").1;
        assert_eq!(fitted(10.0, width), ["Juan Sebastián"]);
        assert_eq!(fitted(8.0, width * 0.81), ["Juan Sebastián"]);
        assert_eq!(fitted(10.0, width * 0.81), ["Juan", "Sebastián"]);
    }

    #[test]
    fn lines_are_about_equally_long() {
        let set = style(Font::Bold, 10.0, INK);
        let width = set.width("uno dos tres cuatro");
        let (set, lines) = fit(set, 9.0, width, 2, "uno dos tres cuatro cinco");
        assert_eq!(lines, ["uno dos tres", "cuatro cinco"]);
        assert!((set.size - 10.0).abs() < 0.01);
        assert!(fit(set, 9.0, 100.0, 3, "").1.is_empty());
    }

    #[test]
    fn lines_hold_every_letter() {
        let set = style(Font::Regular, 9.0, INK);
        for text in [
            format!("uno dos {} tres", "f".repeat(200)),
            "山田太郎鈴木一郎佐藤花子".repeat(5),
            "ประยุทธ์จันทร์โอชา".repeat(4),
            "محمد بن سلمان آل سعود ".repeat(6).trim_end().to_owned(),
        ] {
            let unmarked = |line: &String| line.replace(['\u{200e}', '\u{200f}'], "");
            for lines in [fill(set, 100.0, &text), fit(set, 7.0, 100.0, 2, &text).1] {
                let held: String = lines.iter().map(unmarked).collect();
                assert_eq!(held.replace(' ', ""), text.replace(' ', ""));
            }
            for line in fill(set, 100.0, &text) {
                assert!(set.width(&line) <= 101.0, "{line}");
            }
        }
        assert!(fill(set, 100.0, "").is_empty());
    }

    #[test]
    fn every_line_keeps_the_direction_of_its_text() {
        let set = style(Font::Regular, 9.0, INK);
        let lines = fill(set, 40.0, "Firmó דוד לוי por su cuenta");
        assert!(lines.len() > 1 && lines.iter().all(|line| line.starts_with('\u{200e}')));
        let lines = fill(set, 40.0, "דוד לוי Banco Andino");
        assert!(lines.len() > 1 && lines.iter().all(|line| line.starts_with('\u{200f}')));
    }
}
