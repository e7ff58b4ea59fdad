//! The cryptographic part: one pass over the file for all signatures together.

use pdf::{Damage, Meter};
use pki::cms::{CertificateCache, CmsError, DigestAlgorithm, Profile, SignedData, Verified};
use pki::time::TimeStampToken;
use sha2::{Digest, Sha256};

use super::reason::Reason;
use super::signature::{Candidate, Format};

/// Timestamps of one signature beyond this are not read.
const MAX_TIMESTAMPS: usize = 8;

/// Checks digest and signature value of every candidate whose range is sound.
pub(super) fn check(bytes: &[u8], candidates: &mut [Candidate<'_>], meter: &Meter) -> Result<(), Damage> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|at| {
        candidates
            .get(*at)
            .and_then(|one| one.covered.as_ref())
            .map(|covered| covered.gap)
    });
    let mut running = Sha256::new();
    let mut hashed = 0;
    let mut cache = CertificateCache::default();
    for at in order {
        let Some(candidate) = candidates.get_mut(at) else {
            continue;
        };
        let (Some(covered), Some(format)) = (&candidate.covered, candidate.format) else {
            continue;
        };
        // The covered parts of later signatures begin with those of earlier ones, which are hashed already.
        running.update(bytes.get(hashed..covered.gap).unwrap_or_default());
        hashed = covered.gap;
        let rest = bytes.get(covered.resume..covered.end).unwrap_or_default();
        meter.check_time()?;
        meter.charge_bytes(rest.len() + covered.contents.len())?;
        let digest = |algorithm: DigestAlgorithm| {
            if algorithm == DigestAlgorithm::Sha256 {
                let mut all = running.clone();
                all.update(rest);
                return all.finalize().to_vec();
            }
            algorithm.hash(&[bytes.get(..covered.gap).unwrap_or_default(), rest].concat())
        };
        let profile = match format {
            Format::Pkcs7 => Profile::Pkcs7,
            Format::Cades => Profile::Cades,
            Format::Timestamp => {
                let token = TimeStampToken::from_der_with_cache(&covered.contents, &mut cache);
                match token.and_then(|token| token.verify(&digest(token.digest_algorithm()))) {
                    Ok(stamp) => {
                        candidate.signer = Some(stamp.signer.clone());
                        candidate.stamps.push(stamp);
                    }
                    Err(error) => candidate.reasons.push(Reason::Timestamp(error)),
                }
                continue;
            }
        };
        let signed = SignedData::parse_with_cache(&covered.contents, &mut cache);
        match signed.and_then(|signed| verify(signed, profile, digest)) {
            Ok((signed, verified)) => {
                read_timestamps(candidate, &signed, &mut cache);
                candidate.cms = Some(signed);
                candidate.signer = Some(verified.signer);
            }
            Err(error) => candidate.reasons.push(Reason::Cms(error)),
        }
    }
    Ok(())
}

/// Reads the timestamps over the signature value.
fn read_timestamps(candidate: &mut Candidate<'_>, signed: &SignedData, cache: &mut CertificateCache) {
    let tokens = signed.timestamps().unwrap_or_default();
    for token in tokens.iter().take(MAX_TIMESTAMPS) {
        let token = TimeStampToken::from_der_with_cache(token, cache);
        match token.and_then(|token| token.verify(&token.digest_algorithm().hash(signed.signature()))) {
            Ok(stamp) => candidate.stamps.push(stamp),
            Err(error) => candidate.reasons.push(Reason::SignatureTimestamp(error)),
        }
    }
}

fn verify(
    signed: SignedData,
    profile: Profile,
    digest: impl Fn(DigestAlgorithm) -> Vec<u8>,
) -> Result<(SignedData, Verified), CmsError> {
    let verified = signed.verify_detached(&digest(signed.digest_algorithm()), profile)?;
    Ok((signed, verified))
}
