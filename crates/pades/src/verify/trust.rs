//! Verifies the signers: paths to trusted roots, revocation, and time.

use jiff::{SignedDuration, Timestamp};
use pdf::{Damage, Meter};
use pki::cms::Certificate;
use pki::time::{Stamp, TimeStampTokenError};

use super::Policy;
use super::cert_status::CertificateStatuses;
use super::reason::{Reason, Verdict};
use super::signature::{Candidate, Format};
use super::validation_data::ValidationData;

/// How far the clock of a verifier may be behind that of a timestamping authority.
const CLOCK_SKEW: SignedDuration = SignedDuration::from_mins(5);
/// How far the clocks of two timestamping authorities may differ: ETSI EN 319 421 allows each of them a second.
const ORDER_TOLERANCE: SignedDuration = SignedDuration::from_mins(1);

/// Verifies the signer and the time of each signature: the newest timestamp of the document first, since it
/// proves that all it covers existed by then.
pub(super) fn check(
    candidates: &mut [Candidate<'_>],
    validation_data: &ValidationData,
    policy: &Policy<'_>,
    meter: &Meter,
) -> Result<(), Damage> {
    let roots: Vec<Certificate> = policy.roots.iter().chain(policy.other_roots).cloned().collect();
    let time_roots: Vec<Certificate> = roots.iter().chain(policy.time_roots).cloned().collect();
    for candidate in &mut *candidates {
        refuse_future(candidate, policy.now);
    }
    let mut signers = CertificateStatuses::new(validation_data, &roots);
    // Both share one cache of statuses, unless some roots are for timestamps only.
    let mut clocks =
        (!policy.time_roots.is_empty()).then(|| CertificateStatuses::new(validation_data, &time_roots));
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(candidates.get(*at).and_then(Candidate::end)));
    let mut proved: Option<Timestamp> = None;
    for at in order {
        let Some(candidate) = candidates.get_mut(at) else {
            continue;
        };
        meter.check_time()?;
        candidate.proved_time = proved;
        let Some(signer) = candidate.signer.clone() else {
            continue;
        };
        let at = proved.unwrap_or(policy.now);
        let is_timestamp = candidate.cms.is_none();
        let reason = if is_timestamp {
            let clocks = clocks.as_mut().unwrap_or(&mut signers);
            match candidate.stamps.first() {
                Some(stamp) => clocks.of_clock(&signer, at, stamp.time),
                None => clocks.of(&signer, at),
            }
        } else {
            signature_stamps(candidate, clocks.as_mut().unwrap_or(&mut signers), at);
            let at = candidate.proved_time.unwrap_or(at);
            let reason = signers.of_signer(&signer, at, policy.other_roots);
            candidate.self_contained = signers.is_proved_by_file(&signer, at);
            reason
        };
        candidate.reasons.extend(reason);
        if is_timestamp && candidate.worst() == Verdict::Valid {
            let covering = candidate.proved_time;
            if candidate
                .stamps
                .iter()
                .any(|stamp| contradicts(stamp.time, covering))
            {
                candidate
                    .reasons
                    .push(Reason::Timestamp(TimeStampTokenError::Order));
                continue;
            }
            proved = earlier(proved, candidate.stamps.first().map(|stamp| stamp.time));
            candidate.proved_time = proved;
        }
    }
    Ok(())
}

/// A timestamp from the future proves nothing.
fn refuse_future(candidate: &mut Candidate<'_>, now: Timestamp) {
    let in_future = |stamp: &Stamp| stamp.time.duration_since(now) > CLOCK_SKEW;
    if !candidate.stamps.iter().any(in_future) {
        return;
    }
    if candidate.format == Some(Format::Timestamp) {
        candidate
            .reasons
            .push(Reason::Timestamp(TimeStampTokenError::Future));
    } else {
        candidate.stamps.retain(|stamp| !in_future(stamp));
        let refused = Reason::SignatureTimestamp(TimeStampTokenError::Future);
        candidate.reasons.push(refused);
    }
}

/// Whether a timestamp is later than one that covers it.
fn contradicts(stamp: Timestamp, covering: Option<Timestamp>) -> bool {
    covering.is_some_and(|covering| stamp.duration_since(covering) > ORDER_TOLERANCE)
}

fn earlier(one: Option<Timestamp>, other: Option<Timestamp>) -> Option<Timestamp> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// The timestamps of the signature value prove when it existed, if their authorities are trusted.
fn signature_stamps(candidate: &mut Candidate<'_>, statuses: &mut CertificateStatuses<'_>, at: Timestamp) {
    let covering = candidate.proved_time;
    for stamp in &candidate.stamps {
        match statuses
            .of_clock(&stamp.signer, at, stamp.time)
            .filter(|reason| reason.verdict() != Verdict::Valid)
        {
            None if contradicts(stamp.time, covering) => {
                let contradiction = Reason::SignatureTimestamp(TimeStampTokenError::Order);
                candidate.reasons.push(contradiction);
            }
            None => candidate.proved_time = earlier(candidate.proved_time, Some(stamp.time)),
            Some(reason) => candidate.reasons.push(Reason::UntrustedTime(Box::new(reason))),
        }
    }
}
