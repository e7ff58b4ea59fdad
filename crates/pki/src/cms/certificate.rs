//! An X.509 certificate as received: its bytes, and the ranges of its parts.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use der::asn1::{GeneralizedTime, ObjectIdentifier, UtcTime};
use der::{Decode as _, Tag};
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use super::algorithm::SignatureAlgorithm;
use super::error::CmsError;
use super::key::PublicKey;
use super::read_der::{Malformed, Value, Values, context, context_primitive};
use super::{name, oid};

/// The largest certificate that is read, in bytes.
pub const MAX_CERTIFICATE_BYTES: usize = 64 * 1024;
const MAX_EXTENSIONS: usize = 64;
const WHAT: &str = "certificate";

/// A certificate; cheap to clone.
#[derive(Clone)]
pub struct Certificate(Arc<Parts>);

struct Parts {
    der: Vec<u8>,
    tbs: Range<usize>,
    serial: Range<usize>,
    issuer: Range<usize>,
    subject: Range<usize>,
    spki: Range<usize>,
    extensions: Box<[(ObjectIdentifier, bool, Range<usize>)]>,
    algorithm: Range<usize>,
    signature: Range<usize>,
    not_before: Timestamp,
    not_after: Timestamp,
    sha256: OnceLock<[u8; 32]>,
    key: OnceLock<Result<PublicKey, CmsError>>,
}

/// An extension of a certificate or of a CRL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extension<'a> {
    pub(crate) oid: ObjectIdentifier,
    pub(crate) critical: bool,
    pub(crate) value: &'a [u8],
}

impl Certificate {
    /// Reads a certificate that is the whole of `der`. Checks its structure, and nothing else.
    pub fn from_der(der: &[u8]) -> Result<Self, CmsError> {
        if der.len() > MAX_CERTIFICATE_BYTES {
            return Err(CmsError::TooLarge(WHAT));
        }
        let range = |part: &[u8]| {
            let start = part.as_ptr().addr() - der.as_ptr().addr();
            start..start + part.len()
        };
        let mut outer = Values::of_sequence(der, WHAT)?;
        let tbs = outer.expect(Tag::Sequence, WHAT)?;
        let algorithm = outer.expect(Tag::Sequence, WHAT)?;
        let signature = outer.next(WHAT)?.octets_of_bit_string(WHAT)?;
        outer.end(WHAT)?;

        let mut fields = tbs.inner(WHAT)?;
        fields.optional(context(0), WHAT)?;
        let serial = fields.expect(Tag::Integer, WHAT)?;
        let inner_algorithm = fields.expect(Tag::Sequence, WHAT)?;
        let issuer = fields.expect(Tag::Sequence, WHAT)?;
        let mut validity = fields.expect(Tag::Sequence, WHAT)?.inner(WHAT)?;
        let not_before = time(&validity.next(WHAT)?)?;
        let not_after = time(&validity.next(WHAT)?)?;
        validity.end(WHAT)?;
        let subject = fields.expect(Tag::Sequence, WHAT)?;
        let spki = fields.expect(Tag::Sequence, WHAT)?;
        fields.optional(context_primitive(1), WHAT)?;
        fields.optional(context_primitive(2), WHAT)?;
        let extensions = match fields.optional(context(3), WHAT)? {
            Some(tagged) => {
                let mut inner = tagged.inner(WHAT)?;
                let list = inner.expect(Tag::Sequence, WHAT)?;
                inner.end(WHAT)?;
                extensions(list.contents)?
            }
            None => Vec::new(),
        };
        fields.end(WHAT)?;
        if algorithm.raw != inner_algorithm.raw || serial.contents.is_empty() {
            return Err(Malformed(WHAT).into());
        }
        Ok(Self(Arc::new(Parts {
            tbs: range(tbs.raw),
            serial: range(serial.contents),
            issuer: range(issuer.raw),
            subject: range(subject.raw),
            spki: range(spki.raw),
            extensions: extensions
                .iter()
                .map(|extension| (extension.oid, extension.critical, range(extension.value)))
                .collect(),
            algorithm: range(algorithm.raw),
            signature: range(signature),
            not_before,
            not_after,
            sha256: OnceLock::new(),
            key: OnceLock::new(),
            der: der.to_vec(),
        })))
    }

    fn part(&self, part: &Range<usize>) -> &[u8] {
        &self.0.der[part.clone()]
    }

    /// The certificate's bytes.
    pub fn as_der(&self) -> &[u8] {
        &self.0.der
    }

    /// The SHA-256 of the certificate's bytes.
    pub fn sha256(&self) -> &[u8; 32] {
        self.0.sha256.get_or_init(|| Sha256::digest(&self.0.der).into())
    }

    /// The serial number: the contents of its INTEGER.
    pub fn serial(&self) -> &[u8] {
        self.part(&self.0.serial)
    }

    /// The DER of the issuer's name.
    pub fn issuer_der(&self) -> &[u8] {
        self.part(&self.0.issuer)
    }

    /// The DER of the subject's name.
    pub fn subject_der(&self) -> &[u8] {
        self.part(&self.0.subject)
    }

    /// The subject's name as text, for people to read.
    pub fn subject(&self) -> String {
        name::text(self.subject_der())
    }

