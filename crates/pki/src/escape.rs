//! Text from a file, made safe to show: characters that steer a terminal, change the direction of writing or are
//! invisible are spelt out as escapes.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character does something other than show itself: control characters, direction marks, line separators,
/// and characters without a shape of their own (joiners, fillers, variation selectors, tags).
pub fn is_deceptive(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// A text as one line that shows every character it has, deceptive ones as `\u{1b}`.
pub fn escape(text: &str) -> Cow<'_, str> {
    replace(text, is_deceptive, |out, c| {
        // Writing to a String cannot fail.
        let _ = write!(out, "{}", c.escape_unicode());
    })
}

/// A text of JSON with the same characters as `\u001b`: JSON means the same by both. Line ends between its values stay.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    let is_deceptive = |c| c != '\n' && is_deceptive(c);
    replace(json, is_deceptive, |out, c| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    })
}

fn replace(text: &str, which: impl Fn(char) -> bool, with: impl Fn(&mut String, char)) -> Cow<'_, str> {
    if !text.contains(&which) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if which(c) {
            with(&mut out, c);
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_deceives_is_spelt_out() {
        assert_eq!(escape("Contrato Ñandú «1» 漢字"), "Contrato Ñandú «1» 漢字");
        assert_eq!(
            escape("\u{1b}[2J\r\nV\u{202e}\u{9b}\u{200b}\u{ad}\u{e0041}"),
            "\\u{1b}[2J\\u{d}\\u{a}V\\u{202e}\\u{9b}\\u{200b}\\u{ad}\\u{e0041}"
        );
    }

    #[test]
    fn json_means_the_same_afterwards() {
        let said = "a\u{7f}\u{9b}31m\u{202e}\u{2028}\u{e0041}b";
        let json = format!("{{\n  \"name\": \"{said}\"\n}}");
        let escaped = escape_json(&json);
        assert_eq!(
            escaped,
            "{\n  \"name\": \"a\\u007f\\u009b31m\\u202e\\u2028\\udb40\\udc41b\"\n}"
        );
    }
}
