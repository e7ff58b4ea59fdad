//! The response: a `TimeStampResp`, with a token or a refusal.

use der::Tag;

use super::error::TimeStampTokenError;
use super::rejection::{FailureInfo, Rejection};
use crate::cms::read_der::{Malformed, Value, Values};
use crate::cms::write_der::{self, BIT_STRING, INTEGER, SEQUENCE, UTF8_STRING};

/// The largest response that is read, in bytes.
pub const MAX_TIMESTAMP_RESPONSE_BYTES: usize = 256 * 1024;
const MAX_TEXT_CHARS: usize = 256;

/// The token in a response, in DER.
pub fn token_of(response: &[u8]) -> Result<&[u8], TimeStampTokenError> {
    const WHAT: &str = "timestamp response";
    if response.len() > MAX_TIMESTAMP_RESPONSE_BYTES {
        return Err(TimeStampTokenError::TooLarge);
    }
    let mut fields = Values::of_sequence(response, WHAT)?;
    let rejection = read_status(&fields.expect(Tag::Sequence, WHAT)?)?;
    let token = fields.optional(Tag::Sequence, WHAT)?;
    fields.end(WHAT)?;
    // 0 is granted, 1 is granted with modifications, which the checks of the token will find.
    match (rejection.status, token) {
        (0 | 1, Some(token)) => Ok(token.raw),
        (0 | 1, None) => Err(Malformed(WHAT).into()),
        _ => Err(TimeStampTokenError::Rejected(rejection)),
    }
}

fn read_status(value: &Value<'_>) -> Result<Rejection, Malformed> {
    const WHAT: &str = "timestamp status";
    let mut fields = value.inner(WHAT)?;
    let status = fields.next(WHAT)?.small(WHAT)?;
    let mut text = String::new();
    if let Some(lines) = fields.optional(Tag::Sequence, WHAT)? {
        for line in lines.inner(WHAT)?.up_to(16, WHAT)? {
            let line = String::from_utf8_lossy(line.contents);
            text.extend(
                line.chars()
                    .filter(|c| !c.is_control())
                    .take(MAX_TEXT_CHARS.saturating_sub(text.len())),
            );
        }
    }
    let failure = fields
        .optional(Tag::BitString, WHAT)?
        .and_then(|bits| FailureInfo::from_bits(bits.contents));
    fields.end(WHAT)?;
    Ok(Rejection {
        status,
        failure,
        text,
    })
}

/// A response that grants this token.
pub(super) fn granted(token: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(token.len() + 16);
    write_der::nested(&mut out, SEQUENCE, |out| {
        write_der::nested(out, SEQUENCE, |out| write_der::value(out, INTEGER, &[0]));
        out.extend_from_slice(token);
    });
    out
}

/// A response that refuses.
pub(super) fn rejected(failure: FailureInfo) -> Vec<u8> {
    let mut out = Vec::with_capacity(64);
    write_der::nested(&mut out, SEQUENCE, |out| {
        write_der::nested(out, SEQUENCE, |out| {
            write_der::value(out, INTEGER, &[2]);
            write_der::nested(out, SEQUENCE, |out| {
                write_der::value(out, UTF8_STRING, format!("{failure:?}").as_bytes());
            });
            write_der::value(out, BIT_STRING, &failure.bits());
        });
    });
    out
}
