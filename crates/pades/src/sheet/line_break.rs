//! Fits text into a width.

use super::canvas::Style;

/// Points that rounding may add to a width.
const ROUNDING_TOLERANCE: f64 = 0.001;

/// A text on one line: set smaller down to `smallest`, then cut.
pub(super) fn fit(style: Style, smallest: f64, width: f64, text: &str) -> (Style, String) {
    let natural = style.width(text);
    if natural <= width {
        return (style, text.into());
    }
    let style = style.sized((style.size * width / natural).max(smallest));
    if style.width(text) <= width + ROUNDING_TOLERANCE {
        return (style, text.into());
    }
    let mut room = width - style.advance('…');
    let fits = |letter: &char| {
        room -= style.advance(*letter);
        room >= 0.0
    };
    let kept: String = text.chars().take_while(fits).collect();
    (style, format!("{}…", kept.trim_end()))
}

/// A text on at most `lines` lines of about equal length, the last one cut if it is too long.
pub(super) fn wrap(style: Style, width: f64, lines: usize, text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split(' ').collect();
    let widths: Vec<f64> = words.iter().map(|word| style.width(word)).collect();
    let space = style.advance(' ');
    let mut lengths = break_lines(&widths, space, width, lines).0;
    let (mut narrow, mut wide) = (width / 2.0, width);
    for _ in 0..6 {
        let middle = f64::midpoint(narrow, wide);
        let (broken, widest) = break_lines(&widths, space, middle, lines);
        if widest <= middle && broken.len() == lengths.len() {
            (wide, lengths) = (middle, broken);
        } else {
            narrow = middle;
        }
    }
    let mut words = words.into_iter();
    let line = |length: usize| words.by_ref().take(length).collect::<Vec<_>>().join(" ");
    lengths
        .into_iter()
        .map(line)
        .map(|line| fit(style, style.size, width, &line).1)
        .collect()
}

/// How many words are on each line, and the width of the widest line.
fn break_lines(words: &[f64], space: f64, width: f64, lines: usize) -> (Vec<usize>, f64) {
    let (mut lengths, mut filled, mut widest) = (Vec::new(), 0.0, 0.0_f64);
    for word in words {
        let full = lengths.len() == lines;
        match lengths.last_mut() {
            Some(length) if full || filled + space + word <= width => {
                *length += 1;
                filled += space + word;
            }
            _ => {
                lengths.push(1);
                filled = *word;
            }
        }
        widest = widest.max(filled);
    }
    (lengths, widest)
}

#[cfg(test)]
mod tests {
    use super::super::canvas::{INK, style};
    use super::super::font::Font;
    use super::*;

    #[test]
    fn text_is_set_smaller_before_it_is_cut() {
        let set = style(Font::Regular, 10.0, INK);
        let width = set.width("Juan Sebastián");
        let fitted = |smallest, width| fit(set, smallest, width, "Juan Sebastián").1;
        assert_eq!(fitted(10.0, width), "Juan Sebastián");
        assert_eq!(fitted(8.0, width * 0.81), "Juan Sebastián");
        assert_eq!(fitted(10.0, set.width("Juan …")), "Juan…");
        assert_eq!(fitted(10.0, 1.0), "…");
    }

    #[test]
    fn lines_are_about_equally_long() {
        let set = style(Font::Bold, 10.0, INK);
        let wrapped = |lines| {
            wrap(
                set,
                set.width("uno dos tres cuatro"),
                lines,
                "uno dos tres cuatro cinco",
            )
        };
        assert_eq!(wrapped(2), ["uno dos tres", "cuatro cinco"]);
        assert_eq!(wrapped(1), ["uno dos tres cuat…"]);
        assert_eq!(wrap(set, 100.0, 3, ""), [""]);
    }
}
