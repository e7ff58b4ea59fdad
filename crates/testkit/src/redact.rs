//! Replaces values that differ from run to run, so that a snapshot stays the same. Different values stay different.

use std::fmt::Write;

/// Identifiers become `[id 1]`, `[id 2]`… in the order of their first appearance; the secret parts of signing
/// addresses become `[token]`.
pub fn redacted(text: &str) -> String {
    let mut seen: Vec<&str> = Vec::new();
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).len();
        let word = &rest[..word];
        if is_id(word) {
            let place = seen.iter().position(|known| *known == word);
            let place = place.unwrap_or_else(|| {
                seen.push(word);
                seen.len() - 1
            });
            write!(shown, "[id {}]", place + 1).unwrap();
        } else {
            shown.push_str(word);
        }
        rest = &rest[word.len()..];
        if word.is_empty() {
            shown.push(first);
            rest = &rest[first.len_utf8()..];
            rest = rest.trim_start_matches(|c| first == '=' && token(&shown) && is_token(c));
            if first == '=' && token(&shown) {
                shown.push_str("[token]");
            }
        }
    }
    shown
}

fn is_id(word: &str) -> bool {
    word.len() == 32 && word.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether what was shown last is the name of a parameter that carries a token.
fn token(shown: &str) -> bool {
    ["?f=", "?msv=", "&a="].iter().any(|name| shown.ends_with(name))
}

fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

#[cfg(test)]
mod tests {
    use super::redacted;

    #[test]
    fn the_same_stays_the_same() {
        let (a, b) = (
            "0123456789abcdef0123456789abcdef",
            "f123456789abcdef0123456789abcdef",
        );
        assert_eq!(redacted(&format!("{a} \"{b}\" {a}")), "[id 1] \"[id 2]\" [id 1]");
        assert_eq!(
            redacted("https://x/sign?f=Ab-_9&cc=MTIz"),
            "https://x/sign?f=[token]&cc=MTIz"
        );
        assert_eq!(redacted("x?msv=a1&a=b2&ur=ñ=f"), "x?msv=[token]&a=[token]&ur=ñ=f");
    }
}
