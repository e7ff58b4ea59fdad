//! A CMS `SignedData` of a PDF or a timestamp: read strictly, not yet verified.

use der::Tag;
use der::asn1::ObjectIdentifier;
use jiff::Timestamp;
use rustc_hash::FxHashMap;

use super::algorithm::{DigestAlgorithm, SignatureAlgorithm, only};
use super::ber;
use super::certificate::{Certificate, time};
use super::error::CmsError;
use super::oid;
use super::read_der::{Malformed, Value, Values, context, context_primitive};
use super::write_der::SET;

/// The largest CMS that is read, in bytes, padding not counted.
pub const MAX_CMS_BYTES: usize = 4 * 1024 * 1024;
const CERTIFICATE_COUNT: usize = 64;
const CRL_COUNT: usize = 64;
const ATTRIBUTE_COUNT: usize = 64;
const VALUE_COUNT: usize = 16;

/// Certificates that were read before, by their bytes.
pub type CertificateCache = FxHashMap<Box<[u8]>, Certificate>;

/// A CMS with exactly one signer.
#[derive(Clone, Debug)]
pub struct SignedData {
    pub(super) content_type: ObjectIdentifier,
    pub(super) content: Option<Vec<u8>>,
    pub(super) certificates: Vec<Certificate>,
    pub(super) signer: SignerInfo,
    crls: Vec<Vec<u8>>,
    ocsp_responses: Vec<Vec<u8>>,
}

#[derive(Clone, Debug)]
pub(super) struct SignerInfo {
    pub(super) identifier: SignerIdentifier,
    pub(super) digest: DigestAlgorithm,
    /// The SET as it was signed.
    pub(super) attributes: Option<Vec<u8>>,
    pub(super) algorithm: SignatureAlgorithm,
    pub(super) signature: Vec<u8>,
    unsigned: Option<Vec<u8>>,
}

#[derive(Clone, Debug)]
pub(super) enum SignerIdentifier {
    IssuerAndSerial { issuer: Vec<u8>, serial: Vec<u8> },
    KeyIdentifier(Vec<u8>),
}

impl SignedData {
    /// Reads the CMS at the start of `contents`; only zeros, the padding of a PDF, may follow it.
    pub fn parse(contents: &[u8]) -> Result<Self, CmsError> {
        Self::parse_with_cache(contents, &mut CertificateCache::default())
    }

    /// The same with a cache of certificates that were read before.
    pub fn parse_with_cache(contents: &[u8], cache: &mut CertificateCache) -> Result<Self, CmsError> {
        const WHAT: &str = "CMS";
        // Without an early exit, so that the compiler can vectorise it: paddings are long.
        let blank = |octets: &[u8]| octets.iter().fold(0, |all, octet| all | octet) == 0;
        if contents.get(MAX_CMS_BYTES + 1..).is_some_and(|rest| !blank(rest)) {
            return Err(CmsError::TooLarge(WHAT));
        }
        let (value, padding) = ber::definite(contents)?;
        if !blank(padding) {
            return Err(CmsError::TrailingBytes);
        }
        let mut info = Values::of_sequence(&value, WHAT)?;
        if info.next(WHAT)?.oid(WHAT)? != oid::SIGNED_DATA {
            return Err(CmsError::ContentType);
        }
        let data = only(&info.expect(context(0), WHAT)?, WHAT)?;
        info.end(WHAT)?;
        Self::read(&data, cache)
    }

    fn read(data: &Value<'_>, cache: &mut CertificateCache) -> Result<Self, CmsError> {
        const WHAT: &str = "SignedData";
        let mut fields = Values::of_sequence(data.raw, WHAT)?;
        fields.next(WHAT)?.small(WHAT)?;
        fields.expect(Tag::Set, WHAT)?;
        let mut encapsulated = fields.expect(Tag::Sequence, WHAT)?.inner(WHAT)?;
        let content_type = encapsulated.next(WHAT)?.oid(WHAT)?;
        let content = match encapsulated.optional(context(0), WHAT)? {
            Some(tagged) => Some(octets(&only(&tagged, WHAT)?, WHAT)?.to_vec()),
            None => None,
        };
        encapsulated.end(WHAT)?;
        let certificates = match fields.optional(context(0), WHAT)? {
            Some(set) => readable_certificates(&set, cache)?,
            None => Vec::new(),
        };
        let (crls, ocsp_responses) = match fields.optional(context(1), WHAT)? {
            Some(set) => (encoded_crls(&set)?, encoded_ocsp_responses(&set)?),
            None => (Vec::new(), Vec::new()),
        };
        let signers = fields
            .expect(Tag::Set, WHAT)?
            .inner(WHAT)?
            .up_to(VALUE_COUNT, "signers")?;
        fields.end(WHAT)?;
        let [signer] = signers[..] else {
            return Err(CmsError::SignerCount(signers.len()));
        };
        Ok(Self {
            content_type,
            content,
            certificates,
            crls,
            ocsp_responses,
            signer: SignerInfo::read(&signer)?,
        })
    }

