//! The answer: a `TimeStampResp`, with a token or a refusal.

use std::fmt;

use der::Tag;

use super::error::Error;
use crate::cms::read::{Malformed, Value, Values};
use crate::cms::write::{self, BIT_STRING, INTEGER, SEQUENCE, UTF8_STRING};

/// The largest response that is read, in bytes.
pub const RESPONSE_LIMIT: usize = 256 * 1024;
const TEXT_LIMIT: usize = 256;

/// Why an authority gives no timestamp (RFC 3161, section 2.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The digest algorithm is unknown or not supported.
    BadAlgorithm,
    /// The request is not permitted or not supported.
    BadRequest,
    /// The data has the wrong format.
    BadDataFormat,
    /// The authority's source of time is not available.
    TimeNotAvailable,
    /// The requested policy is not supported.
    UnacceptedPolicy,
    /// A requested extension is not supported.
    UnacceptedExtension,
    /// Requested additional information is not available.
    AddInfoNotAvailable,
    /// The request cannot be handled because something broke.
    SystemFailure,
}

impl Failure {
    const BITS: [(Self, u8); 8] = [
        (Self::BadAlgorithm, 0),
        (Self::BadRequest, 2),
        (Self::BadDataFormat, 5),
        (Self::TimeNotAvailable, 14),
        (Self::UnacceptedPolicy, 15),
        (Self::UnacceptedExtension, 16),
        (Self::AddInfoNotAvailable, 17),
        (Self::SystemFailure, 25),
    ];

    fn bit(self) -> u8 {
        Self::BITS
            .iter()
            .find(|(failure, _)| *failure == self)
            .map_or(25, |(_, bit)| *bit)
    }

    /// The contents of a BIT STRING with this bit alone.
    fn bits(self) -> Vec<u8> {
        let bit = self.bit();
        let mut bits = vec![0; usize::from(bit / 8) + 2];
        bits[0] = 7 - bit % 8;
        bits[usize::from(bit / 8) + 1] = 0x80 >> (bit % 8);
        bits
    }

    fn from_bits(bits: &[u8]) -> Option<Self> {
        let octets = bits.get(1..)?;
        let set = |bit: u8| {
            octets
                .get(usize::from(bit / 8))
                .is_some_and(|octet| octet & (0x80 >> (bit % 8)) != 0)
        };
        Self::BITS
            .iter()
            .find(|(_, bit)| set(*bit))
            .map(|(failure, _)| *failure)
    }
}

/// A refusal as received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The `PKIStatus`.
    pub status: u64,
    /// The reason, if a known one was given.
    pub failure: Option<Failure>,
    /// The authority's words, cut and stripped of control characters: never to be trusted.
    pub text: String,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "status {}", self.status)?;
        if let Some(failure) = self.failure {
            write!(f, ", {failure:?}")?;
        }
        if self.text.is_empty() {
            Ok(())
        } else {
            write!(f, ", {:?}", self.text)
        }
    }
}

/// The token in a response, in DER.
pub fn token_of(response: &[u8]) -> Result<&[u8], Error> {
    const WHAT: &str = "timestamp response";
    if response.len() > RESPONSE_LIMIT {
        return Err(Error::TooLarge);
    }
    let mut fields = Values::of_sequence(response, WHAT)?;
    let rejection = read_status(&fields.expect(Tag::Sequence, WHAT)?)?;
    let token = fields.optional(Tag::Sequence, WHAT)?;
    fields.end(WHAT)?;
    // 0 is granted, 1 is granted with modifications, which the checks of the token will find.
    match (rejection.status, token) {
        (0 | 1, Some(token)) => Ok(token.raw),
        (0 | 1, None) => Err(Malformed(WHAT).into()),
        _ => Err(Error::Rejected(rejection)),
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
                    .take(TEXT_LIMIT.saturating_sub(text.len())),
            );
        }
    }
    let failure = fields
        .optional(Tag::BitString, WHAT)?
        .and_then(|bits| Failure::from_bits(bits.contents));
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
    write::nested(&mut out, SEQUENCE, |out| {
        write::nested(out, SEQUENCE, |out| write::value(out, INTEGER, &[0]));
        out.extend_from_slice(token);
    });
    out
}

/// A response that refuses.
pub(super) fn rejected(failure: Failure) -> Vec<u8> {
    let mut out = Vec::with_capacity(64);
    write::nested(&mut out, SEQUENCE, |out| {
        write::nested(out, SEQUENCE, |out| {
            write::value(out, INTEGER, &[2]);
            write::nested(out, SEQUENCE, |out| {
                write::value(out, UTF8_STRING, format!("{failure:?}").as_bytes());
            });
            write::value(out, BIT_STRING, &failure.bits());
        });
    });
    out
}
