//! When a worker tries again what failed.

use domain::Timestamp;
use std::time::Duration;

/// The pause after the first failure.
const RETRY_PAUSE: Duration = Duration::from_secs(30);
/// The longest pause.
const MAX_RETRY_PAUSE: Duration = Duration::from_hours(6);

/// When to try again after so many failures before this one: the pause doubles with each.
pub(super) fn retry_at(attempts: i64, now: Timestamp) -> Timestamp {
    let doubled = 2_u32.saturating_pow(u32::try_from(attempts).unwrap_or(u32::MAX));
    now.after(RETRY_PAUSE.saturating_mul(doubled).min(MAX_RETRY_PAUSE))
}

#[cfg(test)]
mod tests {
    use super::{MAX_RETRY_PAUSE, RETRY_PAUSE, retry_at};
    use domain::Timestamp;

    #[test]
    fn the_pause_doubles_up_to_the_longest() {
        let now = Timestamp::from_micros(0);
        assert_eq!(retry_at(0, now), now.after(RETRY_PAUSE));
        assert_eq!(retry_at(1, now), now.after(RETRY_PAUSE * 2));
        for attempts in [12, i64::MAX] {
            assert_eq!(retry_at(attempts, now), now.after(MAX_RETRY_PAUSE), "{attempts}");
        }
    }
}
