//! Timestamps of other authorities: asked one after the other until one answers, each answer checked against the roots
//! of the authority that gave it.

use super::to_jiff;
use crate::Error;
use aws_lc_rs::rand::SystemRandom;
use domain::{Causes, Timestamp};
use jiff::SignedDuration;
use pki::cms::Certificate;
use pki::time::{Imprint, Inquiry, Stamped};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use store::NO_TIMESTAMP_AUTHORITY_PREFIX;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// How long an authority that failed is asked only after the others: one that does not answer costs a timeout each time.
const FAILED_AUTHORITY_PAUSE: Duration = Duration::from_mins(5);

/// Another authority that makes timestamps.
#[derive(Debug, Clone)]
pub struct TimeStamping {
    name: String,
    transport: Arc<dyn TimestampTransport>,
    roots: Vec<Certificate>,
    /// Until this time the other authorities are asked first. In microseconds.
    resting: Arc<AtomicI64>,
    /// How far our clock was ahead of its last answer, also of one that was refused for its time.
    skew: Arc<Mutex<Option<SignedDuration>>>,
}

/// Carries requests to another timestamp authority.
pub trait TimestampTransport: std::fmt::Debug + Send + Sync {
    /// Sends a request ([`pki::time::REQUEST_TYPE`]) and returns the response, of at most
    /// [`pki::time::MAX_TIMESTAMP_RESPONSE_BYTES`] bytes, unverified. Blocks, not for long.
    fn exchange(&self, request: &[u8]) -> Result<Vec<u8>, BoxError>;
}

impl TimeStamping {
    /// The authority with this name in logs, the way to it, and its roots: an answer by another authority is refused.
    pub fn new(name: &str, transport: Arc<dyn TimestampTransport>, roots: Vec<Certificate>) -> Self {
        Self {
            name: name.to_owned(),
            transport,
            roots,
            resting: Arc::new(AtomicI64::new(i64::MIN)),
            skew: Arc::default(),
        }
    }

    /// Its name in logs.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its roots.
    pub fn roots(&self) -> &[Certificate] {
        &self.roots
    }

    /// How far our clock was ahead of its last answer, if it gave one.
    pub fn skew(&self) -> Option<SignedDuration> {
        *self.skew.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the authority for a timestamp; what time it says it is. Blocks.
    pub fn probe(&self, now: Timestamp) -> Result<Timestamp, Error> {
        let stamped = self
            .ask(Imprint::sha256(&[0; 32]), now)
            .map_err(Error::Internal)?;
        Ok(Timestamp::from_micros(stamped.stamp.time.as_microsecond()))
    }

    /// A timestamp of the first of these authorities that gives one that is good and has at most `room` bytes. Blocks.
    pub fn stamp(
        authorities: &[Self],
        digest: &[u8; 32],
        room: usize,
        now: Timestamp,
    ) -> Result<Stamped, Error> {
        let mut order: Vec<&Self> = authorities.iter().collect();
        // One that failed before the clock went back does not rest for longer.
        let rest = now.as_micros() + 1..=now.after(FAILED_AUTHORITY_PAUSE).as_micros();
        order.sort_by_key(|one| rest.contains(&one.resting.load(Ordering::Relaxed)));
        let mut failures = Vec::new();
        for authority in order {
            let answer = authority
                .ask(Imprint::sha256(digest), now)
                .and_then(|stamped| within_room(stamped, room));
            match answer {
                Ok(stamped) if failures.is_empty() => return Ok(stamped),
                Ok(stamped) => {
                    let failed = failures.join("; ");
                    tracing::warn!(
                        failed,
                        answered = authority.name,
                        "a timestamp authority failed, another answered"
                    );
                    return Ok(stamped);
                }
                Err(error) => {
                    let until = now.after(FAILED_AUTHORITY_PAUSE).as_micros();
                    authority.resting.store(until, Ordering::Relaxed);
                    failures.push(format!("{}: {}", authority.name, Causes(&*error)));
                }
            }
        }
        // The report for operators finds folios that wait for an authority by the beginning of this text.
        let why = format!("{NO_TIMESTAMP_AUTHORITY_PREFIX}: {}", failures.join("; "));
        Err(Error::Internal(why.into()))
    }

    /// The authority's answer, verified against its roots: a machine on the way cannot forge it.
    fn ask(&self, imprint: Imprint, now: Timestamp) -> Result<Stamped, BoxError> {
        let inquiry = Inquiry::new(imprint, None, &SystemRandom::new())?;
        let response = self.transport.exchange(&inquiry.to_der())?;
        let stamped = inquiry.accept_at_any_time(&response)?;
        stamped.stamp.path(&[], &self.roots)?;
        // Before an answer is refused for its time: the alert on the clock goes by it.
        let ahead = to_jiff(now).duration_since(stamped.stamp.time);
        *self.skew.lock().unwrap_or_else(PoisonError::into_inner) = Some(ahead);
        stamped.check_clock(to_jiff(now))?;
        Ok(stamped)
    }
}

/// A timestamp that fits into the document.
fn within_room(stamped: Stamped, room: usize) -> Result<Stamped, BoxError> {
    let length = stamped.token.len();
    if length <= room {
        Ok(stamped)
    } else {
        Err(format!("its timestamp has {length} bytes, and {room} fit").into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("could not connect")]
    struct Unreachable(#[source] std::io::Error);

    #[derive(Debug)]
    struct Dead;

    impl TimestampTransport for Dead {
        fn exchange(&self, _: &[u8]) -> Result<Vec<u8>, BoxError> {
            let refused = std::io::Error::new(std::io::ErrorKind::ConnectionRefused, "connection refused");
            Err(Unreachable(refused).into())
        }
    }

    /// Operators read this in the log, and the metrics count folios by its beginning.
    #[test]
    fn a_failure_names_the_authority_and_the_cause() {
        let dead = |name| TimeStamping::new(name, Arc::new(Dead), Vec::new());
        let stamped = TimeStamping::stamp(
            &[dead("tsa.example"), dead("tsa2.example")],
            &[0; 32],
            usize::MAX,
            Timestamp::from_micros(1_800_000_000_000_000),
        );
        assert_eq!(
            Causes(&stamped.unwrap_err()).to_string(),
            "timestamp authority: tsa.example: could not connect: connection refused; tsa2.example: could not connect: \
             connection refused"
        );
    }
}
