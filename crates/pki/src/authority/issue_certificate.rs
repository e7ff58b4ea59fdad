//! Encodes and signs a certificate.

use aws_lc_rs::rand::SecureRandom;
use der::asn1::ObjectIdentifier;
use sha2::{Digest as _, Sha256};

use super::constraints::Constraints;
use super::error::AuthorityError;
use super::signer::Signer;
use super::validity::Validity;
use crate::cms::write_der::{
    self, BOOLEAN_TRUE, INTEGER, NULL, OCTET_STRING, SEQUENCE, context, context_primitive,
};
use crate::cms::{Certificate, PublicKey, oid};

/// The key usage of a certificate, as the octets of a `KeyUsage` BIT STRING.
#[derive(Clone, Copy, Debug)]
pub(super) enum KeyUsage {
    /// keyCertSign and cRLSign.
    Authority,
    /// nonRepudiation alone: a person's commitment.
    Commitment,
    /// digitalSignature and nonRepudiation.
    Signature,
}

impl KeyUsage {
    const fn bit_string(self) -> [u8; 4] {
        match self {
            Self::Authority => [0x03, 0x02, 0x01, 0x06],
            Self::Commitment => [0x03, 0x02, 0x06, 0x40],
            Self::Signature => [0x03, 0x02, 0x06, 0xc0],
        }
    }
}

/// The extended key usage of a certificate.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    Any,
    /// timeStamping, critical.
    TimeStamping,
    /// `OCSPSigning`, of a responder that needs no revocation check itself (RFC 6960, section 4.2.2.2.1).
    OcspSigning,
}

/// The parts of a certificate to be issued.
pub(super) struct Draft<'a> {
    pub(super) issuer: &'a [u8],
    /// The issuer's certificate; none of a root.
    pub(super) above: Option<&'a Certificate>,
    pub(super) subject: &'a [u8],
    pub(super) validity: Validity,
    pub(super) public_key: &'a PublicKey,
    pub(super) usage: KeyUsage,
    /// For an authority, how many authorities may follow below it.
    pub(super) authority: Option<u8>,
    pub(super) purpose: Purpose,
    pub(super) crl_url: Option<&'a str>,
}

impl Draft<'_> {
    /// Signs the certificate with the issuer's key.
    pub(super) fn issue(
        &self,
        issuer: &dyn Signer,
        rng: &dyn SecureRandom,
    ) -> Result<Certificate, AuthorityError> {
        let mut serial = [0; 16];
        rng.fill(&mut serial).map_err(|_| AuthorityError::Random)?;
        // Positive, and always 16 octets, so that the length of a certificate does not vary.
        serial[0] = serial[0] & 0x7f | 0x40;
        let mut tbs = Vec::with_capacity(700);
        write_der::nested(&mut tbs, SEQUENCE, |out| {
            write_der::nested(out, context(0), |out| write_der::value(out, INTEGER, &[2]));
            write_der::value(out, INTEGER, &serial);
            issuer.public_key().write_signature_algorithm(out);
            out.extend_from_slice(self.issuer);
            self.validity.write(out);
            out.extend_from_slice(self.subject);
            out.extend_from_slice(self.public_key.as_spki());
            write_der::nested(out, context(3), |out| {
                write_der::nested(out, SEQUENCE, |out| {
                    self.write_extensions(out, issuer.public_key());
                });
            });
        });
        Ok(Certificate::from_der(&signed(&tbs, issuer)?)?)
    }

    fn write_extensions(&self, out: &mut Vec<u8>, issuer: &PublicKey) {
        write_authority_key_identifier(out, self.above, issuer);
        extension(out, &oid::SUBJECT_KEY_IDENTIFIER, false, |out| {
            write_der::value(out, OCTET_STRING, &self.public_key.identifier());
        });
        extension(out, &oid::KEY_USAGE, true, |out| {
            out.extend_from_slice(&self.usage.bit_string());
        });
        if let Some(followers) = self.authority {
            extension(out, &oid::BASIC_CONSTRAINTS, true, |out| {
                write_der::nested(out, SEQUENCE, |out| {
                    out.extend_from_slice(&BOOLEAN_TRUE);
                    write_der::unsigned(out, &[followers]);
                });
            });
        }
        let only = |out: &mut Vec<u8>, critical, purpose| {
            extension(out, &oid::EXTENDED_KEY_USAGE, critical, |out| {
                write_der::nested(out, SEQUENCE, |out| write_der::oid(out, purpose));
            });
        };
        match self.purpose {
            Purpose::Any => {}
            Purpose::TimeStamping => only(out, true, &oid::TIME_STAMPING),
            Purpose::OcspSigning => {
                only(out, false, &oid::OCSP_SIGNING);
                extension(out, &oid::OCSP_NO_CHECK, false, |out| {
                    out.extend_from_slice(&NULL);
                });
            }
        }
        if let Some(url) = self.crl_url {
            extension(out, &oid::CRL_DISTRIBUTION_POINTS, false, |out| {
                write_der::nested(out, SEQUENCE, |out| {
                    write_der::nested(out, SEQUENCE, |out| {
                        write_der::nested(out, context(0), |out| {
                            write_der::nested(out, context(0), |out| {
                                write_der::value(out, context_primitive(6), url.as_bytes());
                            });
                        });
                    });
                });
            });
        }
    }
}

