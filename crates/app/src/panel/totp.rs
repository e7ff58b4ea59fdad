//! Codes by time (RFC 6238): six digits, a new one every thirty seconds, one step of grace to either side.

use aws_lc_rs::hmac;
use domain::Timestamp;

const STEP_SECONDS: i64 = 30;
const MILLION: u32 = 1_000_000;
/// Bytes of a secret: as many as the hash has.
pub(super) const SECRET_BYTES: usize = 20;

/// The time step of a point in time.
pub(super) const fn step(at: Timestamp) -> i64 {
    at.as_micros() / 1_000_000 / STEP_SECONDS
}

/// The step whose code this is, among the present one and its neighbours.
pub(super) fn matching(secret: &[u8], typed: &str, now: Timestamp) -> Option<i64> {
    let typed: String = typed.chars().filter(|c| !c.is_whitespace()).collect();
    let here = step(now);
    let same = |step: &i64| {
        let expected = code(secret, *step);
        aws_lc_rs::constant_time::verify_slices_are_equal(expected.as_bytes(), typed.as_bytes()).is_ok()
    };
    // All three are compared, whichever fits.
    let fits: Vec<i64> = (here - 1..=here + 1).filter(same).collect();
    fits.last().copied()
}

/// The code of a step.
pub fn code(secret: &[u8], step: i64) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret);
    let tag = hmac::sign(&key, &step.to_be_bytes());
    let tag = tag.as_ref();
    let offset = usize::from(tag.last().copied().unwrap_or(0) & 15);
    let four = tag.get(offset..).and_then(<[u8]>::first_chunk::<4>);
    let number = u32::from_be_bytes(four.copied().unwrap_or_default()) & 0x7fff_ffff;
    format!("{:06}", number % MILLION)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_the_standard() {
        for (seconds, expected) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            let at = Timestamp::from_micros(seconds * 1_000_000);
            assert_eq!(code(b"12345678901234567890", step(at)), expected);
        }
    }

    #[test]
    fn one_step_of_grace_to_either_side() {
        let secret = [7; SECRET_BYTES];
        let at = |seconds: i64| Timestamp::from_micros(seconds * 1_000_000);
        let typed = code(&secret, 100);
        let spaced = format!("{} {}", &typed[..3], &typed[3..]);
        assert_eq!(matching(&secret, &spaced, at(3000)), Some(100));
        assert_eq!(matching(&secret, &typed, at(2999)), Some(100));
        assert_eq!(matching(&secret, &typed, at(3059)), Some(100));
        assert_eq!(matching(&secret, &typed, at(3060)), None);
        assert_eq!(matching(&secret, &typed, at(2969)), None);
        assert_eq!(matching(&secret, "", at(3000)), None);
    }
}
