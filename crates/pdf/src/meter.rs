//! The budget of one reading: values and processor time.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use crate::damage::Damage;
use crate::limits::Limits;

/// The parser skips this many bytes in the time that it takes to read one value.
const BYTES_PER_VALUE: u64 = 64;
/// The meter reads the clock each time this many values have been charged.
const VALUES_PER_CLOCK_READ: u64 = 4096;

/// A budget of values, in all and for one object, and of time.
///
/// Clones draw on the same budget, so that several readings can be bounded together.
#[derive(Debug, Clone)]
pub struct Meter {
    left: Rc<Cell<u64>>,
    object: u64,
    depth: u16,
    time: Option<Duration>,
    /// The value of this thread's processor clock at which the time is over: other work of the machine does not
    /// count. The clock is read for the first time after `VALUES_PER_CLOCK_READ` values, or before a stream is
    /// inflated. Most documents are read by then, and a reading of the clock takes as long as a page.
    until: Rc<Cell<Option<Duration>>>,
}

impl Meter {
    /// A budget of values alone.
    pub fn new(values: u64, object: u64, depth: u16) -> Self {
        Self {
            left: Rc::new(Cell::new(values)),
            object,
            depth,
            time: None,
            until: Rc::default(),
        }
    }

    /// A budget of values and of time; the time counts from the first reading of the clock.
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

    /// Charges values, or work that costs as much. A budget once overdrawn stays empty.
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

    /// Charges bytes that were skipped, whatever they held.
    pub fn charge_bytes(&self, bytes: usize) -> Result<(), Damage> {
        self.charge(bytes as u64 / BYTES_PER_VALUE)
    }

    /// Reads the clock. When the time is over, the budget is empty.
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

    /// Reads the clock, if it has been read before.
    pub fn check_time_if_started(&self) -> Result<(), Damage> {
        self.until.get().map_or(Ok(()), |_| self.check_time())
    }
}

/// The processor time of this thread.
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
