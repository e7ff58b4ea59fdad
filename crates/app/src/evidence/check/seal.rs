//! The seal: the service's signature over the text, and the timestamp that says when.

use super::super::bundle::Seal;
use super::fault::Fault;
use data_encoding::BASE64;
use domain::history::hex;
use jiff::Timestamp;
use pades::authority::Path;
use pades::cms::{Certificate, DigestAlgorithm, Profile, SignedData};
use pades::time::Token;
use sha2::{Digest, Sha256};

/// What a seal proves.
pub(super) struct Proved {
    pub(super) at: Timestamp,
    pub(super) by: Certificate,
}

pub(super) fn check(
    seal: &Seal,
    text: &str,
    service: Option<&Certificate>,
    others: &[Certificate],
    roots: &[Certificate],
) -> Result<Proved, Fault> {
    let digest: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    if hex(&digest) != seal.sha256 {
        return Err(Fault::SealDigest);
    }
    let cms = BASE64.decode(seal.cms.as_bytes()).map_err(|_| Fault::SealForm)?;
    let signed = SignedData::parse(&cms).map_err(Fault::Seal)?;
    if signed.digest_algorithm() != DigestAlgorithm::Sha256 {
        return Err(Fault::SealForm);
    }
    let verified = signed.verify_detached(&digest, Profile::Cades);
    let by = verified.map_err(Fault::Seal)?.signer;
    // A person's certificate, which names an identity document, seals nothing.
    if service != Some(&by) || by.subject_serial_number().is_some() {
        return Err(Fault::SealSigner);
    }
    let tokens = signed.timestamps().map_err(Fault::Seal)?;
    let token = Token::from_der(tokens.first().ok_or(Fault::Untimed)?).map_err(Fault::SealTime)?;
    let over = token.digest_algorithm().hash(signed.signature());
    let stamp = token.verify(&over).map_err(Fault::SealTime)?;
    stamp.path(others, roots).map_err(Fault::SealTimeUntrusted)?;
    Path::find(&by, others, roots, stamp.time).map_err(Fault::SealUntrusted)?;
    Ok(Proved { at: stamp.time, by })
}
