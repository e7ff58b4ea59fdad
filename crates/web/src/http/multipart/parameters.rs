//! The parameters of a header, such as `name="a"`.

/// The first parameter of that name.
pub(super) fn parameter(mut header: &[u8], wanted: &[u8]) -> Option<Vec<u8>> {
    loop {
        let begin = header.iter().position(|byte| !separates(*byte))?;
        header = &header[begin..];
        let end = header.iter().position(|byte| separates(*byte) || *byte == b'=');
        let (key, rest) = header.split_at(end.unwrap_or(header.len()));
        let Some(value) = rest.trim_ascii_start().strip_prefix(b"=") else {
            header = rest;
            continue;
        };
        let value = value.trim_ascii_start();
        let (value, rest) = match value.strip_prefix(b"\"") {
            Some(quoted) => unquoted(quoted)?,
            None => bare(value),
        };
        if key == wanted {
            return Some(value);
        }
        header = rest;
    }
}

fn separates(byte: u8) -> bool {
    byte == b';' || byte.is_ascii_whitespace()
}

fn bare(text: &[u8]) -> (Vec<u8>, &[u8]) {
    let end = text.iter().position(|byte| separates(*byte));
    let (value, rest) = text.split_at(end.unwrap_or(text.len()));
    (value.to_vec(), rest)
}

/// The text before the closing quote, and the text after it. A backslash is for a quote; before anything else it is one
/// of the characters, as in the paths that some browsers send.
fn unquoted(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut value = Vec::new();
    let mut rest = text;
    loop {
        let quote = memchr::memchr(b'"', rest)?;
        let (piece, after) = (&rest[..quote], &rest[quote + 1..]);
        rest = after;
        let Some(escaped) = piece.strip_suffix(b"\\") else {
            value.extend_from_slice(piece);
            return Some((value, rest));
        };
        value.extend_from_slice(escaped);
        value.push(b'"');
    }
}
