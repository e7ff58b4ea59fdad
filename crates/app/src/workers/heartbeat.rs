//! The heartbeat of this instance. While it lasts, what the instance leased is its own; when it ends, other instances
//! take the work over.

use crate::App;
use domain::{Causes, InstanceId, Timestamp};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use store::{HEARTBEAT_LIFETIME, Lease, Tx};
use tokio::time::Instant;

/// The time between two heartbeats. Some may fail before the instance is taken for dead.
const BEAT_INTERVAL: Duration = Duration::from_secs(2);
/// The time between two checks for work that a clock holds up and for dead instances.
const CHECK_INTERVAL: Duration = Duration::from_secs(20);

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
    /// What the clock showed at the last look at it, and when that was.
    shown: Option<(Timestamp, Instant)>,
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

    /// Whether the clock went forward since the last look at it: by more than the time that has passed. So it may have before
    /// the first look, while this instance did not run.
    fn clock_went_forward(&self, now: Timestamp, at: Instant) -> bool {
        let shown = self.times.lock().unwrap_or_else(PoisonError::into_inner).shown;
        shown.is_none_or(|(before, since)| now.is_ahead_of(before.after(at.duration_since(since))))
    }

    fn note_clock(&self, now: Timestamp, at: Instant) {
        self.times.lock().unwrap_or_else(PoisonError::into_inner).shown = Some((now, at));
    }
}

impl App {
    /// Says that this instance runs. Comes before it leases anything.
    pub async fn beat(&self) -> Result<(), store::Error> {
        let (begun, instance) = (Instant::now(), self.heartbeat.instance);
        let beat = self.store.write_urgent(move |tx| {
            let until = tx.database_clock()?.after(HEARTBEAT_LIFETIME);
            tx.beat(instance, until)
        });
        beat.await?;
        self.heartbeat.note(begun);
        Ok(())
    }

    /// Says so again and again, until the task is dropped. Looks at the clock and at other instances beside that: behind a long
    /// queue it may take longer than a heartbeat lasts.
    pub async fn run_heartbeat(self) {
        tokio::join!(self.keep_beating(), self.keep_checking());
    }

    async fn keep_beating(&self) {
        let mut period = interval(BEAT_INTERVAL);
        loop {
            period.tick().await;
            if let Err(error) = self.beat().await {
                tracing::warn!(error = %Causes(&error), "the heartbeat could not be written: others take over what this instance leased");
            }
        }
    }

    async fn keep_checking(&self) {
        let mut period = interval(CHECK_INTERVAL);
        loop {
            period.tick().await;
            if let Err(error) = self.check_clock_and_instances().await {
                tracing::warn!(error = %Causes(&error), "work that waits, and instances that died, could not be looked at");
            }
        }
    }

    /// Makes work due that waits only because the clock was wrong, and forgets instances that died.
    pub async fn check_clock_and_instances(&self) -> Result<(), store::Error> {
        let (now, at) = (self.clock.now(), Instant::now());
        let went_forward = self.heartbeat.clock_went_forward(now, at);
        let hastened = self.store.write(move |tx| {
            let clock = tx.database_clock()?;
            tx.forget_dead_instances(clock)?;
            let unstamped = if went_forward {
                tx.hasten_unstamped_extensions(now)?
            } else {
                0
            };
            Ok::<_, store::Error>((tx.hasten_after_clock_step(now)?, unstamped))
        });
        let (hastened, unstamped) = hastened.await?;
        self.heartbeat.note_clock(now, at);
        if hastened > 0 {
            tracing::warn!(
                hastened,
                "the clock went back: what was put off before is tried now"
            );
        }
        if unstamped > 0 {
            tracing::info!(
                unstamped,
                "the clock went forward, or this instance has just started: folios without a timestamp are extended now"
            );
        }
        if hastened + unstamped > 0 {
            self.wakeups.notify_all();
        }
        Ok(())
    }

    /// Says that this instance has ended: what it still holds is free at once.
    pub async fn end_heartbeat(&self) {
        let instance = self.heartbeat.instance;
        let ended = self.store.write_urgent(move |tx| tx.end_instance(instance)).await;
        if let Err(error) = ended {
            tracing::warn!(error = %Causes(&error), "the end of this instance could not be written: others wait for its heartbeat to end");
        }
    }
}

/// One that does not hurry after a delay.
fn interval(period: Duration) -> tokio::time::Interval {
    let mut interval = tokio::time::interval(period);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    interval
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

    #[test]
    fn a_clock_goes_forward_when_it_shows_more_than_has_passed() {
        let heartbeat = Heartbeat::new(InstanceId::from_bytes([1; 16]));
        let (shown, start) = (Timestamp::from_micros(1_800_000_000_000_000), Instant::now());
        let goes_forward = |clock: Duration, passed: Duration| {
            heartbeat.note_clock(shown, start);
            heartbeat.clock_went_forward(shown.after(clock), start + passed)
        };
        assert!(
            heartbeat.clock_went_forward(shown, start),
            "before the first look"
        );
        let (second, hour) = (Duration::from_secs(1), Duration::from_hours(1));
        assert!(!goes_forward(20 * second, 20 * second));
        assert!(goes_forward(hour, 20 * second));
        assert!(!goes_forward(hour, hour), "the database was away");
        assert!(!goes_forward(Duration::ZERO, hour), "it went back");
    }
}
