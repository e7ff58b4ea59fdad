//! Verifies a CMS: digest, signer's certificate, signed attributes, signature value.
//!
//! Checks neither the certificate's path nor revocation nor time.

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use der::Tag;
use der::asn1::ObjectIdentifier;

use super::algorithm::DigestAlgorithm;
use super::certificate::Certificate;
use super::error::CmsError;
use super::name::is_same;
use super::oid;
use super::read_der::{Malformed, Value, Values, context};
use super::signed_data::{SignedData, SignerIdentifier, octets};

/// The rules that a detached signature has to follow: its `/SubFilter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// `adbe.pkcs7.detached`: signed attributes, and a reference to the certificate in them, are optional.
    Pkcs7,
    /// `ETSI.CAdES.detached`: both are required.
    Cades,
}

/// What binds a signature to its certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// Only the key: another certificate of the same key would verify too.
    Key,
    /// The attribute signing-certificate, by SHA-1.
    SigningCertificate,
    /// The attribute signing-certificate-v2.
    SigningCertificateV2,
}

/// The result of a verified CMS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The certificate whose key made the signature.
    pub signer: Certificate,
    /// What binds the signature to it.
    pub binding: Binding,
}

impl SignedData {
    /// Verifies a detached signature against the digest of the document, taken with
    /// [`SignedData::digest_algorithm`].
    pub fn verify_detached(&self, document_digest: &[u8], profile: Profile) -> Result<Verified, CmsError> {
        if self.content.is_some() {
            return Err(CmsError::ContentPlacement);
        }
        if self.content_type != oid::DATA {
            return Err(CmsError::ContentType);
        }
        self.verify(document_digest, profile)
    }

    /// The content inside the CMS, not yet verified.
    pub(crate) fn content(&self, content_type: ObjectIdentifier) -> Result<&[u8], CmsError> {
        let content = self.content.as_deref().ok_or(CmsError::ContentPlacement)?;
        if self.content_type == content_type {
            Ok(content)
        } else {
            Err(CmsError::ContentType)
        }
    }

    /// Verifies a signature that carries its content, of the given type.
    pub(crate) fn verify_attached(&self, content_type: ObjectIdentifier) -> Result<Verified, CmsError> {
        let content = self.content(content_type)?;
        self.verify(&self.signer.digest.hash(content), Profile::Cades)
    }

    fn verify(&self, content_digest: &[u8], profile: Profile) -> Result<Verified, CmsError> {
        let signer = &self.signer;
        if signer.algorithm.digest() != signer.digest || content_digest.len() != signer.digest.output_len() {
            return Err(CmsError::AlgorithmMismatch);
        }
        match &signer.attributes {
            Some(_) => self.check_attributes(content_digest)?,
            None if profile == Profile::Pkcs7 => {}
            None => return Err(CmsError::MissingAttribute("message-digest")),
        }
        let (certificate, binding) = self.signer_certificate()?;
        if binding == Binding::Key && profile == Profile::Cades {
            return Err(CmsError::MissingAttribute("signing-certificate"));
        }
        let key = certificate.key()?;
        match &signer.attributes {
            Some(attributes) => key.verify_message(signer.algorithm, attributes, &signer.signature)?,
            None => key.verify(signer.algorithm, content_digest, &signer.signature)?,
        }
        Ok(Verified {
            signer: certificate.clone(),
            binding,
        })
    }

    fn check_attributes(&self, content_digest: &[u8]) -> Result<(), CmsError> {
        const DIGEST: &str = "message-digest";
        const TYPE: &str = "content-type";
        let digest = self.signer.attribute(oid::MESSAGE_DIGEST, DIGEST)?;
        let digest = digest.ok_or(CmsError::MissingAttribute(DIGEST))?;
        if octets(&digest, DIGEST)? != content_digest {
            return Err(CmsError::DigestMismatch);
        }
        let content_type = self.signer.attribute(oid::CONTENT_TYPE, TYPE)?;
        let content_type = content_type.ok_or(CmsError::MissingAttribute(TYPE))?;
        if content_type.oid(TYPE)? != self.content_type {
            return Err(CmsError::ContentType);
        }
        self.anchor()?;
        Ok(())
    }

