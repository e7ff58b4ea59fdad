//! Reads DER one level at a time: borrowed, bounded by the input, without recursion.
//!
//! Every value keeps its raw bytes, because the received bytes must be hashed and compared, never a re-encoding of
//! them.

use der::asn1::ObjectIdentifier;
use der::{Decode as _, Header, Reader as _, SliceReader, Tag, TagNumber};

/// The bytes do not have the shape that was expected at the named place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("malformed {0}")]
pub struct Malformed(pub &'static str);

/// A constructed context-specific tag.
pub(crate) const fn context(number: u32) -> Tag {
    Tag::ContextSpecific {
        constructed: true,
        number: TagNumber(number),
    }
}

/// A primitive context-specific tag.
pub(crate) const fn context_primitive(number: u32) -> Tag {
    Tag::ContextSpecific {
        constructed: false,
        number: TagNumber(number),
    }
}

/// One value: its tag, its contents and the bytes of the whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<'a> {
    pub(crate) tag: Tag,
    pub(crate) contents: &'a [u8],
    pub(crate) raw: &'a [u8],
}

impl<'a> Value<'a> {
    /// The values inside a constructed one.
    pub(crate) fn inner(&self, what: &'static str) -> Result<Values<'a>, Malformed> {
        Values::of(self.contents, what)
    }

    pub(crate) fn oid(&self, what: &'static str) -> Result<ObjectIdentifier, Malformed> {
        if self.tag != Tag::ObjectIdentifier {
            return Err(Malformed(what));
        }
        ObjectIdentifier::from_bytes(self.contents).map_err(|_| Malformed(what))
    }

    /// The contents of a BIT STRING of whole octets.
    pub(crate) fn octets_of_bit_string(&self, what: &'static str) -> Result<&'a [u8], Malformed> {
        match (self.tag, self.contents.split_first()) {
            (Tag::BitString, Some((0, octets))) => Ok(octets),
            _ => Err(Malformed(what)),
        }
    }

    /// A non-negative INTEGER that fits in 63 bits.
    pub(crate) fn small(&self, what: &'static str) -> Result<u64, Malformed> {
        if self.tag != Tag::Integer || !is_minimal(self.contents) || self.contents.len() > 8 {
            return Err(Malformed(what));
        }
        if self.contents.first().is_some_and(|first| first & 0x80 != 0) {
            return Err(Malformed(what));
        }
        Ok(self
            .contents
            .iter()
            .fold(0, |value, octet| value << 8 | u64::from(*octet)))
    }
}

fn is_minimal(integer: &[u8]) -> bool {
    match integer {
        [] => false,
        [0, second, ..] => second & 0x80 != 0,
        [0xff, second, ..] => second & 0x80 == 0,
        _ => true,
    }
}

/// The values of one level, in order.
#[derive(Clone, Debug)]
pub(crate) struct Values<'a>(&'a [u8]);

impl<'a> Values<'a> {
    pub(crate) fn of(bytes: &'a [u8], what: &'static str) -> Result<Self, Malformed> {
        SliceReader::new(bytes)
            .map(|_| Self(bytes))
            .map_err(|_| Malformed(what))
    }

    /// The values inside the SEQUENCE that is the whole of `bytes`.
    pub(crate) fn of_sequence(bytes: &'a [u8], what: &'static str) -> Result<Self, Malformed> {
        let mut outer = Self::of(bytes, what)?;
        let sequence = outer.expect(Tag::Sequence, what)?;
        outer.end(what)?;
        sequence.inner(what)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn next(&mut self, what: &'static str) -> Result<Value<'a>, Malformed> {
        let malformed = |_| Malformed(what);
        let mut reader = SliceReader::new(self.0).map_err(malformed)?;
        let header = Header::decode(&mut reader).map_err(malformed)?;
        let contents = reader.read_slice(header.length()).map_err(malformed)?;
        let length = usize::try_from(reader.position()).map_err(malformed)?;
        let (raw, rest) = self.0.split_at_checked(length).ok_or(Malformed(what))?;
        self.0 = rest;
        Ok(Value {
            tag: header.tag(),
            contents,
            raw,
        })
    }

    pub(crate) fn expect(&mut self, tag: Tag, what: &'static str) -> Result<Value<'a>, Malformed> {
        let value = self.next(what)?;
        if value.tag == tag {
            Ok(value)
        } else {
            Err(Malformed(what))
        }
    }

    /// The next value if it has this tag, nothing if it has another or there is none.
    pub(crate) fn optional(&mut self, tag: Tag, what: &'static str) -> Result<Option<Value<'a>>, Malformed> {
        if self.is_empty() {
            return Ok(None);
        }
        let mut ahead = self.clone();
        let value = ahead.next(what)?;
        if value.tag != tag {
            return Ok(None);
        }
        *self = ahead;
        Ok(Some(value))
    }

    /// All remaining values, refused beyond `limit`.
    pub(crate) fn up_to(mut self, limit: usize, what: &'static str) -> Result<Vec<Value<'a>>, Malformed> {
        let mut values = Vec::new();
        while !self.is_empty() {
            if values.len() == limit {
                return Err(Malformed(what));
            }
            values.push(self.next(what)?);
        }
        Ok(values)
    }

    pub(crate) fn end(self, what: &'static str) -> Result<(), Malformed> {
        if self.is_empty() {
            Ok(())
        } else {
            Err(Malformed(what))
        }
    }
}
