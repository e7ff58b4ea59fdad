//! What a part says of itself: the name of its field, that of the file, and how its text is encoded.

use super::parameters::parameter;
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
