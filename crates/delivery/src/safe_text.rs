//! Makes texts of strangers safe for messages: no links, no line breaks, the alphabet of text messages.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Invisible, and no part of an address: with one inside, a mail program finds no link.
const WORD_JOINER: char = '\u{2060}';

/// A stranger's text in which mail programs find no address to make a link of.
pub(crate) fn unlinked(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let after = rest.peek().copied().unwrap_or(' ');
        shown.push(c);
        let inside = !before.is_whitespace() && !after.is_whitespace();
        if inside
            && (matches!(c, '@' | '/' | '\\')
                || matches!(c, '.' | ':' | '。' | '．' | '｡') && !after.is_ascii_digit())
        {
            shown.push(WORD_JOINER);
        }
        before = c;
    }
    shown
}

/// A stranger's text by lines, for a page where each ends in a break.
pub(crate) fn lines(text: &str) -> Vec<String> {
    text.trim()
        .lines()
        .map(|line| unlinked(line.trim_end()))
        .collect()
}

/// One line for a header or a subject: no control character, no run of blanks, nothing that reads as encoded.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ").replace("=?", "= ?")
}

/// The text in the alphabet of plain text messages: accents that it lacks are dropped, as is what it cannot spell.
pub(crate) fn gsm(text: &str) -> String {
    let mut spelt = String::with_capacity(text.len());
    for c in text.nfc() {
        if is_gsm(c) {
            spelt.push(c);
        } else {
            spelt.extend(c.nfd().filter(|part| !is_combining_mark(*part) && is_gsm(*part)));
        }
    }
    one_line(&spelt)
}

/// Whether the character takes one place of the 160.
pub(crate) fn is_gsm(c: char) -> bool {
    matches!(c, ' '..='Z' | 'a'..='z' if c != '`') || "£¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_survives_as_one() {
        for text in [
            "https://evil.example/x",
            "visite www.evil.example",
            "evil.co",
            "a@evil.example",
            "javascript:alert(1)",
            "evil。co",
        ] {
            let shown = unlinked(text);
            assert_ne!(shown, text, "{text}");
            assert_eq!(shown.replace(WORD_JOINER, ""), text);
        }
    }

    #[test]
    fn ordinary_text_stays_as_it_is() {
        for text in [
            "Contrato No. 3.5 de 2026",
            "A las 10:30.",
            "Firme, por favor.",
            "y/o ",
        ] {
            let shown = unlinked(text).replace("y/\u{2060}o", "y/o");
            assert_eq!(shown, text);
        }
    }

    #[test]
    fn headers_stay_on_one_line() {
        assert_eq!(one_line(" a\r\nBcc: b\u{85}c\0 d "), "a Bcc: b c d");
        assert_eq!(one_line("=?utf-8?q?=0D=0ABcc:x?="), "= ?utf-8?q?=0D=0ABcc:x?=");
    }

    #[test]
    fn names_are_spelt_in_the_alphabet_of_text_messages() {
        assert_eq!(
            gsm("Construcción Ñandú & Cía. S.A.S."),
            "Construccion Ñandu & Cia. S.A.S."
        );
        assert_eq!(gsm("東京 Ltda"), "Ltda");
        assert!(gsm("áÁ`{}€").chars().all(is_gsm));
    }
}
