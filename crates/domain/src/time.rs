//! A point in time: microseconds since 1970 in UTC, without a display format.

use crate::limits::MAX_CLOCK_SKEW;
use std::time::Duration;

/// Microseconds since the Unix epoch, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The point that many microseconds after the epoch.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds after the epoch.
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// That much later (the end of time at the most).
    #[must_use]
    pub fn after(self, span: Duration) -> Self {
        Self(self.0.saturating_add(micros(span)))
    }

    /// That much earlier (the beginning of time at the most).
    #[must_use]
    pub fn before(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(micros(span)))
    }

    /// How long it is from an earlier point to this one; zero when it is not earlier.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// Whether the clock went back since it showed this time. Nothing waits because of what happened then.
    pub fn is_ahead_of(self, now: Self) -> bool {
        self > now.after(MAX_CLOCK_SKEW)
    }
}

fn micros(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}
