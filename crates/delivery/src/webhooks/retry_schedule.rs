//! When a webhook event is retried, when it is abandoned, and when its address is disabled.
//!
//! The pauses are those of the scheme: ten attempts in a little more than three days.

use super::send::RequestOutcome;
use crate::backoff::jittered;
use domain::{Random, Timestamp};
use std::ops::RangeInclusive;
use std::time::Duration;
use store::{LeasedWebhook, WebhookOutcome};

const RETRY_PAUSES: [Duration; 9] = [
    Duration::from_secs(5),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(5),
    Duration::from_hours(10),
    Duration::from_hours(14),
    Duration::from_hours(20),
    Duration::from_hours(24),
];

/// Up to a tenth more, never less.
const JITTER: RangeInclusive<f64> = 1.0..=1.1;

/// An address that failed for this long without a success is disabled.
const DISABLE_AFTER: Duration = Duration::from_hours(24 * 5);

/// Reason for disabling: the address answered 410 Gone.
pub(crate) const REASON_GONE: &str = "gone";
/// Reason for disabling: it failed for days.
pub(crate) const REASON_FAILING: &str = "failing";

/// What follows from an attempt, and why the address is disabled, if it is.
pub(crate) fn next_attempt(
    leased: &LeasedWebhook,
    outcome: &RequestOutcome,
    now: Timestamp,
    random: &mut dyn Random,
) -> (WebhookOutcome, Option<&'static str>) {
    if outcome.arrived() {
        return (WebhookOutcome::Sent, None);
    }
    if outcome.status == Some(410) {
        return (WebhookOutcome::Dead, Some(REASON_GONE));
    }
    let made = leased.attempt - leased.attempts_before;
    let pause = usize::try_from(made - 1)
        .ok()
        .and_then(|made| RETRY_PAUSES.get(made));
    if let Some(pause) = pause {
        return (
            WebhookOutcome::Postponed(now.after(jittered(*pause, &JITTER, random))),
            None,
        );
    }
    let for_days = leased
        .failing_since
        .is_some_and(|since| since.after(DISABLE_AFTER) <= now);
    (WebhookOutcome::Dead, for_days.then_some(REASON_FAILING))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backoff::tests::RepeatedByte;
    use domain::DeliveryId;

    fn leased(attempt: i64, failing_since: Option<Timestamp>) -> LeasedWebhook {
        LeasedWebhook {
            seq: store::DeliveryRow(1),
            id: DeliveryId::from_bytes([1; 16]),
            attempt,
            attempts_before: 0,
            endpoint: store::WebhookEndpointRow(1),
            address: "https://example.com/".to_owned(),
            secrets: Vec::new(),
            failing_since,
            kind: "webhook.test".to_owned(),
            folio: None,
            event: None,
            happened_at: Timestamp::from_micros(0),
            body: None,
        }
    }

    fn answered(status: u16) -> RequestOutcome {
        RequestOutcome {
            status: Some(status),
            error: None,
            response: None,
        }
    }

    #[test]
    fn ten_attempts_are_made_over_three_days() {
        let mut now = Timestamp::from_micros(0);
        for attempt in 1..=9 {
            let (webhook_outcome, _) =
                next_attempt(&leased(attempt, None), &answered(500), now, &mut RepeatedByte(0));
            let WebhookOutcome::Postponed(next) = webhook_outcome else {
                panic!("{webhook_outcome:?} after {attempt}")
            };
            now = next;
        }
        let hours = now.since(Timestamp::from_micros(0)).as_secs() / 3600;
        assert_eq!(hours, 75);
        let (last, disable) = next_attempt(&leased(10, None), &answered(500), now, &mut RepeatedByte(0));
        assert_eq!((last, disable), (WebhookOutcome::Dead, None));
    }

    #[test]
    fn pauses_are_up_to_a_tenth_longer() {
        let pause = Duration::from_secs(100);
        assert_eq!(
            jittered(pause, &JITTER, &mut RepeatedByte(0)),
            Duration::from_secs(100)
        );
        assert_eq!(
            jittered(pause, &JITTER, &mut RepeatedByte(255)),
            Duration::from_secs(110)
        );
    }

    #[test]
    fn an_address_that_is_gone_or_fails_for_days_is_disabled() {
        let now = Timestamp::from_micros(0).after(DISABLE_AFTER);
        let judged = |attempt, since, status| {
            let leased = leased(attempt, since);
            next_attempt(&leased, &answered(status), now, &mut RepeatedByte(0)).1
        };
        let start = Some(Timestamp::from_micros(0));
        assert_eq!(judged(1, None, 410), Some(REASON_GONE));
        assert_eq!(judged(10, start, 500), Some(REASON_FAILING));
        assert_eq!(judged(10, Some(now), 500), None);
        assert_eq!(judged(9, start, 500), None);
        assert_eq!(judged(10, start, 204), None);
    }

    #[test]
    fn a_message_that_is_resent_has_all_its_attempts() {
        let mut again = leased(11, None);
        again.attempts_before = 10;
        let now = Timestamp::from_micros(0);
        let (webhook_outcome, _) = next_attempt(&again, &answered(500), now, &mut RepeatedByte(0));
        assert_eq!(
            webhook_outcome,
            WebhookOutcome::Postponed(now.after(Duration::from_secs(5)))
        );
    }
}
