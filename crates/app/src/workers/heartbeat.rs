//! The heartbeat of this instance. While it lasts, what the instance leased is its own; when it ends, other instances
//! take the work over.

use crate::App;
use domain::{Causes, InstanceId};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use store::{HEARTBEAT_LIFETIME, Lease, Tx};
use tokio::time::Instant;

/// The time between two heartbeats. Some may fail before the instance is taken for dead.
const BEAT_INTERVAL: Duration = Duration::from_secs(2);
/// Heartbeats between two checks for work that a clock holds up and for dead instances: every 20 seconds.
const BEATS_PER_CHECK: u32 = 10;

/// What this instance knows of its heartbeat.
#[derive(Debug, Clone)]
pub struct Heartbeat {
    /// This instance.
    pub instance: InstanceId,
    times: Arc<Mutex<BeatTimes>>,
}

#[derive(Debug, Default)]
struct BeatTimes {
    /// When the last one that was written began.
    last: Option<Instant>,
    /// When it began again after it had ended.
    resumed: Option<Instant>,
}

impl Heartbeat {
    /// The heartbeat of a new instance.
    pub fn new(instance: InstanceId) -> Self {
        Self {
            instance,
            times: Arc::default(),
        }
    }

    /// Whether others leave alone what this instance leased.
    pub fn lasts(&self) -> bool {
        let last = self.times.lock().unwrap_or_else(PoisonError::into_inner).last;
        last.is_some_and(|last| last.elapsed() < HEARTBEAT_LIFETIME)
    }

    /// A lease of that length. After the database was away, all heartbeats have ended: for a while no instance is taken for
    /// dead, or messages that others are sending would be sent twice.
    pub fn lease(&self, tx: &mut Tx<'_>, length: Duration) -> Result<Lease, store::Error> {
        let lease = Lease::new(self.instance, tx.database_clock()?, length);
        let resumed = self.times.lock().unwrap_or_else(PoisonError::into_inner).resumed;
        Ok(match resumed {
            Some(at) if at.elapsed() < HEARTBEAT_LIFETIME => lease.without_takeover(),
            _ => lease,
        })
    }

    fn note(&self, begun: Instant) {
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = |last: Instant| begun.duration_since(last) >= HEARTBEAT_LIFETIME;
        if times.last.is_some_and(ended) {
            times.resumed = Some(begun);
        }
        times.last = Some(begun);
    }
}

impl App {
    /// Says that this instance runs. Comes before it leases anything.
    pub async fn beat(&self) -> Result<(), store::Error> {
        let (begun, instance) = (Instant::now(), self.heartbeat.instance);
        let beat = self.store.write(move |tx| {
            let until = tx.database_clock()?.after(HEARTBEAT_LIFETIME);
            tx.beat(instance, until)
        });
        beat.await?;
        self.heartbeat.note(begun);
        Ok(())
    }

    /// Says so again and again, until the task is dropped.
    pub async fn run_heartbeat(self) {
        let mut period = tokio::time::interval(BEAT_INTERVAL);
        period.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut beats: u32 = 0;
        loop {
            period.tick().await;
            if let Err(error) = self.beat().await {
                tracing::warn!(error = %Causes(&error), "the heartbeat could not be written: others take over what this instance leased");
            }
            if beats.is_multiple_of(BEATS_PER_CHECK)
                && let Err(error) = self.check_clock_and_instances().await
            {
                tracing::warn!(error = %Causes(&error), "work that waits, and instances that died, could not be looked at");
            }
            beats = beats.wrapping_add(1);
        }
    }

    /// Makes work due that waits only because the clock went back, and forgets instances that died.
    pub async fn check_clock_and_instances(&self) -> Result<(), store::Error> {
        let now = self.clock.now();
        let hastened = self.store.write(move |tx| {
            let clock = tx.database_clock()?;
            tx.forget_dead_instances(clock)?;
            tx.hasten_after_clock_step(now)
        });
        let hastened = hastened.await?;
        if hastened > 0 {
            tracing::warn!(
                hastened,
                "the clock went back: what was put off before is tried now"
            );
            self.wakeups.notify_all();
        }
        Ok(())
    }

    /// Says that this instance has ended: what it still holds is free at once.
    pub async fn end_heartbeat(&self) {
        let instance = self.heartbeat.instance;
        let ended = self.store.write(move |tx| tx.end_instance(instance)).await;
        if let Err(error) = ended {
            tracing::warn!(error = %Causes(&error), "the end of this instance could not be written: others wait for its heartbeat to end");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heartbeat_that_ended_resumes_and_one_that_is_late_goes_on() {
        let heartbeat = Heartbeat::new(InstanceId::from_bytes([1; 16]));
        assert!(!heartbeat.lasts(), "none was written");
        let start = Instant::now();
        let resumed = |after: Duration| {
            heartbeat.note(start + after);
            heartbeat.times.lock().unwrap().resumed
        };
        assert_eq!(resumed(Duration::ZERO), None, "the first one");
        assert!(heartbeat.lasts());
        let late = HEARTBEAT_LIFETIME / 2;
        assert_eq!(resumed(late), None);
        assert_eq!(
            resumed(late + HEARTBEAT_LIFETIME),
            Some(start + late + HEARTBEAT_LIFETIME)
        );
    }
}
