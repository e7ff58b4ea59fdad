//! Prepares text from outside for drawing: composed letters, single spaces, no characters that hide or turn their
//! neighbours.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A longer text of a sheet is cut: its pages have no space for more.
const MAX_CHARS: usize = 400;

/// Combining marks on one letter. Hebrew with all its points has three.
const MAX_MARKS_PER_CHAR: usize = 3;

/// A text of a sheet without characters that cannot be drawn or that change how others are drawn.
pub(super) fn clean(text: &str) -> String {
    let start = text
        .char_indices()
        .nth(MAX_CHARS * 4)
        .map_or(text.len(), |(at, _)| at);
    let cleaned = clean_whole(text.get(..start).unwrap_or_default());
    cleaned.chars().take(MAX_CHARS).collect()
}

/// The same for a text of any length.
pub(super) fn clean_whole(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut marks = 0;
    for letter in text.nfc() {
        marks = if is_combining_mark(letter) { marks + 1 } else { 0 };
        if letter.is_whitespace() || letter.is_control() {
            if !out.ends_with(' ') {
                out.push(' ');
            }
        } else if is_joiner(letter) {
            // Between Latin letters a joiner is invisible, and makes two names look the same.
            if out
                .chars()
                .next_back()
                .is_some_and(|before| !is_common(before) && !is_joiner(before))
            {
                out.push(letter);
            }
        } else if !is_hidden(letter) && marks <= MAX_MARKS_PER_CHAR {
            out.push(letter);
        }
    }
    out.truncate(out.trim_end().len());
    if out.starts_with(' ') {
        out.split_off(1)
    } else {
        out
    }
}

/// Characters without a glyph: direction marks, variation selectors, tags.
fn is_hidden(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Letters that join or part their neighbours and have no shape of their own.
pub(super) fn is_joiner(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}')
}

/// Marks that set the direction of a line and have no shape.
pub(super) fn is_direction_mark(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}')
}

/// Whether a letter is in the fonts of every sheet, so that signatures need no font of their own: the letters of
/// Western European languages.
pub(super) fn is_common(letter: char) -> bool {
    matches!(letter, ' '..='~' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{ff}')
        || "–—‘’“”•…€−ŒœŠšŽžŸ".contains(letter)
}

/// All letters of every sheet's fonts, in their order.
pub(super) fn repertoire() -> impl Iterator<Item = char> {
    (' '..='\u{2fff}').filter(|letter| is_common(*letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_loses_what_acts_on_its_neighbours() {
        assert_eq!(clean(" José\u{202e}\tPérez \n\u{0}\u{7} "), "José Pérez");
        assert_eq!(clean("Jose\u{301}"), "José");
        assert_eq!(clean("\u{200f}\u{feff}"), "");
        assert_eq!(
            clean(&format!("x{}y", "\u{337}".repeat(50))),
            "x\u{337}\u{337}\u{337}y"
        );
        assert_eq!(
            clean("Ju\u{200d}an \u{646}\u{200c}\u{200c}\u{627}"),
            "Juan \u{646}\u{200c}\u{627}"
        );
        assert_eq!(clean(&"a".repeat(5000)).len(), MAX_CHARS);
    }
}
