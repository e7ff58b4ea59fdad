//! Detects files that can be read in more than one way. JSON allows repeated members and several spellings
//! of one value, so a reader could be shown something else than what was sealed.

/// The text without the blanks that mean nothing.
pub(super) fn compact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut quoted, mut escaped) = (false, false);
    for letter in text.chars() {
        if !quoted && matches!(letter, ' ' | '\t' | '\n' | '\r') {
            continue;
        }
        quoted ^= letter == '"' && !escaped;
        escaped = quoted && letter == '\\' && !escaped;
        out.push(letter);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::compact;
    use serde_json::Value;

    fn is_plain(text: &str) -> bool {
        let read: Value = serde_json::from_str(text).unwrap();
        let one_way = read.to_string();
        compact(text) == one_way
    }

    #[test]
    fn blanks_do_not_matter_and_everything_else_does() {
        for plain in [
            r#"{"a":1,"b":"x y","c":[null,true]}"#,
            "{ \"b\" : 1,\n\t\"a\": [ 2 ] }\r\n",
            r#"{"a":"\"  \\","b":"ñ\n"}"#,
        ] {
            assert!(is_plain(plain), "{plain}");
        }
        for ambiguous in [
            r#"{"a":1,"a":2}"#,
            r#"{"a":"\u0041"}"#,
            r#"{"a":1e2}"#,
            r#"{"a":"\/"}"#,
        ] {
            assert!(!is_plain(ambiguous), "{ambiguous}");
        }
    }
}
