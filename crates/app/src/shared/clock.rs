//! What time it is: the system's time in the service, a time that is moved by hand in tests.
//! Nothing else in the program asks the system.

use domain::Timestamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::Instant;

/// A clock.
#[derive(Debug, Clone)]
pub enum Clock {
    /// The system's.
    System,
    /// The system's, moved forward by so many microseconds: a sandbox's.
    Sandbox(Arc<AtomicI64>),
    /// A clock that moves only when a test moves it.
    Manual(Arc<AtomicI64>),
    /// A test's clock that moves as tokio's does, which a test may have paused: that time at that instant.
    Paced(Instant, Arc<AtomicI64>),
}

impl Clock {
    /// A test clock that shows that time.
    pub fn manual(at: Timestamp) -> Self {
        Self::Manual(Arc::new(AtomicI64::new(at.as_micros())))
    }

    /// A test clock that shows that time now, and moves on with tokio's time.
    pub fn paced(at: Timestamp) -> Self {
        Self::Paced(Instant::now(), Arc::new(AtomicI64::new(at.as_micros())))
    }

    /// A sandbox's clock, moved forward by so many microseconds.
    pub fn sandbox(offset: i64) -> Self {
        Self::Sandbox(Arc::new(AtomicI64::new(offset)))
    }

    /// The time now.
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => system_time(),
            Self::Sandbox(offset) => {
                let micros = system_time().as_micros();
                Timestamp::from_micros(micros.saturating_add(offset.load(Ordering::SeqCst)))
            }
            Self::Manual(micros) => Timestamp::from_micros(micros.load(Ordering::SeqCst)),
            Self::Paced(since, micros) => {
                Timestamp::from_micros(micros.load(Ordering::SeqCst)).after(since.elapsed())
            }
        }
    }

    /// Where its time comes from, as evidence says it.
    pub fn source(&self) -> &'static str {
        match self {
            Self::Sandbox(offset) if offset.load(Ordering::SeqCst) != 0 => "sandbox",
            Self::System | Self::Sandbox(_) => "operating_system",
            Self::Manual(_) | Self::Paced(..) => "test",
        }
    }

    /// Moves a sandbox's or a test's clock on; the system's moves by itself.
    pub fn advance(&self, span: Duration) {
        if let Self::Sandbox(micros) | Self::Manual(micros) = self {
            micros.fetch_add(
                i64::try_from(span.as_micros()).unwrap_or(i64::MAX),
                Ordering::SeqCst,
            );
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place where the system's clock is read"
)]
fn system_time() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}
