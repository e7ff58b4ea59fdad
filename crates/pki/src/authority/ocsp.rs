//! Reads OCSP responses (RFC 6960) and looks certificates up in them.

use std::ops::Range;

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use der::Tag;
use jiff::Timestamp;

use super::constraints::Constraints;
use super::issue_crl::{Reason, Revoked};
use crate::cms::algorithm::{DigestAlgorithm, SignatureAlgorithm, identifier_parts, only};
use crate::cms::certificate::time;
use crate::cms::read_der::{Malformed, Value, Values, context, context_primitive};
use crate::cms::{Certificate, CmsError, oid};

/// The largest response that is read, in bytes.
pub const MAX_OCSP_BYTES: usize = 256 * 1024;
const MAX_ANSWERS: usize = 64;
const MAX_CERTIFICATES: usize = 8;
const WHAT: &str = "OCSP response";

/// A response as received: its structure was checked, its signature was not.
#[derive(Clone, Debug)]
pub struct OcspResponse {
    der: Vec<u8>,
    tbs: Range<usize>,
    algorithm: SignatureAlgorithm,
    signature: Range<usize>,
    produced: Timestamp,
    answers: Vec<Answer>,
    certificates: Vec<Certificate>,
}

/// What a response says of one certificate.
#[derive(Clone, Debug)]
struct Answer {
    digest: IdentifierDigest,
    issuer_name: Vec<u8>,
    issuer_key: Vec<u8>,
    serial: Vec<u8>,
    status: OcspStatus,
    this_update: Timestamp,
    next_update: Option<Timestamp>,
}

/// The digest with which an answer names the issuer. SHA-1 is the usual one: it identifies, and proves nothing.
#[derive(Clone, Copy, Debug)]
enum IdentifierDigest {
    Sha1,
    Other(DigestAlgorithm),
}

/// The state of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OcspStatus {
    /// Not revoked when the answer was made.
    Good,
    /// Revoked.
    Revoked(Revoked),
    /// The responder does not know the certificate.
    Unknown,
}

impl OcspResponse {
    /// Reads a successful `OCSPResponse`.
    pub fn from_der(der: &[u8]) -> Result<Self, CmsError> {
        if der.len() > MAX_OCSP_BYTES {
            return Err(CmsError::TooLarge(WHAT));
        }
        let mut outer = Values::of_sequence(der, WHAT)?;
        let status = outer.expect(Tag::Enumerated, WHAT)?;
        if status.contents != [0] {
            return Err(Malformed("OCSP response without an answer").into());
        }
        let mut bytes = only(&outer.expect(context(0), WHAT)?, WHAT)?.inner(WHAT)?;
        outer.end(WHAT)?;
        if bytes.next(WHAT)?.oid(WHAT)? != oid::OCSP_BASIC {
            return Err(Malformed(WHAT).into());
        }
        let basic = bytes.expect(Tag::OctetString, WHAT)?.contents;
        bytes.end(WHAT)?;
        Self::read_basic(basic)
    }

    fn read_basic(der: &[u8]) -> Result<Self, CmsError> {
        let range = |part: &[u8]| {
            let start = part.as_ptr().addr() - der.as_ptr().addr();
            start..start + part.len()
        };
        let mut fields = Values::of_sequence(der, WHAT)?;
        let tbs = fields.expect(Tag::Sequence, WHAT)?;
        let algorithm = SignatureAlgorithm::read(&fields.expect(Tag::Sequence, WHAT)?, None)?;
        let signature = fields.next(WHAT)?.octets_of_bit_string(WHAT)?;
        let certificates = match fields.optional(context(0), WHAT)? {
            Some(tagged) => {
                let list = only(&tagged, WHAT)?.inner(WHAT)?;
                let list = list.up_to(MAX_CERTIFICATES, WHAT)?;
                list.iter()
                    .filter_map(|one| Certificate::from_der(one.raw).ok())
                    .collect()
            }
            None => Vec::new(),
        };
        fields.end(WHAT)?;
        let mut data = tbs.inner(WHAT)?;
        data.optional(context(0), WHAT)?;
        // The responder's name or key is a hint: the signature says who it was.
        data.next(WHAT)?;
        let produced = time(&data.expect(Tag::GeneralizedTime, WHAT)?)?;
        let answers = data.expect(Tag::Sequence, WHAT)?.inner(WHAT)?;
        let answers: Result<Vec<Answer>, CmsError> = answers
            .up_to(MAX_ANSWERS, WHAT)?
            .iter()
            .map(Answer::read)
            .collect();
        data.optional(context(1), WHAT)?;
        data.end(WHAT)?;
        Ok(Self {
            tbs: range(tbs.raw),
            algorithm,
            signature: range(signature),
            produced,
            answers: answers?,
            certificates,
            der: der.to_vec(),
        })
    }

