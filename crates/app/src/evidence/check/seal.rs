//! The seal: the service's signature over the text, and the timestamp that says when.

use super::super::bundle::{Evidence, Seal};
use super::CheckInputs;
use super::fault::Fault;
use data_encoding::BASE64;
use domain::event::hex;
use jiff::{SignedDuration, Timestamp};
use pki::authority::{Constraints, Crl, Path, Revoked};
use pki::cms::{Certificate, DigestAlgorithm, Profile, SignedData};
use pki::time::TimeStampToken;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// How far the clock of a verifier, or that of another instance, may be off.
const CLOCK_SKEW: SignedDuration = SignedDuration::from_mins(5);
/// A service's certificate, that of its issuer, and the root.
const PATH_LENGTH: usize = 3;

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
    inputs: CheckInputs<'_>,
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
    if !Constraints::of(&by).map_err(Fault::Seal)?.is_of_a_service() {
        return Err(Fault::SealPurpose);
    }
    let tokens = signed.timestamps().map_err(Fault::Seal)?;
    let token = TimeStampToken::from_der(tokens.first().ok_or(Fault::Untimed)?).map_err(Fault::SealTime)?;
    let over = token.digest_algorithm().hash(signed.signature());
    let stamp = token.verify(&over).map_err(Fault::SealTime)?;
    let clock = stamp.path(others, roots).map_err(Fault::SealTimeUntrusted)?;
    if let Some(revoked) = revocation(&clock, inputs.crls)
        && (!revoked.reason.keeps_earlier_timestamps() || revoked.at <= stamp.time)
    {
        return Err(Fault::SealRevoked(revoked.at));
    }
    if stamp.time.duration_since(inputs.now) > CLOCK_SKEW {
        return Err(Fault::SealFuture);
    }
    let path = Path::find(&by, others, roots, stamp.time).map_err(Fault::SealUntrusted)?;
    if path.certificates().len() != PATH_LENGTH {
        return Err(Fault::SealPurpose);
    }
    if let Some(revoked) = revocation(&path, inputs.crls).filter(|revoked| revoked.at <= stamp.time) {
        return Err(Fault::SealRevoked(revoked.at));
    }
    Ok(Proved { at: stamp.time, by })
}

/// The first revocation of a certificate of a path.
fn revocation(path: &Path, crls: &[Crl]) -> Option<Revoked> {
    let of = |certificate: &Certificate, issuer: &Certificate| {
        let lists = crls.iter().filter(|list| list.covers(certificate));
        let own = lists.filter(|list| list.verify_signed_by(issuer).is_ok());
        // A list is read whole before it is a `Crl`: its entries cannot fail to be read.
        own.filter_map(|list| list.find(certificate).ok().flatten())
            .min_by_key(|revoked| revoked.at)
    };
    let all = path
        .links()
        .filter_map(|(certificate, issuer)| of(certificate, issuer));
    all.min_by_key(|revoked| revoked.at)
}

/// The newest event that a seal of this time cannot have covered.
pub(super) fn newer_event(evidence: &Evidence, sealed_at: Timestamp) -> Option<Fault> {
    let events = evidence.history.events.iter();
    let times = events.filter_map(|event| {
        let body: Value = serde_json::from_str(&event.body).ok()?;
        let at = Timestamp::from_microsecond(body["at"].as_i64()?).ok()?;
        Some((at, event.number))
    });
    let (at, number) = times.max()?;
    (at.duration_since(sealed_at) > CLOCK_SKEW).then_some(Fault::SealOlder(number))
}