/// Signed bytes, algorithm and signature: the outer SEQUENCE of certificates and CRLs.
pub(super) fn signed(tbs: &[u8], signer: &dyn Signer) -> Result<Vec<u8>, AuthorityError> {
    let signature = signer.sign(&Sha256::digest(tbs).into())?;
    let mut out = Vec::with_capacity(tbs.len() + signature.len() + 32);
    write_der::nested(&mut out, SEQUENCE, |out| {
        out.extend_from_slice(tbs);
        signer.public_key().write_signature_algorithm(out);
        write_der::bit_string(out, &signature);
    });
    Ok(out)
}

/// Names the issuer's key as its own certificate does, if that names it: another authority may derive identifiers otherwise,
/// and openssl compares the two.
pub(super) fn write_authority_key_identifier(
    out: &mut Vec<u8>,
    issuer: Option<&Certificate>,
    key: &PublicKey,
) {
    let own = key.identifier();
    let named = issuer.and_then(Certificate::key_identifier).unwrap_or(&own);
    extension(out, &oid::AUTHORITY_KEY_IDENTIFIER, false, |out| {
        write_der::nested(out, SEQUENCE, |out| {
            write_der::value(out, context_primitive(0), named);
        });
    });
}

pub(super) fn extension(
    out: &mut Vec<u8>,
    oid: &ObjectIdentifier,
    critical: bool,
    value: impl FnOnce(&mut Vec<u8>),
) {
    write_der::nested(out, SEQUENCE, |out| {
        write_der::oid(out, oid);
        if critical {
            out.extend_from_slice(&BOOLEAN_TRUE);
        }
        write_der::nested(out, OCTET_STRING, value);
    });
}

/// The address of a CRL, as certificates may name it.
pub(super) fn checked_url(url: &str) -> Result<String, AuthorityError> {
    if url.is_empty() || url.len() > 1024 || !url.bytes().all(|octet| octet.is_ascii_graphic()) {
        return Err(AuthorityError::Url);
    }
    Ok(url.to_owned())
}

/// Checks that the certificate is an authority's and belongs to the key.
pub(super) fn check_authority(certificate: &Certificate, key: &dyn Signer) -> Result<(), AuthorityError> {
    if certificate.public_key()? != *key.public_key() {
        return Err(AuthorityError::KeyMismatch);
    }
    if Constraints::of(certificate)?.is_authority() {
        Ok(())
    } else {
        Err(AuthorityError::WrongRole("an authority"))
    }
}
