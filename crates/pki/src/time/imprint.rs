//! The digest that is timestamped, and its algorithm.

use der::Tag;

use crate::cms::read_der::{Malformed, Value};
use crate::cms::write_der::{self, NULL, OCTET_STRING, SEQUENCE};
use crate::cms::{CmsError, DigestAlgorithm};

/// A digest and its algorithm: a `MessageImprint`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imprint {
    algorithm: DigestAlgorithm,
    digest: Vec<u8>,
}

impl Imprint {
    /// The imprint with this SHA-256.
    pub fn sha256(digest: &[u8; 32]) -> Self {
        Self {
            algorithm: DigestAlgorithm::Sha256,
            digest: digest.to_vec(),
        }
    }

    /// The imprint of `message`.
    pub fn of(algorithm: DigestAlgorithm, message: &[u8]) -> Self {
        Self {
            algorithm,
            digest: algorithm.hash(message),
        }
    }

    /// The algorithm.
    pub fn algorithm(&self) -> DigestAlgorithm {
        self.algorithm
    }

    /// The digest.
    pub fn digest(&self) -> &[u8] {
        &self.digest
    }

    pub(super) fn read(value: &Value<'_>) -> Result<Self, CmsError> {
        const WHAT: &str = "message imprint";
        if value.tag != Tag::Sequence {
            return Err(Malformed(WHAT).into());
        }
        let mut fields = value.inner(WHAT)?;
        let algorithm = DigestAlgorithm::read(&fields.next(WHAT)?)?;
        let digest = fields.expect(Tag::OctetString, WHAT)?.contents.to_vec();
        fields.end(WHAT)?;
        if digest.len() != algorithm.output_len() {
            return Err(Malformed(WHAT).into());
        }
        Ok(Self { algorithm, digest })
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        write_der::nested(out, SEQUENCE, |out| {
            // Some authorities insist on the NULL here.
            write_der::nested(out, SEQUENCE, |out| {
                write_der::oid(out, &self.algorithm.oid());
                out.extend_from_slice(&NULL);
            });
            write_der::value(out, OCTET_STRING, &self.digest);
        });
    }
}
