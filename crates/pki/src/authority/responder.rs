//! Makes OCSP responses (RFC 6960) for the store of a document: each is signed by a responder with a key for this one
//! response.

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use aws_lc_rs::rand::SecureRandom;
use jiff::Timestamp;
use jiff::tz::Offset;
use sha2::{Digest as _, Sha256};

use super::error::AuthorityError;
use super::issue_certificate::{KeyUsage, Purpose};
use super::issue_crl::Revoked;
use super::issuer::Issuer;
use super::local_key::LocalKey;
use super::name::Subject;
use super::signer::Signer;
use super::validity::{Validity, digits};
use crate::cms::write_der::{
    self, ENUMERATED, GENERALIZED_TIME, INTEGER, NULL, OCTET_STRING, SEQUENCE, context, context_primitive,
};
use crate::cms::{Certificate, oid};

/// A response, and the certificate of its responder. Validators that take no certificate out of a response need it apart.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The response in DER.
    pub response: Vec<u8>,
    /// The responder's certificate.
    pub responder: Certificate,
}

impl Issuer {
    /// The state of certificates of this issuer: revoked if `revoked` has them, else good. The answers hold between the two
    /// times of `answers`; the responder's certificate must be valid for longer.
    pub fn ocsp_response(
        &self,
        certificates: &[&Certificate],
        revoked: &[Revoked],
        answers: Validity,
        (responder, validity): (&Subject, Validity),
        rng: &dyn SecureRandom,
    ) -> Result<Answered, AuthorityError> {
        let key = LocalKey::generate()?;
        let (usage, purpose) = (KeyUsage::Signature, Purpose::OcspSigning);
        let responder = self.issue(responder, validity, key.public_key(), usage, purpose, rng)?;
        let mut tbs = Vec::with_capacity(200 + certificates.len() * 150);
        write_der::nested(&mut tbs, SEQUENCE, |out| {
            write_der::nested(out, context(1), |out| {
                out.extend_from_slice(responder.subject_der());
            });
            write_time(out, answers.from);
            write_der::nested(out, SEQUENCE, |out| {
                for certificate in certificates {
                    let revoked = revoked.iter().find(|one| one.serial == certificate.serial());
                    self.write_answer(out, certificate, revoked, answers);
                }
            });
        });
        let signature = key.sign(&Sha256::digest(&tbs).into())?;
        let mut response = Vec::with_capacity(tbs.len() + 1000);
        write_der::nested(&mut response, SEQUENCE, |out| {
            write_der::value(out, ENUMERATED, &[0]);
            write_der::nested(out, context(0), |out| {
                write_der::nested(out, SEQUENCE, |out| {
                    write_der::oid(out, &oid::OCSP_BASIC);
                    write_der::nested(out, OCTET_STRING, |out| {
                        write_der::nested(out, SEQUENCE, |out| {
                            out.extend_from_slice(&tbs);
                            key.public_key().write_signature_algorithm(out);
                            write_der::bit_string(out, &signature);
                            write_der::nested(out, context(0), |out| {
                                write_der::value(out, SEQUENCE, responder.as_der());
                            });
                        });
                    });
                });
            });
        });
        Ok(Answered { response, responder })
    }

    fn write_answer(
        &self,
        out: &mut Vec<u8>,
        certificate: &Certificate,
        revoked: Option<&Revoked>,
        answers: Validity,
    ) {
        // SHA-1 names the issuer, and proves nothing: every reader computes it.
        let hash = |bytes: &[u8]| digest(&SHA1_FOR_LEGACY_USE_ONLY, bytes);
        write_der::nested(out, SEQUENCE, |out| {
            write_der::nested(out, SEQUENCE, |out| {
                write_der::nested(out, SEQUENCE, |out| {
                    write_der::oid(out, &oid::SHA_1);
                    out.extend_from_slice(&NULL);
                });
                write_der::value(out, OCTET_STRING, hash(self.certificate().subject_der()).as_ref());
                write_der::value(out, OCTET_STRING, hash(self.public_key().bits()).as_ref());
                write_der::value(out, INTEGER, certificate.serial());
            });
            match revoked {
                None => write_der::value(out, context_primitive(0), &[]),
                Some(revoked) => write_der::nested(out, context(1), |out| {
                    write_time(out, revoked.at);
                    write_der::nested(out, context(0), |out| {
                        write_der::value(out, ENUMERATED, &[revoked.reason.code()]);
                    });
                }),
            }
            write_time(out, answers.from);
            write_der::nested(out, context(0), |out| write_time(out, answers.until));
        });
    }
}

fn write_time(out: &mut Vec<u8>, at: Timestamp) {
    write_der::value(
        out,
        GENERALIZED_TIME,
        digits(Offset::UTC.to_datetime(at)).as_bytes(),
    );
}
