//! The name of a part's file, in the forms in which clients send one: `filename*` (RFC 8187), `filename` with encoded
//! words (RFC 2047) or percent-encoded (RFC 7578), or `filename` with bytes in UTF-8 or in the encoding of Western
//! Europe.

use super::parameters::parameter;
use data_encoding::BASE64_NOPAD;
use encoding_rs::{Encoding, WINDOWS_1252};
use percent_encoding::percent_decode;
use std::borrow::Cow;

/// The name in a `Content-Disposition` header. `filename*` counts before `filename`.
pub(super) fn read(disposition: &[u8]) -> Option<String> {
    let extended = parameter(disposition, b"filename*").and_then(|value| extended_value(&value));
    match extended {
        // `System.Net.Http` of .NET Framework loses emoji in `filename*`, and has them in `filename`.
        Some(name) if is_lossy(&name) => plain(disposition).filter(|plain| !is_lossy(plain)).or(Some(name)),
        Some(name) => Some(name),
        None => plain(disposition),
    }
}

fn is_lossy(name: &str) -> bool {
    name.contains(char::REPLACEMENT_CHARACTER)
}

/// What `filename` says.
fn plain(disposition: &[u8]) -> Option<String> {
    let name = parameter(disposition, b"filename")?;
    Some(match String::from_utf8(name) {
        Ok(name) => percent_encoded(encoded_words(&name)),
        // A client that does not know UTF-8.
        Err(other) => WINDOWS_1252.decode(other.as_bytes()).0.into_owned(),
    })
}

/// The name without percent-encoding, as aiohttp and Apache `HttpClient` 5 send it. Other clients send a percent sign as
/// it is, so that only what becomes characters beyond ASCII counts as encoded.
fn percent_encoded(name: String) -> String {
    let decoded = percent_decode(name.as_bytes()).decode_utf8();
    let decoded = decoded
        .ok()
        .filter(|decoded| name.is_ascii() && !decoded.is_ascii());
    decoded.map(Cow::into_owned).unwrap_or(name)
}

/// `charset'language'text`, the text percent-encoded.
fn extended_value(value: &[u8]) -> Option<String> {
    let mut pieces = value.splitn(3, |byte| *byte == b'\'');
    let (charset, _language, text) = (pieces.next()?, pieces.next()?, pieces.next()?);
    let bytes: Vec<u8> = percent_decode(text).collect();
    decoded(charset, &bytes)
}

fn decoded(charset: &[u8], bytes: &[u8]) -> Option<String> {
    let encoding = Encoding::for_label(charset)?;
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    Some(text.into_owned())
}

/// The name with its encoded words read. One that cannot be read stays as it is.
fn encoded_words(name: &str) -> String {
    let mut read = String::with_capacity(name.len());
    let mut rest = name;
    let mut after_word = false;
    while let Some(start) = rest.find("=?") {
        let (before, word) = rest.split_at(start);
        let Some((text, after)) = encoded_word(word) else {
            read.push_str(before);
            read.push_str("=?");
            rest = &word[2..];
            after_word = false;
            continue;
        };
        // Blanks between two words only separate them.
        if !(after_word && before.trim().is_empty()) {
            read.push_str(before);
        }
        read.push_str(&text);
        rest = after;
        after_word = true;
    }
    read.push_str(rest);
    read
}

/// `=?charset?B?text?=` or `=?charset?Q?text?=` at the beginning, decoded, and what follows it.
fn encoded_word(text: &str) -> Option<(String, &str)> {
    let mut pieces = text.strip_prefix("=?")?.splitn(3, '?');
    let (charset, form, rest) = (pieces.next()?, pieces.next()?, pieces.next()?);
    let (word, after) = rest.split_once("?=")?;
    let bytes = match form {
        "B" | "b" => BASE64_NOPAD.decode(word.trim_end_matches('=').as_bytes()).ok()?,
        "Q" | "q" => {
            let spaced = word.replace('%', "%25").replace('=', "%").replace('_', " ");
            percent_decode(spaced.as_bytes()).collect()
        }
        _ => return None,
    };
    Some((decoded(charset.as_bytes(), &bytes)?, after))
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn names_are_read_in_every_form() {
        let cases: [(&[u8], &str); 22] = [
            (b"form-data; filename=\"a.pdf\"", "a.pdf"),
            (
                b"form-data; filename*=UTF-8''N%C3%B3mina%20%E2%82%AC.pdf",
                "N\u{f3}mina \u{20ac}.pdf",
            ),
            (b"form-data; filename*=utf-8'es'a.pdf; filename=b.pdf", "a.pdf"),
            (
                b"form-data; filename=\"b.pdf\"; filename*=ISO-8859-1''N%F3mina.pdf",
                "N\u{f3}mina.pdf",
            ),
            (b"form-data; filename=b.pdf; filename*=UTF-8''%FF", "b.pdf"),
            (b"form-data; filename=b.pdf; filename*=none''a", "b.pdf"),
            (b"form-data; filename=b.pdf; filename*=a.pdf", "b.pdf"),
            (b"form-data; filename=\"N\xf3mina.pdf\"", "N\u{f3}mina.pdf"),
            (b"form-data; filename=\"N\xc3\xb3mina.pdf\"", "N\u{f3}mina.pdf"),
            (
                b"form-data; filename=\"=?UTF-8?B?TsOzbWluYS5wZGY=?=\"",
                "N\u{f3}mina.pdf",
            ),
            (
                b"form-data; filename=\"=?ISO-8859-1?Q?N=F3mina_1=3D.pdf?=\"",
                "N\u{f3}mina 1=.pdf",
            ),
            (
                b"form-data; filename=\"a =?utf-8?q?b?= =?utf-8?q?c?= d.pdf\"",
                "a bc d.pdf",
            ),
            (
                b"form-data; filename=\"=?UTF-8?X?a?= =?=?b\"",
                "=?UTF-8?X?a?= =?=?b",
            ),
            (b"form-data; filename=\"=?utf-8?Q?100%25?=\"", "100%25"),
            (
                b"form-data; filename=\"N%C3%B3mina%20a%C3%B1o.pdf\"",
                "N\u{f3}mina a\u{f1}o.pdf",
            ),
            (b"form-data; filename=\"100%25%20a.pdf\"", "100%25%20a.pdf"),
            (
                b"form-data; filename=\"50%, %F3 y %zz.pdf\"",
                "50%, %F3 y %zz.pdf",
            ),
            (
                b"form-data; filename=\"N\xc3\xb3mina %C3%B1.pdf\"",
                "N\u{f3}mina %C3%B1.pdf",
            ),
            (
                b"form-data; filename=\"=?utf-8?B?8J+ThC5wZGY=?=\"; filename*=utf-8''%EF%BF%BD%EF%BF%BD.pdf",
                "\u{1f4c4}.pdf",
            ),
            (
                b"form-data; filename*=utf-8''%EF%BF%BD%EF%BF%BD.pdf",
                "\u{fffd}\u{fffd}.pdf",
            ),
            (
                b"form-data; filename=\"\xef\xbf\xbd\"; filename*=utf-8''%EF%BF%BD.pdf",
                "\u{fffd}.pdf",
            ),
            (
                b"form-data; filename=\"b.pdf\"; filename*=utf-8''100%25.pdf",
                "100%.pdf",
            ),
        ];
        for (header, expected) in cases {
            let shown = String::from_utf8_lossy(header);
            assert_eq!(read(header).as_deref(), Some(expected), "{shown}");
        }
        assert_eq!(read(b"form-data; name=a"), None);
    }
}
