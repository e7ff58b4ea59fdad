//! What a part says of itself: the name of its field, and that of the file.

use super::Malformed;
use httparse::{EMPTY_HEADER, Status};

/// Headers of one part.
const MAX_HEADERS: usize = 32;

/// A part's names, as far as it has any.
#[derive(Debug, Default)]
pub(crate) struct PartHead {
    pub(crate) name: Option<String>,
    /// `filename`. There is no `filename*` in forms; what comes by that name is not looked at.
    pub(crate) file_name: Option<String>,
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
        let mut dispositions = headers
            .iter()
            .filter(|header| header.name.eq_ignore_ascii_case("content-disposition"));
        let Some(disposition) = dispositions.next_back() else {
            return Ok(Self::default());
        };
        Ok(Self {
            name: parameter(disposition.value, b"name"),
            file_name: parameter(disposition.value, b"filename"),
        })
    }
}

/// The first parameter of that name, if it is text.
fn parameter(mut header: &[u8], wanted: &[u8]) -> Option<String> {
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
            return String::from_utf8(value).ok();
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