    /// The certificates that came with the response.
    pub fn certificates(&self) -> &[Certificate] {
        &self.certificates
    }

    /// Whether the response is about a certificate of this issuer.
    pub fn covers(&self, certificate: &Certificate, issuer: &Certificate) -> bool {
        self.answers
            .iter()
            .any(|answer| answer.is_about(certificate, issuer))
    }

    /// What the response says of a certificate at a time. An answer from before that time, or from after the certificate's
    /// end, says nothing of it if it is good. Of several answers the worst counts, and of revocations the earliest.
    pub fn status(&self, certificate: &Certificate, issuer: &Certificate, at: Timestamp) -> OcspStatus {
        let (mut is_good, mut is_unknown) = (false, false);
        let mut revoked: Option<&Revoked> = None;
        let answers = self.answers.iter();
        for answer in answers.filter(|answer| answer.is_about(certificate, issuer)) {
            match &answer.status {
                OcspStatus::Good => is_good |= answer.speaks(certificate, at),
                OcspStatus::Revoked(found) if revoked.is_none_or(|known| found.at < known.at) => {
                    revoked = Some(found);
                }
                OcspStatus::Revoked(_) => {}
                OcspStatus::Unknown => is_unknown = true,
            }
        }
        match revoked {
            Some(revoked) => OcspStatus::Revoked(revoked.clone()),
            None if is_good && !is_unknown => OcspStatus::Good,
            None => OcspStatus::Unknown,
        }
    }

    /// Checks that the issuer signed the response, or a responder that the issuer has named for that (RFC 6960, section
    /// 4.2.2.2). Each check of a signature is deducted from `left`.
    pub fn verify_signed_by(
        &self,
        issuer: &Certificate,
        others: &[Certificate],
        left: &mut usize,
    ) -> Result<(), CmsError> {
        let mut spend = || {
            *left = left.checked_sub(1).ok_or(CmsError::BadSignature)?;
            Ok::<_, CmsError>(())
        };
        spend()?;
        if self.is_signed_with(issuer).is_ok() {
            return Ok(());
        }
        let own = |one: &&Certificate| {
            one.is_issued_under(issuer)
                && one.covers(self.produced)
                && Constraints::of(one).is_ok_and(|constraints| constraints.signs_ocsp())
        };
        for responder in self.certificates.iter().chain(others).filter(own) {
            spend()?;
            if self.is_signed_with(responder).is_ok() {
                spend()?;
                return responder.verify_signed_by(issuer.key()?);
            }
        }
        Err(CmsError::SignerCertificateMissing)
    }

    fn is_signed_with(&self, signer: &Certificate) -> Result<(), CmsError> {
        let tbs = &self.der[self.tbs.clone()];
        let signature = &self.der[self.signature.clone()];
        signer.key()?.verify_message(self.algorithm, tbs, signature)
    }
}

impl Answer {
    fn read(value: &Value<'_>) -> Result<Self, CmsError> {
        let mut fields = value.inner(WHAT)?;
        let mut identifier = fields.expect(Tag::Sequence, WHAT)?.inner(WHAT)?;
        let algorithm = identifier.expect(Tag::Sequence, WHAT)?;
        let digest = match identifier_parts(&algorithm)?.0 {
            oid::SHA_1 => IdentifierDigest::Sha1,
            _ => IdentifierDigest::Other(DigestAlgorithm::read(&algorithm)?),
        };
        let issuer_name = identifier.expect(Tag::OctetString, WHAT)?.contents.to_vec();
        let issuer_key = identifier.expect(Tag::OctetString, WHAT)?.contents.to_vec();
        let serial = identifier.expect(Tag::Integer, WHAT)?.contents.to_vec();
        identifier.end(WHAT)?;
        let status = fields.next(WHAT)?;
        let status = if status.tag == context_primitive(0) {
            OcspStatus::Good
        } else if status.tag == context(1) {
            OcspStatus::Revoked(revoked(&status, &serial)?)
        } else {
            OcspStatus::Unknown
        };
        let this_update = time(&fields.expect(Tag::GeneralizedTime, WHAT)?)?;
        let next_update = match fields.optional(context(0), WHAT)? {
            Some(tagged) => Some(time(&only(&tagged, WHAT)?)?),
            None => None,
        };
        fields.optional(context(1), WHAT)?;
        fields.end(WHAT)?;
        Ok(Self {
            digest,
            issuer_name,
            issuer_key,
            serial,
            status,
            this_update,
            next_update,
        })
    }