    /// The certificate that the signature names, and what binds the signature to it. Renewed certificates of one key have
    /// one key identifier: the signer may have sent several, and the attributes say which of them signed.
    fn signer_certificate(&self) -> Result<(&Certificate, Binding), CmsError> {
        let is_named = |certificate: &&Certificate| match &self.signer.identifier {
            SignerIdentifier::IssuerAndSerial { issuer, serial } => {
                is_same(certificate.issuer_der(), issuer) && certificate.serial() == serial
            }
            SignerIdentifier::KeyIdentifier(identifier) => {
                certificate.key_identifier() == Some(identifier.as_slice())
            }
        };
        let mut refused = CmsError::SignerCertificateMissing;
        for certificate in self.certificates.iter().filter(is_named) {
            match self.check_binding(certificate) {
                Ok(binding) => return Ok((certificate, binding)),
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }

    fn check_binding(&self, certificate: &Certificate) -> Result<Binding, CmsError> {
        const V1: &str = "signing-certificate";
        const V2: &str = "signing-certificate-v2";
        let mut binding = Binding::Key;
        if let Some(value) = self.signer.attribute(oid::SIGNING_CERTIFICATE, V1)? {
            check_reference(&value, V1, certificate, |_| {
                Ok(digest(&SHA1_FOR_LEGACY_USE_ONLY, certificate.as_der())
                    .as_ref()
                    .to_vec())
            })?;
            binding = Binding::SigningCertificate;
        }
        if let Some(value) = self.signer.attribute(oid::SIGNING_CERTIFICATE_V2, V2)? {
            check_reference(&value, V2, certificate, |fields| {
                let algorithm = match fields.optional(Tag::Sequence, V2)? {
                    Some(identifier) => DigestAlgorithm::read(&identifier)?,
                    None => DigestAlgorithm::Sha256,
                };
                Ok(match algorithm {
                    DigestAlgorithm::Sha256 => certificate.sha256().to_vec(),
                    other => other.hash(certificate.as_der()),
                })
            })?;
            binding = Binding::SigningCertificateV2;
        }
        Ok(binding)
    }
}

/// Checks the first reference of a signing-certificate attribute, which is the signer's. `expected` reads the fields
/// before the hash and returns the hash that must follow.
fn check_reference<'a>(
    attribute: &Value<'a>,
    what: &'static str,
    certificate: &Certificate,
    expected: impl FnOnce(&mut Values<'a>) -> Result<Vec<u8>, CmsError>,
) -> Result<(), CmsError> {
    let references = Values::of_sequence(attribute.raw, what)?.expect(Tag::Sequence, what)?;
    let mut fields = references.inner(what)?.expect(Tag::Sequence, what)?.inner(what)?;
    let expected = expected(&mut fields)?;
    if octets(&fields.next(what)?, what)? != expected {
        return Err(CmsError::SigningCertificateMismatch);
    }
    if let Some(issuer_serial) = fields.optional(Tag::Sequence, what)? {
        check_issuer_serial(&issuer_serial, what, certificate)?;
    }
    fields.end(what)?;
    Ok(())
}

fn check_issuer_serial(
    value: &Value<'_>,
    what: &'static str,
    certificate: &Certificate,
) -> Result<(), CmsError> {
    let mut fields = value.inner(what)?;
    let names = fields.expect(Tag::Sequence, what)?.inner(what)?.up_to(4, what)?;
    let serial = fields.expect(Tag::Integer, what)?;
    let [name] = names[..] else {
        return Err(Malformed(what).into());
    };
    if name.tag != context(4) || !is_same(name.contents, certificate.issuer_der()) {
        return Err(CmsError::SigningCertificateMismatch);
    }
    if serial.contents != certificate.serial() {
        return Err(CmsError::SigningCertificateMismatch);
    }
    fields.end(what)?;
    Ok(())
}
