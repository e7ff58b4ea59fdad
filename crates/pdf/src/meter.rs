//! What reading may still cost.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use crate::damage::Damage;
use crate::limits::Limits;

/// As many bytes are passed over in the time that one value takes.
const BYTES_PER_VALUE: u64 = 64;
/// The clock is read each time that values of this number have been paid for.
const VALUES_PER_CLOCK_READ: u64 = 4096;

/// An account of values, in all and in one object, and of time.
///
/// Clones draw on the same account, so that several readings can be bounded together.
#[derive(Debug, Clone)]
pub struct Meter {
    left: Rc<Cell<u64>>,
    object: u64,
    depth: u16,
    time: Option<Duration>,
    /// What this thread's processor clock may come to: other work of the machine is not on the account. The clock is
    /// asked for the first time when values enough have been paid for, or something dear begins: most documents are read
    /// by then, and to ask takes as long as to read a page.
    until: Rc<Cell<Option<Duration>>>,
}

impl Meter {
    /// An account of values alone.
    pub fn new(values: u64, object: u64, depth: u16) -> Self {
        Self {
            left: Rc::new(Cell::new(values)),
            object,
            depth,
            time: None,
            until: Rc::default(),
        }
    }

    /// An account of values and of time, which begins to count with the first look at the clock.
    pub fn with_limits(limits: &Limits, values: u64) -> Self {
        Self {
            time: Some(limits.time),
            ..Self::new(values, limits.object_values, limits.depth)
        }
    }

    pub fn object(&self) -> u64 {
        self.object
    }

    pub fn depth(&self) -> u16 {
        self.depth
    }

    /// Pays for values, or for work that costs as much. An account once overdrawn stays empty.
    pub fn charge(&self, values: u64) -> Result<(), Damage> {
        let before = self.left.get();
        let left = before.saturating_sub(values);
        self.left.set(left);
        if values > before {
            return self.check_time().and(Err(Damage::TooComplex));
        }
        if before / VALUES_PER_CLOCK_READ != left / VALUES_PER_CLOCK_READ {
            self.check_time()?;
        }
        Ok(())
    }

    /// Pays for bytes that were passed over, whether or not they said anything.
    pub fn charge_bytes(&self, bytes: usize) -> Result<(), Damage> {
        self.charge(bytes as u64 / BYTES_PER_VALUE)
    }

    /// Looks at the clock. When the time is over, so is the account.
    pub fn check_time(&self) -> Result<(), Damage> {
        let Some(time) = self.time else {
            return Ok(());
        };
        let now = thread_cpu_time();
        let Some(until) = self.until.get() else {
            self.until.set(Some(now.saturating_add(time)));
            return Ok(());
        };
        if now <= until {
            return Ok(());
        }
        self.left.set(0);
        Err(Damage::TooSlow)
    }

    /// Looks at the clock, if it has been looked at before.
    pub fn check_time_if_started(&self) -> Result<(), Damage> {
        self.until.get().map_or(Ok(()), |_| self.check_time())
    }
}

/// The time this thread has thread_cpu_time on a processor.
fn thread_cpu_time() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime)
        .try_into()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_once_overdrawn_stays_empty() {
        let meter = Meter::new(100, 100, 10);
        assert_eq!(meter.charge(60), Ok(()));
        assert_eq!(meter.clone().charge(60), Err(Damage::TooComplex));
        assert_eq!(meter.charge(1), Err(Damage::TooComplex));
    }

    #[test]
    fn bytes_count_as_well_as_values() {
        let meter = Meter::new(10, 10, 10);
        assert_eq!(meter.charge_bytes(640), Ok(()));
        assert_eq!(meter.charge_bytes(64), Err(Damage::TooComplex));
    }

    #[test]
    fn time_ends_what_values_do_not() {
        let limits = Limits {
            time: Duration::ZERO,
            ..Limits::default()
        };
        let meter = Meter::with_limits(&limits, u64::MAX);
        assert_eq!(meter.check_time_if_started(), Ok(()));
        let outcome = (0..1_000_000).try_for_each(|_| meter.charge(1));
        assert_eq!(outcome, Err(Damage::TooSlow));
        assert_eq!(meter.clone().check_time_if_started(), Err(Damage::TooSlow));
        assert_eq!(meter.charge(1), Err(Damage::TooSlow));
        let meter = Meter::with_limits(&Limits::default(), u64::MAX);
        assert_eq!((0..100_000).try_for_each(|_| meter.charge(1)), Ok(()));
    }
}