    /// The algorithm with which the signed bytes of the document are to be digested.
    pub fn digest_algorithm(&self) -> DigestAlgorithm {
        self.signer.digest
    }

    /// The algorithm of the signature.
    pub fn signature_algorithm(&self) -> SignatureAlgorithm {
        self.signer.algorithm
    }

    /// The signature value, over which a signature timestamp is taken.
    pub fn signature(&self) -> &[u8] {
        &self.signer.signature
    }

    /// The certificates in the CMS, in no order, without those that cannot be read.
    pub fn certificates(&self) -> &[Certificate] {
        &self.certificates
    }

    /// The CRLs in the CMS, in DER: beside the certificates or in Adobe's signed attribute.
    pub fn crls(&self) -> Result<Vec<Vec<u8>>, CmsError> {
        let mut crls = self.crls.clone();
        crls.extend(self.archived(0)?);
        Ok(crls)
    }

    /// The OCSP responses in the CMS, in DER, in the same places.
    pub fn ocsp_responses(&self) -> Result<Vec<Vec<u8>>, CmsError> {
        let mut responses = self.ocsp_responses.clone();
        responses.extend(self.archived(1)?);
        Ok(responses)
    }

    /// The CRLs (0) or OCSP responses (1) in Adobe's attribute revocationInfoArchival.
    fn archived(&self, kind: u32) -> Result<Vec<Vec<u8>>, CmsError> {
        const WHAT: &str = "revocation attribute";
        let Some(archive) = self.signer.attribute(oid::ADOBE_REVOCATION, WHAT)? else {
            return Ok(Vec::new());
        };
        for tagged in Values::of_sequence(archive.raw, WHAT)?.up_to(3, WHAT)? {
            if tagged.tag == context(kind) {
                return Ok(encoded_crls(&only(&tagged, WHAT)?)?);
            }
        }
        Ok(Vec::new())
    }

    /// The RFC 3161 tokens over the signature value, from the unsigned attributes.
    pub fn timestamps(&self) -> Result<Vec<Vec<u8>>, CmsError> {
        const WHAT: &str = "signature timestamp";
        let mut tokens = Vec::new();
        for (oid, values) in attributes(self.signer.unsigned.as_deref().unwrap_or_default())? {
            if oid == oid::SIGNATURE_TIMESTAMP.as_bytes() {
                tokens.extend(
                    values
                        .up_to(VALUE_COUNT, WHAT)?
                        .iter()
                        .map(|value| value.raw.to_vec()),
                );
            }
        }
        Ok(tokens)
    }

    /// The time that the signer claims, if there is one.
    pub fn claimed_time(&self) -> Result<Option<Timestamp>, CmsError> {
        let claimed = self.signer.attribute(oid::SIGNING_TIME, "signing time")?;
        Ok(claimed.as_ref().map(time).transpose()?)
    }
}

impl SignerInfo {
    fn read(value: &Value<'_>) -> Result<Self, CmsError> {
        const WHAT: &str = "SignerInfo";
        let mut fields = Values::of_sequence(value.raw, WHAT)?;
        fields.next(WHAT)?.small(WHAT)?;
        let identifier = SignerIdentifier::read(&fields.next(WHAT)?)?;
        let digest = DigestAlgorithm::read(&fields.next(WHAT)?)?;
        let attributes = fields.optional(context(0), WHAT)?.map(|set| {
            let mut signed = set.raw.to_vec();
            signed[0] = SET;
            signed
        });
        let algorithm = SignatureAlgorithm::read(&fields.next(WHAT)?, Some(digest))?;
        let signature = octets(&fields.next(WHAT)?, WHAT)?.to_vec();
        let unsigned = fields.optional(context(1), WHAT)?.map(|set| set.raw.to_vec());
        fields.end(WHAT)?;
        Ok(Self {
            identifier,
            digest,
            attributes,
            algorithm,
            signature,
            unsigned,
        })
    }

