//! A timestamp token: read, then verified.

use std::time::Duration;

use der::asn1::ObjectIdentifier;
use jiff::Timestamp;

use super::error::TimeStampTokenError;
use super::imprint::Imprint;
use super::info::Info;
use crate::authority::{Constraints, Path, PathError};
use crate::cms::{Certificate, CertificateCache, DigestAlgorithm, SignedData, oid};

/// A token as received, not yet verified.
#[derive(Clone, Debug)]
pub struct TimeStampToken {
    signed: SignedData,
    info: Info,
}

/// The contents of a verified token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The time.
    pub time: Timestamp,
    /// The accuracy of the time, if the authority states it.
    pub accuracy: Option<Duration>,
    /// The policy of the authority.
    pub policy: ObjectIdentifier,
    /// The number of the token: the contents of its INTEGER.
    pub serial: Vec<u8>,
    /// The authority's certificate.
    pub signer: Certificate,
    /// The certificates that came with the token, in no order.
    pub certificates: Vec<Certificate>,
}

impl TimeStampToken {
    /// Reads a token: a signature's attribute, or the contents of a document timestamp with their
    /// padding of zeros.
    pub fn from_der(contents: &[u8]) -> Result<Self, TimeStampTokenError> {
        Self::from_der_with_cache(contents, &mut CertificateCache::default())
    }

    /// The same with a cache of certificates that were read before.
    pub fn from_der_with_cache(
        contents: &[u8],
        cache: &mut CertificateCache,
    ) -> Result<Self, TimeStampTokenError> {
        let signed = SignedData::parse_with_cache(contents, cache)?;
        let info = Info::read(signed.content(oid::TST_INFO)?)?;
        Ok(Self { signed, info })
    }

    /// The algorithm with which the timestamped bytes are to be digested.
    pub fn digest_algorithm(&self) -> DigestAlgorithm {
        self.info.imprint.algorithm()
    }

    /// The time that the token claims.
    pub fn claimed_time(&self) -> Timestamp {
        self.info.time
    }

    /// The certificates in the token, in no order.
    pub fn certificates(&self) -> &[Certificate] {
        self.signed.certificates()
    }

    /// The CRLs in the token, in DER.
    pub fn crls(&self) -> Result<Vec<Vec<u8>>, TimeStampTokenError> {
        Ok(self.signed.crls()?)
    }

    pub(super) fn nonce(&self) -> Option<&[u8]> {
        self.info.nonce.as_deref()
    }

    /// Verifies that the token timestamps `digest`, taken with [`TimeStampToken::digest_algorithm`]: imprint,
    /// signature, reference to the certificate, its purpose and its dates. The path to a root is
    /// [`Stamp::path`].
    pub fn verify(&self, digest: &[u8]) -> Result<Stamp, TimeStampTokenError> {
        if self.info.imprint.digest() != digest {
            return Err(TimeStampTokenError::Imprint);
        }
        let signer = self.signed.verify_attached(oid::TST_INFO)?.signer;
        if !Constraints::of(&signer)?.signs_timestamps() {
            return Err(TimeStampTokenError::Purpose);
        }
        if !signer.covers(self.info.time) {
            return Err(TimeStampTokenError::Expired);
        }
        Ok(Stamp {
            time: self.info.time,
            accuracy: self.info.accuracy,
            policy: self.info.policy,
            serial: self.info.serial.clone(),
            signer,
            certificates: self.signed.certificates().to_vec(),
        })
    }

    /// The same against a whole imprint.
    pub fn verify_imprint(&self, imprint: &Imprint) -> Result<Stamp, TimeStampTokenError> {
        if self.info.imprint == *imprint {
            self.verify(imprint.digest())
        } else {
            Err(TimeStampTokenError::Imprint)
        }
    }
}

impl Stamp {
    /// The path of the authority's certificate to one of `roots`, through the token's certificates
    /// and `others`, at the time of the timestamp.
    pub fn path(&self, others: &[Certificate], roots: &[Certificate]) -> Result<Path, PathError> {
        let others: Vec<Certificate> = self.certificates.iter().chain(others).cloned().collect();
        Path::find(&self.signer, &others, roots, self.time)
    }
}
