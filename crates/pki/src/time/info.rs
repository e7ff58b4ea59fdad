//! The contents of a token: a `TSTInfo`.

use std::time::Duration;

use der::Tag;
use der::asn1::ObjectIdentifier;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

use super::error::TimeStampTokenError;
use super::imprint::Imprint;
use crate::authority::validity::digits;
use crate::cms::certificate::extensions;
use crate::cms::read_der::{Malformed, Value, Values, context, context_primitive};
use crate::cms::write_der::{self, GENERALIZED_TIME, INTEGER, SEQUENCE};

const WHAT: &str = "timestamp";
const MAX_INTEGER_BYTES: usize = 64;

/// The contents of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Info {
    pub(super) policy: ObjectIdentifier,
    pub(super) imprint: Imprint,
    /// The contents of an INTEGER.
    pub(super) serial: Vec<u8>,
    pub(super) time: Timestamp,
    pub(super) accuracy: Option<Duration>,
    /// The contents of an INTEGER.
    pub(super) nonce: Option<Vec<u8>>,
}

impl Info {
    pub(super) fn read(der: &[u8]) -> Result<Self, TimeStampTokenError> {
        let mut fields = Values::of_sequence(der, WHAT)?;
        if fields.next(WHAT)?.small(WHAT)? != 1 {
            return Err(Malformed(WHAT).into());
        }
        let policy = fields.next(WHAT)?.oid(WHAT)?;
        let imprint = Imprint::read(&fields.next(WHAT)?)?;
        let serial = integer(&fields.expect(Tag::Integer, WHAT)?)?;
        let time = generalized_time(&fields.expect(Tag::GeneralizedTime, WHAT)?)?;
        let accuracy = match fields.optional(Tag::Sequence, WHAT)? {
            Some(value) => Some(accuracy(&value)?),
            None => None,
        };
        fields.optional(Tag::Boolean, WHAT)?;
        let nonce = match fields.optional(Tag::Integer, WHAT)? {
            Some(value) => Some(integer(&value)?),
            None => None,
        };
        fields.optional(context(0), WHAT)?;
        if let Some(list) = fields.optional(context(1), WHAT)?
            && extensions(list.contents)?
                .iter()
                .any(|extension| extension.critical)
        {
            return Err(Malformed("critical extension of a timestamp").into());
        }
        fields.end(WHAT)?;
        Ok(Self {
            policy,
            imprint,
            serial,
            time,
            accuracy,
            nonce,
        })
    }

    pub(super) fn to_der(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(160);
        write_der::nested(&mut out, SEQUENCE, |out| {
            write_der::value(out, INTEGER, &[1]);
            write_der::oid(out, &self.policy);
            self.imprint.write(out);
            write_der::value(out, INTEGER, &self.serial);
            // Whole seconds: fractions are allowed, but not every reader supports them.
            let time = digits(Offset::UTC.to_datetime(self.time));
            write_der::value(out, GENERALIZED_TIME, time.as_bytes());
            if let Some(accuracy) = self.accuracy {
                write_der::nested(out, SEQUENCE, |out| {
                    write_der::unsigned(out, &accuracy.as_secs().to_be_bytes());
                });
            }
            if let Some(nonce) = &self.nonce {
                write_der::value(out, INTEGER, nonce);
            }
        });
        out
    }
}

fn integer(value: &Value<'_>) -> Result<Vec<u8>, Malformed> {
    let fits = (1..=MAX_INTEGER_BYTES).contains(&value.contents.len());
    if fits {
        Ok(value.contents.to_vec())
    } else {
        Err(Malformed(WHAT))
    }
}

fn accuracy(value: &Value<'_>) -> Result<Duration, Malformed> {
    let mut fields = value.inner(WHAT)?;
    let mut part = |tag| match fields.optional(tag, WHAT)? {
        // The tags of the fractions are implicit: their contents are those of an INTEGER.
        Some(value) => Value {
            tag: Tag::Integer,
            ..value
        }
        .small(WHAT),
        None => Ok(0),
    };
    let seconds = part(Tag::Integer)?;
    let millis = part(context_primitive(0))?;
    let micros = part(context_primitive(1))?;
    fields.end(WHAT)?;
    if millis > 999 || micros > 999 {
        return Err(Malformed(WHAT));
    }
    Ok(Duration::from_secs(seconds).saturating_add(Duration::from_micros(millis * 1000 + micros)))
}

/// `YYYYMMDDhhmmss[.f…]Z`, the only form that RFC 3161 allows.
fn generalized_time(value: &Value<'_>) -> Result<Timestamp, Malformed> {
    let malformed = || Malformed("time of a timestamp");
    let text = value.contents.strip_suffix(b"Z").ok_or_else(malformed)?;
    let (whole, fraction) = text.split_at_checked(14).ok_or_else(malformed)?;
    let fraction = match fraction {
        [] => &[][..],
        [b'.', digits @ ..] if (1..=9).contains(&digits.len()) => digits,
        _ => return Err(malformed()),
    };
    if !whole.iter().chain(fraction).all(u8::is_ascii_digit) {
        return Err(malformed());
    }
    let number = |digits: &[u8]| {
        digits
            .iter()
            .fold(0i32, |value, digit| value * 10 + i32::from(digit - b'0'))
    };
    let small = |digits: &[u8]| i8::try_from(number(digits)).map_err(|_| malformed());
    let year = i16::try_from(number(&whole[..4])).map_err(|_| malformed())?;
    let nanos = (fraction.len()..9).fold(number(fraction), |value, _| value * 10);
    let at = DateTime::new(
        year,
        small(&whole[4..6])?,
        small(&whole[6..8])?,
        small(&whole[8..10])?,
        small(&whole[10..12])?,
        small(&whole[12..14])?,
        nanos,
    );
    Offset::UTC
        .to_timestamp(at.map_err(|_| malformed())?)
        .map_err(|_| malformed())
}
