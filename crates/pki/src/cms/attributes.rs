//! Makes a signature: the signed attributes of `PAdES` B-B, then the CMS around their signature.
//!
//! The bytes to sign are a value of their own, so that the key may be in another process or device.

use sha2::{Digest as _, Sha256};

use super::algorithm::DigestAlgorithm;
use super::anchor::{Anchor, MAX_ANCHOR_BYTES};
use super::certificate::Certificate;
use super::error::CmsError;
use super::key::PublicKey;
use super::oid;
use super::write_der::{self, INTEGER, OCTET_STRING, SEQUENCE, SET, context};

/// Content type (data), message digest and signing certificate (version 2, SHA-256), in the order of DER; the two
/// digests are filled in.
const TEMPLATE: [u8; 135] = [
    0x31, 0x81, 0x84, // SET
    0x30, 0x18, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x03, // content type
    0x31, 0x0b, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01, //
    0x30, 0x2f, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x04, // message digest
    0x31, 0x22, 0x04, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, //
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, //
    0x30, 0x37, 0x06, 0x0b, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x10, 0x02,
    0x2f, // certificate
    0x31, 0x28, 0x30, 0x26, 0x30, 0x24, 0x30, 0x22, 0x04, 0x20, //
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
];
/// The header of the SET.
const HEADER: usize = 3;
const MESSAGE_DIGEST_AT: usize = 46;
const CERTIFICATE_DIGEST_AT: usize = 103;

/// The signed attributes of a signature.
#[derive(Debug)]
pub struct SignedAttributes;

impl SignedAttributes {
    /// Binds the SHA-256 of the signed bytes of the document to the signer's certificate.
    #[allow(
        clippy::new_ret_no_self,
        reason = "the attributes exist only as what is to be signed"
    )]
    pub fn new(document_digest: &[u8; 32], signer: &Certificate) -> Result<ToBeSigned, CmsError> {
        Self::anchored(document_digest, signer, None)
    }

    /// The same, with the head of a history that is kept elsewhere.
    pub fn anchored(
        document_digest: &[u8; 32],
        signer: &Certificate,
        anchor: Option<&Anchor>,
    ) -> Result<ToBeSigned, CmsError> {
        let key = signer.public_key()?;
        let mut template = TEMPLATE;
        template[MESSAGE_DIGEST_AT..][..32].copy_from_slice(document_digest);
        template[CERTIFICATE_DIGEST_AT..].copy_from_slice(signer.sha256());
        let attributes = match anchor {
            None => template.to_vec(),
            Some(anchor) => {
                let mut out = Vec::with_capacity(TEMPLATE.len() + MAX_ANCHOR_BYTES);
                write_der::nested(&mut out, SET, |out| {
                    out.extend_from_slice(&template[HEADER..]);
                    // It is the longest attribute, and so the last in the order of DER.
                    anchor.write(out);
                });
                out
            }
        };
        Ok(ToBeSigned {
            attributes,
            signer: signer.clone(),
            key,
        })
    }
}

/// The bytes that the signer's key has to sign.
#[derive(Clone, Debug)]
pub struct ToBeSigned {
    attributes: Vec<u8>,
    signer: Certificate,
    key: PublicKey,
}

impl ToBeSigned {
    /// The DER whose SHA-256 is signed.
    pub fn as_der(&self) -> &[u8] {
        &self.attributes
    }

    /// The SHA-256 to sign: ECDSA in DER, or RSA with the padding of PKCS #1 v1.5.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(&self.attributes).into()
    }

    /// Checks a signature value against the certificate, for keys outside this process.
    pub fn verify(&self, signature: &[u8]) -> Result<(), CmsError> {
        self.key
            .verify(self.key.signature_algorithm(), &self.digest(), signature)
    }

    /// The CMS around the signature value. `chain` are the certificates between the signer and the
    /// root, `timestamp` is an RFC 3161 token over the signature value.
    pub fn finish(self, signature: &[u8], chain: &[Certificate], timestamp: Option<&[u8]>) -> Vec<u8> {
        let mut out = Vec::with_capacity(reserve(&self.signer, chain, timestamp.map_or(0, <[u8]>::len)));
        write_der::nested(&mut out, SEQUENCE, |out| {
            write_der::oid(out, &oid::SIGNED_DATA);
            write_der::nested(out, context(0), |out| {
                write_der::nested(out, SEQUENCE, |out| {
                    write_der::value(out, INTEGER, &[1]);
                    write_der::nested(out, SET, |out| DigestAlgorithm::Sha256.write(out));
                    write_der::nested(out, SEQUENCE, |out| write_der::oid(out, &oid::DATA));
                    let signer = std::iter::once(&self.signer);
                    let certificates = signer.chain(chain).map(Certificate::as_der).collect();
                    write_der::set_of(out, context(0), certificates);
                    write_der::nested(out, SET, |out| self.write_signer(out, signature, timestamp));
                });
            });
        });
        out
    }

    fn write_signer(&self, out: &mut Vec<u8>, signature: &[u8], timestamp: Option<&[u8]>) {
        write_signer_info(out, &self.signer, &self.key, &self.attributes, signature, |out| {
            let Some(token) = timestamp else { return };
            write_der::nested(out, context(1), |out| {
                write_der::nested(out, SEQUENCE, |out| {
                    write_der::oid(out, &oid::SIGNATURE_TIMESTAMP);
                    write_der::nested(out, SET, |out| out.extend_from_slice(token));
                });
            });
        });
    }
}

/// A `SignerInfo`, its signed attributes given as the SET that was signed.
pub(crate) fn write_signer_info(
    out: &mut Vec<u8>,
    signer: &Certificate,
    key: &PublicKey,
    attributes: &[u8],
    signature: &[u8],
    unsigned: impl FnOnce(&mut Vec<u8>),
) {
    write_der::nested(out, SEQUENCE, |out| {
        write_der::value(out, INTEGER, &[1]);
        write_der::nested(out, SEQUENCE, |out| {
            out.extend_from_slice(signer.issuer_der());
            write_der::value(out, INTEGER, signer.serial());
        });
        DigestAlgorithm::Sha256.write(out);
        let at = out.len();
        out.extend_from_slice(attributes);
        out[at] = context(0);
        key.write_signature_algorithm(out);
        write_der::value(out, OCTET_STRING, signature);
        unsigned(out);
    });
}

/// An upper bound of the length of the finished CMS, for the space to reserve in the document. `timestamp` is the
/// length of the token that it will carry, or zero.
pub fn reserve(signer: &Certificate, chain: &[Certificate], timestamp: usize) -> usize {
    const FRAME_BYTES: usize = 320;
    let certificates: usize = chain.iter().map(|certificate| certificate.as_der().len()).sum();
    let signature = signer.public_key().map_or(1024, |key| key.signature_limit());
    let names = signer.issuer_der().len() + signer.serial().len();
    FRAME_BYTES + signer.as_der().len() + certificates + names + signature + timestamp
}