    /// The subject's common name, for people to read.
    pub fn common_name(&self) -> Option<String> {
        name::attribute(self.subject_der(), oid::COMMON_NAME)
    }

    /// The subject's serial number: in a person's certificate, the identity document.
    pub fn subject_serial_number(&self) -> Option<String> {
        name::attribute(self.subject_der(), oid::SERIAL_NUMBER)
    }

    /// The issuer's name as text, for people to read.
    pub fn issuer(&self) -> String {
        name::text(self.issuer_der())
    }

    /// The moment from which the certificate is valid.
    pub fn not_before(&self) -> Timestamp {
        self.0.not_before
    }

    /// The last moment at which the certificate is valid.
    pub fn not_after(&self) -> Timestamp {
        self.0.not_after
    }

    /// Whether the certificate is valid at `at`, by its own dates.
    pub fn covers(&self, at: Timestamp) -> bool {
        self.0.not_before <= at && at.as_second() <= self.0.not_after.as_second()
    }

    /// The subject's public key.
    pub fn public_key(&self) -> Result<PublicKey, CmsError> {
        self.key().cloned()
    }

    pub(crate) fn key(&self) -> Result<&PublicKey, CmsError> {
        let read = || PublicKey::from_spki(self.part(&self.0.spki));
        self.0.key.get_or_init(read).as_ref().map_err(CmsError::clone)
    }

    /// Whether subject and issuer bear the same name.
    pub fn is_self_issued(&self) -> bool {
        name::is_same(self.issuer_der(), self.subject_der())
    }

    /// Whether the issuer's name is the subject's name of that certificate.
    pub fn is_issued_under(&self, issuer: &Certificate) -> bool {
        name::is_same(self.issuer_der(), issuer.subject_der())
    }

    /// Checks that the holder of `key` signed this certificate.
    pub fn verify_signed_by(&self, key: &PublicKey) -> Result<(), CmsError> {
        let mut identifier = Values::of(self.part(&self.0.algorithm), WHAT)?;
        let algorithm = SignatureAlgorithm::read(&identifier.next(WHAT)?, None)?;
        key.verify_message(algorithm, self.part(&self.0.tbs), self.part(&self.0.signature))
    }

    /// The subject key identifier, when there is one.
    pub fn key_identifier(&self) -> Option<&[u8]> {
        let value = self.extension(oid::SUBJECT_KEY_IDENTIFIER)?.value;
        let mut inner = Values::of(value, WHAT).ok()?;
        inner
            .expect(Tag::OctetString, WHAT)
            .ok()
            .map(|identifier| identifier.contents)
    }

    pub(crate) fn extensions(&self) -> impl Iterator<Item = Extension<'_>> {
        self.0.extensions.iter().map(|(oid, critical, value)| Extension {
            oid: *oid,
            critical: *critical,
            value: self.part(value),
        })
    }

    pub(crate) fn extension(&self, oid: ObjectIdentifier) -> Option<Extension<'_>> {
        self.extensions().find(|extension| extension.oid == oid)
    }
}

impl PartialEq for Certificate {
    fn eq(&self, other: &Self) -> bool {
        self.0.der == other.0.der
    }
}

impl Eq for Certificate {}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Certificate").field(&self.subject()).finish()
    }
}

/// The extensions in the contents of their SEQUENCE, each at most once.
pub(crate) fn extensions(list: &[u8]) -> Result<Vec<Extension<'_>>, Malformed> {
    const WHAT: &str = "extensions";
    let mut found: Vec<Extension<'_>> = Vec::new();
    for entry in Values::of(list, WHAT)?.up_to(MAX_EXTENSIONS, WHAT)? {
        let mut fields = entry.inner(WHAT)?;
        let oid = fields.next(WHAT)?.oid(WHAT)?;
        let critical = match fields.optional(Tag::Boolean, WHAT)? {
            None => false,
            // DEFAULT FALSE is often spelt out.
            Some(flag) => flag.contents != [0],
        };
        let value = fields.expect(Tag::OctetString, WHAT)?.contents;
        fields.end(WHAT)?;
        if found.iter().any(|extension| extension.oid == oid) {
            return Err(Malformed(WHAT));
        }
        found.push(Extension { oid, critical, value });
    }
    Ok(found)
}

/// A `Time`: `UTCTime` or `GeneralizedTime`, to the second and in UTC. An authority writes the last second of the year
/// 9999 where there is no end (RFC 5280, section 4.1.2.5). It is later than what a `Timestamp` holds, which stands for it.
pub(crate) fn time(value: &Value<'_>) -> Result<Timestamp, Malformed> {
    const WHAT: &str = "time";
    let since_epoch = match value.tag {
        Tag::UtcTime => UtcTime::from_der(value.raw).map(|time| time.to_unix_duration()),
        Tag::GeneralizedTime => GeneralizedTime::from_der(value.raw).map(|time| time.to_unix_duration()),
        _ => return Err(Malformed(WHAT)),
    };
    let seconds = since_epoch.map_err(|_| Malformed(WHAT))?.as_secs();
    let seconds = i64::try_from(seconds).map_err(|_| Malformed(WHAT))?;
    // A `Time` is never before 1970, so that only its end can be out of range.
    Ok(Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX))
}