    /// The only value of a signed attribute, if it is there.
    pub(super) fn attribute(
        &self,
        oid: ObjectIdentifier,
        what: &'static str,
    ) -> Result<Option<Value<'_>>, CmsError> {
        self.attribute_of(oid.as_bytes(), what)
    }

    /// The same by the contents of its OBJECT IDENTIFIER.
    pub(super) fn attribute_of(&self, oid: &[u8], what: &'static str) -> Result<Option<Value<'_>>, CmsError> {
        let mut found = None;
        for (candidate, mut values) in attributes(self.attributes.as_deref().unwrap_or_default())? {
            if candidate != oid {
                continue;
            }
            let value = values.next(what)?;
            if found.replace(value).is_some() || !values.is_empty() {
                return Err(CmsError::RepeatedAttribute(what));
            }
        }
        Ok(found)
    }
}

impl SignerIdentifier {
    fn read(value: &Value<'_>) -> Result<Self, Malformed> {
        const WHAT: &str = "signer identifier";
        if value.tag == context_primitive(0) {
            return Ok(Self::KeyIdentifier(value.contents.to_vec()));
        }
        let mut fields = Values::of_sequence(value.raw, WHAT)?;
        let issuer = fields.expect(Tag::Sequence, WHAT)?.raw.to_vec();
        let serial = fields.expect(Tag::Integer, WHAT)?.contents.to_vec();
        fields.end(WHAT)?;
        Ok(Self::IssuerAndSerial { issuer, serial })
    }
}

/// The attributes of an encoded set: each type, as the contents of its OBJECT IDENTIFIER, with its values. Types are
/// not decoded: the arc of a UUID is longer than `ObjectIdentifier` holds.
fn attributes(set: &[u8]) -> Result<Vec<(&[u8], Values<'_>)>, Malformed> {
    const WHAT: &str = "attributes";
    if set.is_empty() {
        return Ok(Vec::new());
    }
    let set = Values::of(set, WHAT)?.next(WHAT)?;
    let mut read = Vec::new();
    for attribute in set.inner(WHAT)?.up_to(ATTRIBUTE_COUNT, WHAT)? {
        let mut fields = Values::of_sequence(attribute.raw, WHAT)?;
        let oid = fields.expect(Tag::ObjectIdentifier, WHAT)?.contents;
        let values = fields.expect(Tag::Set, WHAT)?.inner(WHAT)?;
        fields.end(WHAT)?;
        read.push((oid, values));
    }
    Ok(read)
}

fn readable_certificates(
    set: &Value<'_>,
    cache: &mut CertificateCache,
) -> Result<Vec<Certificate>, Malformed> {
    let choices = set
        .inner("certificates")?
        .up_to(CERTIFICATE_COUNT, "certificates")?;
    Ok(choices
        .iter()
        .filter_map(|choice| {
            if let Some(certificate) = cache.get(choice.raw) {
                return Some(certificate.clone());
            }
            let certificate = Certificate::from_der(choice.raw).ok()?;
            cache.insert(choice.raw.into(), certificate.clone());
            Some(certificate)
        })
        .collect())
}

fn encoded_crls(set: &Value<'_>) -> Result<Vec<Vec<u8>>, Malformed> {
    let choices = set.inner("CRLs")?.up_to(CRL_COUNT, "CRLs")?;
    Ok(choices
        .iter()
        .filter(|choice| choice.tag == Tag::Sequence)
        .map(|choice| choice.raw.to_vec())
        .collect())
}

/// The OCSP responses among revocation information of other formats (RFC 5652, section 10.2.1; RFC 5940).
fn encoded_ocsp_responses(set: &Value<'_>) -> Result<Vec<Vec<u8>>, Malformed> {
    let mut responses = Vec::new();
    for choice in set.inner("CRLs")?.up_to(CRL_COUNT, "CRLs")? {
        if choice.tag != context(1) {
            continue;
        }
        let mut other = choice.inner("CRLs")?;
        if other.next("CRLs")?.oid("CRLs")? == oid::OCSP_REVOCATION_INFO {
            responses.push(other.expect(Tag::Sequence, "CRLs")?.raw.to_vec());
        }
    }
    Ok(responses)
}

pub(super) fn octets<'a>(value: &Value<'a>, what: &'static str) -> Result<&'a [u8], Malformed> {
    if value.tag == Tag::OctetString {
        Ok(value.contents)
    } else {
        Err(Malformed(what))
    }
}
