//! The request: a `TimeStampReq`.

use aws_lc_rs::rand::SecureRandom;
use der::Tag;
use der::asn1::ObjectIdentifier;

use super::error::TimeStampTokenError;
use super::imprint::Imprint;
use super::rejection::FailureInfo;
use crate::cms::CmsError;
use crate::cms::read_der::{Malformed, Values, context};
use crate::cms::write_der::{self, BOOLEAN_TRUE, INTEGER, SEQUENCE};

/// The largest request that is read, in bytes.
pub const MAX_REQUEST_BYTES: usize = 4096;
const MAX_NONCE_BYTES: usize = 64;

/// A request for a timestamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeStampRequest {
    pub(super) imprint: Imprint,
    pub(super) policy: Option<ObjectIdentifier>,
    /// The contents of an INTEGER.
    pub(super) nonce: Option<Vec<u8>>,
    pub(super) certificates: bool,
}

impl TimeStampRequest {
    /// A request with a random nonce that asks for the authority's certificates, and for a policy if
    /// one is given.
    pub fn new(
        imprint: Imprint,
        policy: Option<ObjectIdentifier>,
        rng: &dyn SecureRandom,
    ) -> Result<Self, TimeStampTokenError> {
        let mut nonce = [0; 16];
        rng.fill(&mut nonce).map_err(|_| TimeStampTokenError::Random)?;
        // Positive, and in its shortest form.
        nonce[0] = nonce[0] & 0x7f | 0x40;
        Ok(Self {
            imprint,
            policy,
            nonce: Some(nonce.to_vec()),
            certificates: true,
        })
    }

    /// A request to our own authority, whose response cannot be confused with another: no nonce.
    pub fn without_nonce(imprint: Imprint) -> Self {
        Self {
            imprint,
            policy: None,
            nonce: None,
            certificates: true,
        }
    }

    /// The digest to be timestamped.
    pub fn imprint(&self) -> &Imprint {
        &self.imprint
    }

    /// The request in DER.
    pub fn to_der(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(128);
        write_der::nested(&mut out, SEQUENCE, |out| {
            write_der::value(out, INTEGER, &[1]);
            self.imprint.write(out);
            if let Some(policy) = &self.policy {
                write_der::oid(out, policy);
            }
            if let Some(nonce) = &self.nonce {
                write_der::value(out, INTEGER, nonce);
            }
            if self.certificates {
                out.extend_from_slice(&BOOLEAN_TRUE);
            }
        });
        out
    }

    /// Reads a request, or returns the reason to refuse it with.
    pub fn from_der(der: &[u8]) -> Result<Self, FailureInfo> {
        if der.len() > MAX_REQUEST_BYTES {
            return Err(FailureInfo::BadDataFormat);
        }
        let (imprint, mut fields) = head(der)?;
        Self::read_options(imprint, &mut fields)
            .map_err(|_| FailureInfo::BadDataFormat)
            .and_then(|request| {
                let extensions = fields
                    .optional(context(0), "")
                    .map_err(|_| FailureInfo::BadDataFormat)?;
                match (extensions, fields.is_empty()) {
                    (None, true) => Ok(request),
                    (Some(_), true) => Err(FailureInfo::UnacceptedExtension),
                    (_, false) => Err(FailureInfo::BadDataFormat),
                }
            })
    }

    fn read_options(imprint: Imprint, fields: &mut Values<'_>) -> Result<Self, Malformed> {
        const WHAT: &str = "timestamp request";
        let policy = match fields.optional(Tag::ObjectIdentifier, WHAT)? {
            Some(policy) => Some(policy.oid(WHAT)?),
            None => None,
        };
        let nonce = fields
            .optional(Tag::Integer, WHAT)?
            .map(|nonce| nonce.contents.to_vec());
        if nonce
            .as_ref()
            .is_some_and(|nonce| nonce.is_empty() || nonce.len() > MAX_NONCE_BYTES)
        {
            return Err(Malformed(WHAT));
        }
        let certificates = fields
            .optional(Tag::Boolean, WHAT)?
            .is_some_and(|flag| flag.contents != [0]);
        Ok(Self {
            imprint,
            policy,
            nonce,
            certificates,
        })
    }
}

fn head(der: &[u8]) -> Result<(Imprint, Values<'_>), FailureInfo> {
    const WHAT: &str = "timestamp request";
    let bad = |_| FailureInfo::BadDataFormat;
    let mut fields = Values::of_sequence(der, WHAT).map_err(bad)?;
    let version = fields
        .next(WHAT)
        .and_then(|version| version.small(WHAT))
        .map_err(bad)?;
    if version != 1 {
        return Err(FailureInfo::BadRequest);
    }
    let imprint = Imprint::read(&fields.next(WHAT).map_err(bad)?).map_err(|error| match error {
        CmsError::WeakAlgorithm(_) | CmsError::UnsupportedAlgorithm(_) => FailureInfo::BadAlgorithm,
        _ => FailureInfo::BadDataFormat,
    })?;
    Ok((imprint, fields))
}
