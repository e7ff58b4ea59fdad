//! What a certificate says it may be used for.

use der::Tag;

use crate::cms::read::{Malformed, Values};
use crate::cms::{self, Certificate, oid};

/// Basic constraints, key usage and extended key usage of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraints {
    authority: bool,
    followers: Option<u64>,
    usage: u8,
    time_stamping: bool,
}

const DIGITAL_SIGNATURE: u8 = 0x80;
const NON_REPUDIATION: u8 = 0x40;
const KEY_CERT_SIGN: u8 = 0x04;
const CRL_SIGN: u8 = 0x02;

impl Constraints {
    /// Reads the extensions; one that is absent forbids nothing.
    pub fn of(certificate: &Certificate) -> Result<Self, cms::Error> {
        let (authority, followers) = basic_constraints(certificate)?;
        let usage = key_usage(certificate)?;
        Ok(Self {
            authority,
            followers,
            usage,
            time_stamping: only_time_stamping(certificate)?,
        })
    }

    /// Whether it is an authority's.
    pub fn is_authority(&self) -> bool {
        self.authority
    }

    /// How many authorities may follow below it, if that is limited.
    pub fn followers(&self) -> Option<u64> {
        self.followers
    }

    /// Whether it may sign certificates.
    pub fn signs_certificates(&self) -> bool {
        self.authority && self.usage & KEY_CERT_SIGN != 0
    }

    /// Whether it may sign CRLs.
    pub fn signs_crls(&self) -> bool {
        self.usage & CRL_SIGN != 0
    }

    /// Whether it may sign documents: digitalSignature or nonRepudiation.
    pub fn signs_documents(&self) -> bool {
        self.usage & (DIGITAL_SIGNATURE | NON_REPUDIATION) != 0
    }

    /// Whether it may sign timestamps: extended key usage timeStamping, critical and alone.
    pub fn signs_timestamps(&self) -> bool {
        self.signs_documents() && self.time_stamping
    }
}

fn basic_constraints(certificate: &Certificate) -> Result<(bool, Option<u64>), Malformed> {
    const WHAT: &str = "basic constraints";
    let Some(extension) = certificate.extension(oid::BASIC_CONSTRAINTS) else {
        return Ok((false, None));
    };
    let mut fields = Values::of_sequence(extension.value, WHAT)?;
    let authority = fields
        .optional(Tag::Boolean, WHAT)?
        .is_some_and(|flag| flag.contents != [0]);
    let followers = match fields.optional(Tag::Integer, WHAT)? {
        Some(number) => Some(number.small(WHAT)?),
        None => None,
    };
    fields.end(WHAT)?;
    Ok((authority, followers))
}

/// The first eight bits; all of them when there is no such extension.
fn key_usage(certificate: &Certificate) -> Result<u8, Malformed> {
    const WHAT: &str = "key usage";
    let Some(extension) = certificate.extension(oid::KEY_USAGE) else {
        return Ok(0xff);
    };
    let mut outer = Values::of(extension.value, WHAT)?;
    let bits = outer.expect(Tag::BitString, WHAT)?.contents;
    outer.end(WHAT)?;
    Ok(bits.get(1).copied().unwrap_or(0))
}

fn only_time_stamping(certificate: &Certificate) -> Result<bool, Malformed> {
    const WHAT: &str = "extended key usage";
    let Some(extension) = certificate.extension(oid::EXTENDED_KEY_USAGE) else {
        return Ok(false);
    };
    let purposes = Values::of_sequence(extension.value, WHAT)?.up_to(32, WHAT)?;
    let [purpose] = purposes[..] else { return Ok(false) };
    Ok(extension.critical && purpose.oid(WHAT)? == oid::TIME_STAMPING)
}
