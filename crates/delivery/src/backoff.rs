//! When a message that could not be sent is retried, and when it is given up.
//!
//! The pause is as long as the message has been tried already, from five seconds to an hour: so it doubles,
//! however often instances came and went in between. It never more than doubles from one attempt to the next: an instance
//! whose clock was behind may have written the message, or none may have run for a day.

use domain::{Random, Template, Timestamp};
use std::ops::RangeInclusive;
use std::time::Duration;
use store::LeasedMessage;

const MIN_PAUSE: Duration = Duration::from_secs(5);
const MAX_PAUSE: Duration = Duration::from_hours(1);
/// A quarter less or more.
const JITTER: RangeInclusive<f64> = 0.75..=1.25;
/// How long a message is tried.
const MESSAGE_TTL: Duration = Duration::from_hours(48);

/// When to retry; `None` if that would be after the deadline of the message.
pub(crate) fn next(leased: &LeasedMessage, now: Timestamp, random: &mut dyn Random) -> Option<Timestamp> {
    let since = leased.retried_at.unwrap_or(leased.created_at);
    let next = now.after(pause(since, leased.attempt, now, random));
    (next < send_deadline(leased)).then_some(next)
}

/// The pause after a failed attempt, the first of which has the number 1, at something that was written at `since`.
pub(crate) fn pause(since: Timestamp, attempt: i64, now: Timestamp, random: &mut dyn Random) -> Duration {
    let before = u32::try_from(attempt - 1).unwrap_or_default();
    let doubled = MIN_PAUSE.saturating_mul(2_u32.saturating_pow(before));
    let tried = now.since(since).clamp(MIN_PAUSE, MAX_PAUSE);
    jittered(tried.min(doubled), &JITTER, random)
}

/// When the message is no longer worth sending.
pub(crate) fn send_deadline(leased: &LeasedMessage) -> Timestamp {
    match leased.template {
        Template::Code => leased.created_at.after(leased.channel.code_lifetime()),
        _ => leased.retried_at.unwrap_or(leased.created_at).after(MESSAGE_TTL),
    }
}

/// The pause times a random factor of that range, so that what failed together is not tried together.
pub(crate) fn jittered(pause: Duration, factors: &RangeInclusive<f64>, random: &mut dyn Random) -> Duration {
    let mut bytes = [0; 2];
    random.fill(&mut bytes);
    let share = f64::from(u16::from_be_bytes(bytes)) / f64::from(u16::MAX);
    pause.mul_f64(factors.start() + (factors.end() - factors.start()) * share)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::samples;
    use domain::Channel;

    struct Middle;

    impl Random for Middle {
        fn fill(&mut self, bytes: &mut [u8]) {
            bytes.copy_from_slice(&[0x80, 0]);
        }
    }

    /// The lowest number (0), or the highest (255).
    pub(crate) struct RepeatedByte(pub(crate) u8);

    impl Random for RepeatedByte {
        fn fill(&mut self, bytes: &mut [u8]) {
            bytes.fill(self.0);
        }
    }

    /// The pauses until a message is given up, each tried as soon as it is due.
    fn pauses(leased: &LeasedMessage) -> Vec<u64> {
        let mut now = leased.retried_at.unwrap_or(leased.created_at);
        let mut leased = leased.clone();
        let mut pauses = Vec::new();
        while let Some(later) = next(&leased, now, &mut Middle) {
            pauses.push(later.since(now).as_secs());
            now = later;
            leased.attempt += 1;
        }
        pauses
    }

    #[test]
    fn a_message_is_retried_ever_less_often_for_two_days() {
        let pauses = pauses(&samples::leased(Template::Invitation, Channel::Email));
        assert_eq!(pauses[..8], [5, 5, 10, 20, 40, 80, 160, 320]);
        assert_eq!(pauses.last(), Some(&3600));
        assert!((50..60).contains(&pauses.len()), "{}", pauses.len());
    }

    #[test]
    fn a_code_is_tried_while_it_is_good() {
        let email = pauses(&samples::leased(Template::Code, Channel::Email));
        let sms = pauses(&samples::leased(Template::Code, Channel::Sms));
        assert_eq!(email, [5, 5, 10, 20, 40, 80, 160]);
        assert_eq!(sms, [5, 5, 10, 20, 40, 80]);
    }

    #[test]
    fn a_message_retried_by_hand_has_two_days_again() {
        let mut leased = samples::leased(Template::Invitation, Channel::Email);
        leased.retried_at = Some(leased.created_at.after(Duration::from_hours(100)));
        assert_eq!(pauses(&leased)[..3], [5, 5, 10]);
    }

    #[test]
    fn a_first_failure_is_soon_retried_however_old_the_message_is() {
        let leased = samples::leased(Template::Invitation, Channel::Email);
        let now = leased.created_at.after(Duration::from_hours(20));
        let retried = next(&leased, now, &mut Middle).unwrap();
        assert_eq!(retried.since(now).as_secs(), 5);
    }

    #[test]
    fn pauses_differ_by_a_quarter() {
        let pause = Duration::from_secs(100);
        assert_eq!(
            jittered(pause, &JITTER, &mut RepeatedByte(0)),
            Duration::from_secs(75)
        );
        assert_eq!(
            jittered(pause, &JITTER, &mut RepeatedByte(255)),
            Duration::from_secs(125)
        );
    }
}