    fn is_about(&self, certificate: &Certificate, issuer: &Certificate) -> bool {
        let hash = |bytes: &[u8]| match self.digest {
            IdentifierDigest::Sha1 => digest(&SHA1_FOR_LEGACY_USE_ONLY, bytes).as_ref().to_vec(),
            IdentifierDigest::Other(algorithm) => algorithm.hash(bytes),
        };
        // A responder hashes the name as the issuer's certificate or as the certificate itself spells it.
        self.serial == certificate.serial()
            && issuer.key().is_ok_and(|key| self.issuer_key == hash(key.bits()))
            && [certificate.issuer_der(), issuer.subject_der()]
                .iter()
                .any(|name| self.issuer_name == hash(name))
    }

    fn speaks(&self, certificate: &Certificate, at: Timestamp) -> bool {
        self.this_update <= certificate.not_after()
            && (self.this_update >= at || self.next_update.is_some_and(|next| next >= at))
    }
}

fn revoked(status: &Value<'_>, serial: &[u8]) -> Result<Revoked, CmsError> {
    let mut fields = status.inner(WHAT)?;
    let at = time(&fields.expect(Tag::GeneralizedTime, WHAT)?)?;
    let reason = match fields.optional(context(0), WHAT)? {
        Some(tagged) => {
            let code = only(&tagged, WHAT)?;
            Reason::from_code(code.contents.first().copied().unwrap_or(0))
        }
        None => Reason::Unspecified,
    };
    fields.end(WHAT)?;
    Ok(Revoked {
        serial: serial.to_vec(),
        at,
        reason,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use aws_lc_rs::rand::SystemRandom;

    use super::*;
    use crate::authority::{LocalKey, Role, Root, Subject, Validity};

    #[test]
    fn a_revocation_counts_wherever_it_stands_in_a_response() {
        let rng = SystemRandom::new();
        let key = || Arc::new(LocalKey::generate().unwrap());
        let name = |name: &str| Subject::of_installation(name, None, None).unwrap();
        let from: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        let until: Timestamp = "2026-02-01T00:00:00Z".parse().unwrap();
        let years = |years| Validity::of_years(from, years).unwrap();
        let root = Root::create(key(), &name("Raíz"), years(30), &rng).unwrap();
        let issuer = root.issuer(key(), &name("Emisor"), years(20), &rng).unwrap();
        let signer = issuer.credential(Role::Service, key(), &name("Ana"), years(10), &rng);
        let signer = signer.unwrap().certificate().clone();
        let answered = |revoked: &[Revoked]| {
            let (who, answers) = (name("Estado"), Validity::new(from, until).unwrap());
            let answered = issuer.ocsp_response(&[&signer], revoked, answers, (&who, years(1)), &rng);
            OcspResponse::from_der(&answered.unwrap().response).unwrap()
        };
        let revoked = |at: Timestamp| Revoked {
            serial: signer.serial().to_vec(),
            at,
            reason: Reason::KeyCompromise,
        };
        let (early, late) = (revoked(from), revoked(until));
        let good = answered(&[]);
        let compromised = answered(std::slice::from_ref(&early));
        let later = answered(std::slice::from_ref(&late));
        let status = |responses: &[&OcspResponse]| {
            let mut all = good.clone();
            all.answers = responses.iter().flat_map(|one| one.answers.clone()).collect();
            all.status(&signer, issuer.certificate(), from)
        };
        assert_eq!(status(&[&good]), OcspStatus::Good);
        for responses in [
            [&good, &compromised],
            [&compromised, &good],
            [&later, &compromised],
        ] {
            assert_eq!(status(&responses), OcspStatus::Revoked(early.clone()));
        }
        let mut unknown = good.clone();
        unknown.answers[0].status = OcspStatus::Unknown;
        assert_eq!(status(&[&good, &unknown]), OcspStatus::Unknown);
    }
}
