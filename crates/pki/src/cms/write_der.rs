//! Writes DER: infallible, one buffer, no intermediate trees.
//!
//! Every signature of a one-shot key builds a certificate and a CMS, so the encoding must cost nothing next
//! to the two elliptic-curve signatures.

use der::asn1::ObjectIdentifier;

pub(crate) const BOOLEAN_TRUE: [u8; 3] = [0x01, 0x01, 0xff];
pub(crate) const INTEGER: u8 = 0x02;
pub(crate) const BIT_STRING: u8 = 0x03;
pub(crate) const OCTET_STRING: u8 = 0x04;
pub(crate) const NULL: [u8; 2] = [0x05, 0x00];
pub(crate) const OBJECT_IDENTIFIER: u8 = 0x06;
pub(crate) const ENUMERATED: u8 = 0x0a;
pub(crate) const UTF8_STRING: u8 = 0x0c;
pub(crate) const PRINTABLE_STRING: u8 = 0x13;
pub(crate) const UTC_TIME: u8 = 0x17;
pub(crate) const GENERALIZED_TIME: u8 = 0x18;
pub(crate) const SEQUENCE: u8 = 0x30;
pub(crate) const SET: u8 = 0x31;

/// A constructed context-specific tag below 31.
pub(crate) const fn context(number: u8) -> u8 {
    0xa0 | number
}

/// A primitive context-specific tag below 31.
pub(crate) const fn context_primitive(number: u8) -> u8 {
    0x80 | number
}

/// A value whose contents are written by `body`.
pub(crate) fn nested(out: &mut Vec<u8>, tag: u8, body: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(&[tag, 0]);
    let start = out.len();
    body(out);
    let length = out.len() - start;
    if let (true, Ok(short)) = (length < 0x80, u8::try_from(length)) {
        out[start - 1] = short;
        return;
    }
    let octets = length.to_be_bytes();
    let skip = octets.iter().take_while(|octet| **octet == 0).count();
    let long = &octets[skip..];
    out[start - 1] = 0x80 | u8::try_from(long.len()).unwrap_or(8);
    out.splice(start..start, long.iter().copied());
}

/// A value with the given contents.
pub(crate) fn value(out: &mut Vec<u8>, tag: u8, contents: &[u8]) {
    nested(out, tag, |out| out.extend_from_slice(contents));
}

pub(crate) fn oid(out: &mut Vec<u8>, oid: &ObjectIdentifier) {
    value(out, OBJECT_IDENTIFIER, oid.as_bytes());
}

/// A non-negative INTEGER from its big-endian octets.
pub(crate) fn unsigned(out: &mut Vec<u8>, big_endian: &[u8]) {
    let skip = big_endian.iter().take_while(|octet| **octet == 0).count();
    let significant = &big_endian[skip..];
    nested(out, INTEGER, |out| {
        if significant.first().is_none_or(|first| first & 0x80 != 0) {
            out.push(0);
        }
        out.extend_from_slice(significant);
    });
}

/// A BIT STRING of whole octets.
pub(crate) fn bit_string(out: &mut Vec<u8>, octets: &[u8]) {
    nested(out, BIT_STRING, |out| {
        out.push(0);
        out.extend_from_slice(octets);
    });
}

/// A SET OF already encoded values, in the order of DER.
pub(crate) fn set_of(out: &mut Vec<u8>, tag: u8, mut values: Vec<&[u8]>) {
    values.sort_unstable();
    values.dedup();
    nested(out, tag, |out| {
        for encoded in values {
            out.extend_from_slice(encoded);
        }
    });
}
