//! The built-in timestamping authority.

use std::time::Duration;

use aws_lc_rs::rand::SecureRandom;
use der::asn1::ObjectIdentifier;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use super::info::Info;
use super::rejection::FailureInfo;
use super::request::TimeStampRequest;
use super::response;
use crate::authority::{AuthorityError, Constraints, Credential, Signer};
use crate::cms::algorithm::DigestAlgorithm;
use crate::cms::write_der::{self, INTEGER, OCTET_STRING, SEQUENCE, SET, context};
use crate::cms::{self, Certificate, oid, write_signer_info};

/// The policy of an authority that follows the baseline of ETSI EN 319 421.
pub const BASELINE_POLICY: ObjectIdentifier = ObjectIdentifier::new_unwrap("0.4.0.2023.1.1");

/// Bytes of what a token says: policy, digest, serial number, time and accuracy.
const INFO_BYTES: usize = 160;

/// A timestamping authority: a certificate for that purpose, its key, and a policy.
#[derive(Clone, Debug)]
pub struct TimeStampAuthority<K> {
    credential: Credential<K>,
    policy: ObjectIdentifier,
}

impl<K: Signer> TimeStampAuthority<K> {
    /// An authority; its certificate must be for timestamps alone.
    pub fn new(credential: Credential<K>, policy: ObjectIdentifier) -> Result<Self, AuthorityError> {
        if !Constraints::of(credential.certificate())?.signs_timestamps() {
            return Err(AuthorityError::WrongRole("a timestamping authority"));
        }
        Ok(Self { credential, policy })
    }

    /// The space to reserve for a token that answers a request without a nonce.
    pub fn reserve(&self) -> usize {
        cms::reserve(self.credential.certificate(), self.credential.chain(), INFO_BYTES)
    }

    /// Answers any request in DER with a response in DER. The caller gives the time, and must keep it right.
    pub fn answer(&self, request: &[u8], now: Timestamp, rng: &dyn SecureRandom) -> Vec<u8> {
        let token = TimeStampRequest::from_der(request).and_then(|request| self.stamp(&request, now, rng));
        match token {
            Ok(token) => response::granted(&token),
            Err(failure) => response::rejected(failure),
        }
    }

    /// The token for a request.
    pub fn stamp(
        &self,
        request: &TimeStampRequest,
        now: Timestamp,
        rng: &dyn SecureRandom,
    ) -> Result<Vec<u8>, FailureInfo> {
        if request.policy.is_some_and(|policy| policy != self.policy) {
            return Err(FailureInfo::UnacceptedPolicy);
        }
        if !self.credential.certificate().covers(now) {
            return Err(FailureInfo::TimeNotAvailable);
        }
        let mut serial = [0; 16];
        rng.fill(&mut serial).map_err(|_| FailureInfo::SystemFailure)?;
        serial[0] = serial[0] & 0x7f | 0x40;
        let info = Info {
            policy: self.policy,
            imprint: request.imprint.clone(),
            serial: serial.to_vec(),
            time: now,
            accuracy: Some(Duration::from_secs(1)),
            nonce: request.nonce.clone(),
        };
        self.sign(&info.to_der(), request.certificates)
    }

    fn sign(&self, info: &[u8], certificates: bool) -> Result<Vec<u8>, FailureInfo> {
        let signer = self.credential.certificate();
        let attributes = signed_attributes(info, signer);
        let key = self.credential.key();
        let signature = key
            .sign(&Sha256::digest(&attributes).into())
            .map_err(|_| FailureInfo::SystemFailure)?;
        let mut out = Vec::with_capacity(2048);
        write_der::nested(&mut out, SEQUENCE, |out| {
            write_der::oid(out, &oid::SIGNED_DATA);
            write_der::nested(out, context(0), |out| {
                write_der::nested(out, SEQUENCE, |out| {
                    write_der::value(out, INTEGER, &[3]);
                    write_der::nested(out, SET, |out| DigestAlgorithm::Sha256.write(out));
                    write_der::nested(out, SEQUENCE, |out| {
                        write_der::oid(out, &oid::TST_INFO);
                        write_der::nested(out, context(0), |out| write_der::value(out, OCTET_STRING, info));
                    });
                    if certificates {
                        let chain = self.credential.chain().iter().chain([signer]);
                        write_der::set_of(out, context(0), chain.map(Certificate::as_der).collect());
                    }
                    write_der::nested(out, SET, |out| {
                        write_signer_info(out, signer, key.public_key(), &attributes, &signature, |_| {});
                    });
                });
            });
        });
        Ok(out)
    }
}

/// Content type, message digest and signing certificate, as the SET that is signed.
fn signed_attributes(info: &[u8], signer: &Certificate) -> Vec<u8> {
    let attribute = |oid, value: &dyn Fn(&mut Vec<u8>)| {
        let mut out = Vec::with_capacity(64);
        write_der::nested(&mut out, SEQUENCE, |out| {
            write_der::oid(out, oid);
            write_der::nested(out, SET, value);
        });
        out
    };
    let digest = Sha256::digest(info);
    let content_type = attribute(&oid::CONTENT_TYPE, &|out| write_der::oid(out, &oid::TST_INFO));
    let message_digest = attribute(&oid::MESSAGE_DIGEST, &|out| {
        write_der::value(out, OCTET_STRING, &digest);
    });
    let certificate = attribute(&oid::SIGNING_CERTIFICATE_V2, &|out| {
        write_der::nested(out, SEQUENCE, |out| {
            write_der::nested(out, SEQUENCE, |out| {
                write_der::nested(out, SEQUENCE, |out| {
                    write_der::value(out, OCTET_STRING, signer.sha256());
                });
            });
        });
    });
    let mut out = Vec::with_capacity(160);
    write_der::set_of(&mut out, SET, vec![&content_type, &message_digest, &certificate]);
    out
}
