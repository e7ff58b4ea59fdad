//! What a part says of itself: the name of its field, that of the file, and how its text is encoded.

use super::{Malformed, file_name};
use encoding_rs::Encoding;
use httparse::{EMPTY_HEADER, Status};

/// Headers of one part.
const MAX_HEADERS: usize = 32;

/// What a part says of itself, as far as it says anything.
#[derive(Debug, Default)]
pub(crate) struct PartHead {
    pub(crate) name: Option<String>,
    pub(crate) file_name: Option<String>,
    /// The `charset` of its `Content-Type`, if it is a known one.
    pub(crate) charset: Option<&'static Encoding>,
}

impl PartHead {
    /// Reads the headers and the empty line behind them.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut headers = [EMPTY_HEADER; MAX_HEADERS];
        let Ok(Status::Complete((length, headers))) = httparse::parse_headers(bytes, &mut headers) else {
            return Err(Malformed);
        };
        // Where there are no headers, or line breaks of another kind, the head ends before its time: content would be
        // taken for headers.
        if length < bytes.len() {
            return Err(Malformed);
        }
        let last = |name: &str| {
            let mut named = headers
                .iter()
                .filter(|header| header.name.eq_ignore_ascii_case(name));
            named.next_back().map(|header| header.value)
        };
        let charset = last("content-type").and_then(|value| parameter(value, b"charset"));
        let charset = charset.and_then(|label| Encoding::for_label(&label));
        let Some(disposition) = last("content-disposition") else {
            return Ok(Self {
                charset,
                ..Self::default()
            });
        };
        Ok(Self {
            name: parameter(disposition, b"name").and_then(|name| String::from_utf8(name).ok()),
            file_name: file_name::read(disposition),
            charset,
        })
    }
}

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
